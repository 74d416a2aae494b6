// A request in a form that neither provider's API nor the recorder has, so that what was sent and what was recorded can
// be compared.

const PARAMETERS = ['temperature', 'top_p', 'top_k', 'seed'];

const drop = object =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined && value !== null));

const TEXTS = ['text', 'input_text', 'output_text'];

const textOf = content =>
  typeof content === 'string'
    ? content
    : (content ?? [])
        .filter(({ type }) => TEXTS.includes(type))
        .map(({ text }) => text)
        .join('');

/** The arguments of a call, or their text when it is none of JSON. */
const parsed = args => {
  try {
    return JSON.parse(args);
  } catch {
    return args;
  }
};

const isEmpty = list => list === undefined || list === null || list.length === 0;

function neutral({ model, messages, tools, tool_choice, response_format, max_tokens, ...rest }) {
  const parameters = PARAMETERS.map(name => [name, rest[name]]);
  return drop({
    model,
    messages: messages.map(drop),
    tools: isEmpty(tools)
      ? undefined
      : tools.map(({ name, description, parameters }) => drop({ name, description, parameters })),
    tool_choice,
    response_format,
    max_tokens,
    ...Object.fromEntries(parameters),
  });
}

/** The body of a request to OpenAI. */
export function fromOpenai(body) {
  return neutral({
    ...body,
    max_tokens: body.max_tokens ?? body.max_completion_tokens,
    messages: body.messages.map(({ role, content, tool_calls, tool_call_id }) => ({
      role: role === 'developer' ? 'system' : role,
      text: textOf(content),
      calls: tool_calls?.map(({ id, function: { name, arguments: args } }) => ({ name, args: parsed(args), id })),
      result_of: tool_call_id,
    })),
    tools: body.tools?.map(({ function: { name, description, parameters } }) => ({ name, description, parameters })),
    response_format: formatOf(body.response_format),
  });
}

/** The body of a request to OpenAI's responses. */
export function fromResponses(body) {
  const messages = [];
  for (const { type, role, content, call_id, name, arguments: args, output } of body.input) {
    if (type === 'function_call_output') messages.push({ role: 'tool', text: textOf(output), result_of: call_id });
    else if (type !== 'function_call') messages.push({ role, text: textOf(content) });
    else {
      // What a model said and the calls that it made are items side by side.
      if (messages.at(-1).role !== 'assistant') messages.push({ role: 'assistant', text: '' });
      const { calls = [] } = messages.at(-1);
      messages.at(-1).calls = [...calls, { name, args: parsed(args), id: call_id }];
    }
  }
  return neutral({
    ...body,
    messages,
    max_tokens: body.max_output_tokens,
    response_format: formatOf(body.text?.format),
  });
}

/** The body of a request to Anthropic. */
export function fromAnthropic(body) {
  const system = body.system === undefined ? [] : [{ role: 'system', text: textOf(body.system) }];
  const messages = body.messages.flatMap(({ role, content }) => {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    const results = blocks.filter(({ type }) => type === 'tool_result');
    if (results.length > 0) {
      return results.map(result => ({ role: 'tool', text: textOf(result.content), result_of: result.tool_use_id }));
    }
    const calls = blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ name, input, id }) => ({ name, args: input, id }));
    return [{ role, text: textOf(blocks), calls: isEmpty(calls) ? undefined : calls }];
  });
  return neutral({
    ...body,
    messages: [...system, ...messages],
    tools: body.tools?.map(({ name, description, input_schema }) => ({ name, description, parameters: input_schema })),
    response_format: formatOf(body.output_config?.format ?? body.output_format),
  });
}

const ROLES = { human: 'user', ai: 'assistant', system: 'system', tool: 'tool' };

/** A recorded request. */
export function fromRecorded({ model_id, messages, tool_schemas, response_format, ...rest }) {
  return neutral({
    ...rest,
    model: model_id,
    messages: messages.map(({ role, content, tool_calls, tool_call_id }) => ({
      role: ROLES[role] ?? role,
      text: textOf(content),
      calls: tool_calls?.map(({ name, args, id }) => ({ name, args, id })),
      result_of: tool_call_id,
    })),
    tools: tool_schemas,
    response_format: formatOf(response_format),
  });
}

function formatOf(format) {
  if (format === undefined || format === null || format.type === 'text') return undefined;
  const { name, schema } = format.json_schema ?? format;
  return drop({ type: format.type, name, schema });
}

/** A recorded answer of a model. */
export const answerRecorded = ({ content, tool_calls = [] }) => ({
  text: textOf(content),
  calls: tool_calls.map(({ name, args, id }) => ({ name, args, id })),
});

export function fromBody(body) {
  if ('input' in body) return fromResponses(body);
  return body.model.startsWith('claude') ? fromAnthropic(body) : fromOpenai(body);
}
