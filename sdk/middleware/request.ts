// What a model is asked, in the terms of a ModelRequest.
import { isThenable } from '../log.js';
import type { Message, ModelRequest } from '../request.js';
import { isObject, type Live, type Method } from './live.js';
import { asked, isMessage, plain } from './plain.js';
import { toolSchemas } from './schemas.js';

/** The parameters that count, each with the names that frameworks and providers have for it. */
const PARAMETERS = {
  temperature: ['temperature'],
  top_p: ['top_p', 'topP'],
  top_k: ['top_k', 'topK'],
  seed: ['seed'],
  max_tokens: ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxTokens', 'maxOutputTokens'],
  tool_choice: ['tool_choice', 'toolChoice'],
  response_format: ['response_format', 'responseFormat', 'output_format'],
} as const;

/**
 * A call of a model with this input. `params` is what the model would send; one that does not say is asked for its
 * options and its fields.
 */
export function modelRequest(model: Live, input: unknown, options: unknown, params: Live = {}): ModelRequest {
  const own = isObject(options) ? options : {};
  const sources = Object.keys(params).length > 0 ? [params] : [own, model];
  const tools = params['tools'] ?? own['tools'];
  const request: ModelRequest = {
    kind: 'model',
    provider: providerOf(model),
    model_id: modelId(typeof params['model'] === 'string' ? params : model),
    messages: messagesOf(input),
    ...(Array.isArray(tools) && tools.length > 0 && { tool_schemas: toolSchemas(tools) }),
  };
  for (const [name, aliases] of Object.entries(PARAMETERS)) {
    const value = find(sources, aliases) ?? (name === 'response_format' ? nestedFormat(params) : undefined);
    if (value !== undefined) Object.assign(request, { [name]: plain(value) });
  }
  return request;
}

export function providerOf(model: Live): string {
  const type: unknown = typeof model['_llmType'] === 'function' ? model['_llmType']() : undefined;
  return typeof type === 'string' ? type : 'unknown';
}

export function modelId({ model, modelName }: Live): string {
  if (typeof model === 'string') return model;
  return typeof modelName === 'string' ? modelName : 'unknown';
}

/** What `model` sends beside the messages when this primitive is called with these options. */
export function sentParams(model: Live, primitive: string, options: unknown): Live {
  const sender = senderOf(model, primitive, options);
  if (typeof sender['invocationParams'] !== 'function') return {};
  let params: unknown;
  try {
    params = sender['invocationParams'](options);
  } catch {
    // The model is about to throw the same, which is recorded.
  }
  // Nobody else waits for what a call of ours gives.
  if (isThenable(params)) params.then(undefined, () => {});
  if (!isObject(params)) return {};
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
}

/** ChatOpenAI has a model of its own for each API; only its streams go there with its default options. */
function senderOf(model: Live, primitive: string, options: unknown): Live {
  const { completions, responses, _useResponsesApi } = model;
  if (primitive !== '_generate' || typeof _useResponsesApi !== 'function') return model;
  const sender = (_useResponsesApi as Method).call(model, options) ? responses : completions;
  return isObject(sender) ? sender : model;
}

function find(sources: readonly Live[], names: readonly string[]): unknown {
  for (const source of sources) {
    for (const name of names) {
      const value = source[name];
      if (value !== undefined && value !== null) return value;
    }
  }
  return undefined;
}

/** OpenAI's responses and Anthropic's messages have the format within another parameter. */
function nestedFormat({ text, output_config }: Live): unknown {
  for (const outer of [text, output_config]) if (isObject(outer) && outer['format']) return outer['format'];
  return undefined;
}

function messagesOf(input: unknown): Message[] {
  if (Array.isArray(input)) return input.map(asked);
  // A prompt value.
  if (isObject(input) && !isMessage(input) && typeof input['toChatMessages'] === 'function') {
    return messagesOf(input['toChatMessages']());
  }
  return [asked(input)];
}
