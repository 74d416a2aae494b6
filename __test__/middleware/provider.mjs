// A server that answers as OpenAI's chat completions and responses and Anthropic's messages do, whole or as a stream of events. What
// it answers follows from the conversation alone; it keeps every body that it received beside what it answered.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

/** What models are asked for, by the last thing that a person said. */
const PLANS = [
  [/weather in (\w+) and (\w+)/i, (_, one, other) => [one, other].map(city => ['get_weather', { city }])],
  [/weather in (\w+)/i, (_, city) => [['get_weather', { city }]]],
  [/use (\w+) with (\{.*\})/i, (_, name, args) => [[name, JSON.parse(args)]]],
];

const isForced = choice =>
  typeof choice === 'object' && choice !== null && ['function', 'tool', 'any'].includes(choice.type);

/** What the models answer to a conversation in the neutral form of `neutral.mjs`. */
function decide({ messages, tools, tool_choice, response_format }, ids, preamble) {
  const last = messages.at(-1);
  const said = messages.findLast(({ role }) => role === 'user')?.text ?? '';
  const call = (name, args) => ({ name, args, id: ids('call') });
  const named = tools?.map(({ name }) => name) ?? [];
  if (isForced(tool_choice) || tool_choice === 'required') {
    const name = tool_choice.function?.name ?? tool_choice.name ?? named.at(-1);
    return { text: '', calls: [call(name, sample(tools.find(tool => tool.name === name)?.parameters))] };
  }
  if (last?.role === 'user' || last?.role === 'system') {
    for (const [pattern, plan] of PLANS) {
      const match = pattern.exec(said);
      const calls = match ? plan(...match).filter(([name]) => named.includes(name)) : [];
      if (calls.length > 0) return { text: preamble, calls: calls.map(([name, args]) => call(name, args)) };
    }
  }
  // An agent whose structured answer is a tool.
  const extract = named.find(name => /^extract/.test(name));
  if (extract)
    return { text: '', calls: [call(extract, sample(tools.find(({ name }) => name === extract).parameters))] };
  if (response_format) return { text: JSON.stringify(sample(response_format.schema)), calls: [] };
  return { text: `An answer to “${last?.text ?? ''}”, é.`, calls: [] };
}

/** A value that a JSON Schema allows, as far as the tests use them. */
function sample(schema) {
  switch (schema?.type) {
    case 'object':
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, each]) => [key, sample(each)]));
    case 'array':
      return [sample(schema.items)];
    case 'number':
    case 'integer':
      return 21;
    case 'boolean':
      return true;
    default:
      return schema?.enum?.[0] ?? 'sunny';
  }
}

const USAGE = { input: 11, output: 7 };
const pieces = text => text.match(/.{1,9}/gsu) ?? [];

const OPENAI = {
  path: '/v1/chat/completions',
  whole({ text, calls }, { model }, ids) {
    const message = {
      role: 'assistant',
      content: text,
      refusal: null,
      ...(calls.length > 0 && { tool_calls: calls.map(openaiCall) }),
    };
    const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
    return {
      id: ids('chatcmpl'),
      object: 'chat.completion',
      created: 1_700_000_000,
      model,
      choices: [{ index: 0, message, finish_reason, logprobs: null }],
      usage: openaiUsage(),
      system_fingerprint: ids('fp'),
    };
  },
  *stream({ text, calls }, { model, stream_options }, ids) {
    const base = {
      id: ids('chatcmpl'),
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model,
      system_fingerprint: ids('fp'),
    };
    const chunk = (delta, finish_reason = null) => ({
      ...base,
      choices: [{ index: 0, delta, finish_reason, logprobs: null }],
    });
    yield [chunk({ role: 'assistant', content: '' })];
    for (const piece of pieces(text)) yield [chunk({ content: piece })];
    for (const [index, each] of calls.entries()) {
      const { id, type, function: named } = openaiCall(each);
      yield [chunk({ tool_calls: [{ index, id, type, function: { name: named.name, arguments: '' } }] })];
      for (const piece of pieces(named.arguments))
        yield [chunk({ tool_calls: [{ index, function: { arguments: piece } }] })];
    }
    yield [chunk({}, calls.length > 0 ? 'tool_calls' : 'stop')];
    if (stream_options?.include_usage) yield [{ ...base, choices: [], usage: openaiUsage() }];
    yield ['[DONE]'];
  },
};

const openaiCall = ({ id, name, args }) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
});
const openaiUsage = () => ({
  prompt_tokens: USAGE.input,
  completion_tokens: USAGE.output,
  total_tokens: USAGE.input + USAGE.output,
});

