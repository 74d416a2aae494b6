// What a model answered: the message that its caller gets, and what it used.
import type { Usage } from '../schema.js';
import { isObject, type Live } from './live.js';
import { answered, plain } from './plain.js';

export interface Answer {
  readonly response: unknown;
  readonly usage?: Usage | null;
  readonly model_version?: string | null;
}

/** The answer that is this value: a message, or whatever a model of one's own returns. */
export function answerOf(value: unknown): Answer {
  const response = plain(value);
  return isObject(response) ? fromMessage(response) : { response };
}

/** What a tool gave. */
export const resultOf = (value: unknown): Answer => ({ response: plain(value) });

/** The answer of `_generate`. */
export function answerOfResult(result: unknown): Answer {
  const { generations = [], llmOutput } = (isObject(result) ? result : {}) as {
    generations?: unknown;
    llmOutput?: unknown;
  };
  // A model for text answers a list of prompts.
  const list = (Array.isArray(generations) ? generations : []).flat() as Live[];
  const answers = list.map(generation => answerOfGeneration(generation, list.length === 1 ? llmOutput : undefined));
  const [only] = answers;
  if (only && answers.length === 1) return only;
  return { ...only, response: answers.map(({ response }) => response) };
}

/** The answer that is one generation, also one put together from chunks. */
export function answerOfGeneration(generation: Live, llmOutput?: unknown): Answer {
  const { message, generationInfo, text } = generation;
  if (!isObject(message)) return { response: plain(text) };
  const copy = answered(message);
  const metadata = [llmOutput, generationInfo, copy['response_metadata']].map(plain);
  return fromMessage({ ...copy, response_metadata: Object.assign({}, ...metadata) });
}

/** The answer that is this message, copied already. */
export function fromMessage(message: Live): Answer {
  const { usage_metadata: usage, response_metadata } = message;
  const metadata = isObject(response_metadata) ? response_metadata : {};
  const version = metadata['model_name'] ?? metadata['model'];
  return {
    response: message,
    usage: isObject(usage) ? usageOf(usage) : null,
    model_version: typeof version === 'string' ? version : null,
  };
}

function usageOf(usage: Live): Usage | null {
  const [input_tokens, output_tokens] = [count(usage['input_tokens']), count(usage['output_tokens'])];
  const total_tokens = typeof usage['total_tokens'] === 'number' ? usage['total_tokens'] : input_tokens + output_tokens;
  return { input_tokens, output_tokens, total_tokens };
}

const count = (value: unknown): number => (typeof value === 'number' ? value : 0);
