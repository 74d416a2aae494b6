// A call as an event of a record writes it, and read back from there.
import { isObject } from '../json.js';
import type { Cassette, StepKind } from '../schema.js';

/** A question and its answer, as they were recorded. */
export interface Call {
  request: unknown;
  response: unknown;
}

type Fields = Record<string, unknown>;

/** The kinds of steps that are events of type `env`, and what they are called there. */
const ENV_KINDS: ReadonlyMap<string, string> = new Map([
  ['clock', 'clock'],
  ['rng', 'random'],
  ['human', 'human'],
  ['env', 'env'],
]);

/** The members of an event that are the call; nothing for a kind that is not known. */
export function writeCall(
  kind: StepKind,
  request: unknown,
  response: unknown,
  { provider, model_version = null, request: text }: Cassette,
): Fields | undefined {
  const asked = isObject(request) ? request : undefined;
  if (kind === 'model') {
    const { kind: _, provider: asking = provider, model_id = null, ...rest } = asked ?? {};
    return {
      type: 'llm',
      model: { provider: asking, model_id, model_version },
      request: asked ? writeModelRequest(rest) : request,
      response: writeAnswer(response),
    };
  }
  if (kind === 'tool') {
    return {
      type: 'tool',
      tool_name: asked?.['tool_name'] ?? null,
      tool_call_id: asked?.['tool_call_id'] ?? null,
      input: asked ? (asked['args'] ?? null) : request,
      output: response,
    };
  }
  const env = ENV_KINDS.get(kind);
  return env === undefined ? undefined : { type: 'env', kind: env, key: text, output: response };
}

function writeModelRequest({ system = null, messages = null, tool_schemas = null, ...params }: Fields): Fields {
  return { system, messages, tools: tool_schemas, params };
}

/** What a model answered: the parts that have names in a record, and all of it as it was recorded. */
function writeAnswer(response: unknown): unknown {
  if (response === null) return null;
  if (typeof response === 'string') return { text: response, reasoning: null, finish_reason: null, tool_calls: [] };
  const whole = isObject(response) ? response : {};
  const message = isObject(whole['message']) ? whole['message'] : whole;
  const metadata = [message, message['response_metadata'], whole['generationInfo']].filter(isObject);
  const reasons = metadata.flatMap(({ finish_reason, stop_reason }) => [finish_reason, stop_reason]);
  return {
    text: textOf(message['text']) ?? textOf(message['content']) ?? null,
    reasoning: textOf(message['reasoning']) ?? blocks(message['content'], 'reasoning', 'thinking') ?? null,
    finish_reason: reasons.find(reason => typeof reason === 'string') ?? null,
    tool_calls: Array.isArray(message['tool_calls']) ? message['tool_calls'].map(writeToolCall) : [],
    recorded: response,
  };
}

const textOf = (content: unknown): string | undefined =>
  typeof content === 'string' ? content : blocks(content, 'text', 'text');

/** The text of all blocks of a type, which have it under `type` or another name. */
function blocks(content: unknown, type: string, other: string): string | undefined {
  if (!Array.isArray(content)) return undefined;
  const texts = content
    .filter(isObject)
    .filter(block => block['type'] === type || block['type'] === other)
    .map(block => block[type] ?? block[other])
    .filter(text => typeof text === 'string');
  return texts.length > 0 ? texts.join('') : undefined;
}

function writeToolCall(call: unknown): Fields {
  const { id = null, name = null, args = null } = isObject(call) ? call : {};
  return { tool_call_id: id, tool_name: name, input: args };
}

/** The call that an event is; nothing for an event of another type. */
export function readCall(event: Fields): Call | undefined {
  switch (event['type']) {
    case 'llm':
      return { request: readModelRequest(event), response: readAnswer(event['response']) };
    case 'tool': {
      const { tool_name, input, output = null } = event;
      return { request: { kind: 'tool', tool_name, args: input }, response: output };
    }
    case 'env': {
      const { kind, key, output = null } = event;
      return {
        request: { kind: 'tool', tool_name: kind, args: typeof key === 'string' ? heldBy(key) : key },
        response: output,
      };
    }
    default:
      return undefined;
  }
}

function readModelRequest({ model, request }: Fields): Fields {
  const { provider, model_id } = isObject(model) ? model : {};
  if (!isObject(request)) return { kind: 'model', provider, model_id, messages: request };
  const { system, messages, tools, params } = request;
  return {
    ...(isObject(params) ? params : {}),
    kind: 'model',
    provider,
    model_id,
    messages:
      system === null || system === undefined ? messages : [{ role: 'system', content: system }, messages].flat(),
    ...(tools !== null && tools !== undefined && { tool_schemas: tools }),
  };
}

const readAnswer = (response: unknown): unknown => {
  if (!isObject(response)) return response ?? null;
  if ('recorded' in response) return response['recorded'];
  const { text, reasoning, finish_reason, tool_calls, ...others } = response;
  const isTextAlone =
    reasoning === null && finish_reason === null && Array.isArray(tool_calls) && tool_calls.length === 0;
  return isTextAlone && Object.keys(others).length === 0 ? text : response;
};

/** The value of a text that may be JSON. */
function heldBy(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