const RESPONSES = {
  path: '/v1/responses',
  whole({ text, calls }, { model }, ids) {
    const content = [{ type: 'output_text', text, annotations: [] }];
    return {
      id: ids('resp'),
      object: 'response',
      created_at: 1_700_000_000,
      status: 'completed',
      model,
      error: null,
      incomplete_details: null,
      output: [
        ...(text ? [{ type: 'message', id: ids('msg'), role: 'assistant', status: 'completed', content }] : []),
        ...calls.map(({ id, name, args }) => ({
          type: 'function_call',
          id: ids('fc'),
          call_id: id,
          name,
          arguments: JSON.stringify(args),
          status: 'completed',
        })),
      ],
      usage: {
        input_tokens: USAGE.input,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: USAGE.output,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: USAGE.input + USAGE.output,
      },
      tools: [],
      metadata: {},
    };
  },
  *stream(answer, body, ids) {
    const response = this.whole(answer, body, ids);
    const event = data => [data, data.type];
    yield event({
      type: 'response.created',
      response: { ...response, status: 'in_progress', output: [], usage: null },
    });
    for (const [output_index, item] of response.output.entries()) {
      const at = { output_index, item_id: item.id };
      const isText = item.type === 'message';
      const added = isText ? { ...item, content: [] } : { ...item, arguments: '' };
      yield event({ type: 'response.output_item.added', output_index, item: added });
      for (const delta of pieces(isText ? item.content[0].text : item.arguments)) {
        if (isText) yield event({ type: 'response.output_text.delta', ...at, content_index: 0, delta });
        else yield event({ type: 'response.function_call_arguments.delta', ...at, delta });
      }
      yield event({ type: 'response.output_item.done', output_index, item });
    }
    yield event({ type: 'response.completed', response });
  },
};

const ANTHROPIC = {
  path: '/v1/messages',
  whole({ text, calls }, { model }, ids) {
    return {
      id: ids('msg'),
      type: 'message',
      role: 'assistant',
      model,
      content: [
        ...(text ? [{ type: 'text', text }] : []),
        ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
      ],
      stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: USAGE.input, output_tokens: USAGE.output },
    };
  },
  *stream({ text, calls }, body, ids) {
    const { content, stop_reason, usage, ...message } = this.whole({ text, calls }, body, ids);
    const event = data => [data, data.type];
    yield event({
      type: 'message_start',
      message: {
        ...message,
        content: [],
        stop_reason: null,
        usage: { input_tokens: usage.input_tokens, output_tokens: 0 },
      },
    });
    for (const [index, block] of content.entries()) {
      const isText = block.type === 'text';
      yield event({
        type: 'content_block_start',
        index,
        content_block: isText ? { ...block, text: '' } : { ...block, input: {} },
      });
      for (const piece of pieces(isText ? block.text : JSON.stringify(block.input))) {
        const delta = isText ? { type: 'text_delta', text: piece } : { type: 'input_json_delta', partial_json: piece };
        yield event({ type: 'content_block_delta', index, delta });
      }
      yield event({ type: 'content_block_stop', index });
    }
    yield event({
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: usage.output_tokens },
    });
    yield event({ type: 'message_stop' });
  },
};

/**
 * @param {(body: object) => object} neutral the conversation in a body, whoever it is for
 * @param {string} preamble what a model says before it calls a tool
 */
export async function startProvider(neutral, preamble = 'Let me see. ') {
  const fresh = salt => ({ log: [], seen: new Map(), salt, failures: [], pause: undefined });
  let state = fresh('');

  // A connection that a slow machine leaves idle must not be reset.
  const server = createServer({ keepAliveTimeout: 600_000 }, async (request, response) => {
    // Who is answered late counts for the case that asked.
    const session = state;
    const parts = [];
    for await (const part of request) parts.push(part);
    const text = Buffer.concat(parts).toString();
    const body = JSON.parse(text);
    // Ids follow from the request, not from its turn: those of a batch come in any order.
    const nth = session.seen.get(text) ?? 0;
    session.seen.set(text, nth + 1);
    const name = `${session.salt}${createHash('sha256').update(text).digest('hex').slice(0, 8)}_${nth}`;
    let next = 0;
    const ids = kind => `${kind}_${name}_${next++}`;
    const api = [ANTHROPIC, RESPONSES, OPENAI].find(({ path }) => request.url.endsWith(path));
    const entry = { body, conversation: neutral(body), answer: undefined };
    session.log.push(entry);
    const status = session.failures.shift();
    if (status) {
      const error = { type: 'invalid_request_error', message: 'refused', param: null, code: null };
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(api === ANTHROPIC ? { type: 'error', error } : { error }));
      return;
    }
    await session.pause?.();
    entry.answer = decide(entry.conversation, ids, preamble);
    if (!body.stream) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(api.whole(entry.answer, body, ids)));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const [data, name] of api.stream(entry.answer, body, ids)) {
      if (name) response.write(`event: ${name}\n`);
      response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
    }
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();

  return {
    url: `http://127.0.0.1:${server.address().port}`,
    get state() {
      return state;
    },
    /** Forgets what it received. The same ids again, unless a salt makes others. */
    reset(salt = '') {
      state = fresh(salt);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export const usage = {
  input_tokens: USAGE.input,
  output_tokens: USAGE.output,
  total_tokens: USAGE.input + USAGE.output,
};
