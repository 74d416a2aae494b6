// Copies of the framework's values as plain data: what is copied cannot change any more, and holds no live object.
import { types } from 'node:util';
import { isObject, isRunnable, type Live } from './live.js';
import { isLiveSchema, jsonSchemaOf } from './live-schema.js';

/** A copy of a value, with messages as they are recorded. */
export function plain(value: unknown): unknown {
  if (typeof value === 'function') return undefined;
  if (!isObject(value)) return value;
  if (Array.isArray(value)) return value.map(plain);
  if (isMessage(value)) return answered(value);
  if (isLiveSchema(value)) return plain(jsonSchemaOf(value));
  // A model among the values has its keys in its fields.
  if (isRunnable(value)) return { runnable: typeof value['getName'] === 'function' ? value['getName']() : 'unknown' };
  const serializable = 'lc_serializable' in value;
  if (!(serializable || 'lg_name' in value)) {
    const told = toldOf(value);
    if (told !== value) return plain(told);
  }
  const copy: Live = {};
  for (const [key, member] of Object.entries(value)) {
    if (!(serializable && key.startsWith('lc_'))) define(copy, key, plain(member));
  }
  return copy;
}

/** What is in a value whose fields do not tell it; the value itself when they do. */
function toldOf(value: Live): unknown {
  if (ArrayBuffer.isView(value)) return bytes(value.buffer, value.byteOffset, value.byteLength);
  if (types.isAnyArrayBuffer(value)) return bytes(value, 0, value.byteLength);
  if (types.isMap(value)) return [...value.entries()];
  if (types.isSet(value)) return [...value];
  if (types.isRegExp(value)) return String(value);
  if (types.isBoxedPrimitive(value)) return value.valueOf();
  if (types.isNativeError(value)) return Object.assign({ name: value.name, message: value.message }, value);
  // Also that of a Date, or of a URL.
  return typeof value['toJSON'] === 'function' ? value['toJSON']() : value;
}

const bytes = (buffer: ArrayBufferLike, offset: number, length: number): string =>
  `data:application/octet-stream;base64,${Buffer.from(buffer, offset, length).toString('base64')}`;

function define(copy: Live, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(copy, key, { value, enumerable: true });
  else copy[key] = value;
}

/** A message, known by its mark or by its methods. */
export function isMessage(value: unknown): boolean {
  if (!isObject(value) || !('content' in value)) return false;
  if (value[Symbol.for('langchain.message')] === true) return true;
  return typeof value['_getType'] === 'function' || typeof value['getType'] === 'function';
}

interface Flat {
  role: string;
  content: unknown;
  [key: string]: unknown;
}

/** A message of a request. */
export function asked(message: unknown): Flat {
  if (!isObject(message)) return { role: 'user', content: message };
  // A pair of role and content.
  if (Array.isArray(message)) return { role: String(message[0]), content: plain(message[1]) };
  const flat = flattened(message);
  if (flat.role !== 'ai') return flat;
  const whole = { ...flat, ...misspoken(message, flat) };
  return { ...whole, content: spoken(whole) };
}

/** A message of a response, with all that is known of it. */
export function answered(message: Live): Flat {
  const rest = ['status', 'artifact', 'invalid_tool_calls', 'usage_metadata', 'response_metadata', 'additional_kwargs'];
  return { ...flattened(message), ...present(message, rest) };
}

function flattened(message: Live): Flat {
  const flat = { role: roleOf(message), content: plain(message['content']) };
  return { ...flat, ...present(message, ['tool_calls', 'tool_call_id', 'name', 'id']) };
}

/** Calls that nobody could read, and one in the form that was before tools: where there are no others, OpenAI is sent them. */
function misspoken(message: Live, { tool_calls }: Flat): Live {
  if (tool_calls) return {};
  const { invalid_tool_calls: calls, additional_kwargs: kwargs } = message;
  return {
    ...(Array.isArray(calls) && calls.length > 0 && { invalid_tool_calls: calls.map(call => present(call, CALL)) }),
    ...(isObject(kwargs) && present(kwargs, ['function_call'])),
  };
}

const CALL = ['name', 'args', 'id'];

/** How content says what `tool_calls` says too. */
const CALLS = new Set(['tool_use', 'input_json_delta', 'tool_call', 'tool_call_chunk', 'invalid_tool_call']);

/**
 * What a model said earlier, in one form: one that was streamed, or told in events, comes in other blocks than one that
 * was waited for, and the provider is sent the same.
 */
function spoken({ content, tool_calls, invalid_tool_calls }: Flat): unknown {
  if (!Array.isArray(content)) return content;
  const calls = tool_calls ?? invalid_tool_calls;
  const blocks = content
    .filter(block => !(calls && isObject(block) && CALLS.has(String(block['type']))))
    .map(block => (isObject(block) && !Array.isArray(block) ? bare(block) : block));
  const texts = blocks.map(block => (isText(block) ? block['text'] : undefined));
  return texts.includes(undefined) ? blocks : texts.join('');
}

/** A block without its place in a stream, and without what is empty. */
const bare = ({ index, ...block }: Live): Live =>
  Object.fromEntries(Object.entries(block).filter(([, value]) => value !== undefined && !isEmpty(value)));

const isText = (block: unknown): block is Live =>
  isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string' && Object.keys(block).length === 2;

function present(message: Live, names: readonly string[]): Live {
  const copy: Live = {};
  for (const name of names) {
    const value = message[name];
    if (value !== undefined && value !== null && !isEmpty(value)) copy[name] = plain(value);
  }
  return copy;
}

/** Messages of one origin have an empty list where others have none. */
const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

function roleOf(message: Live): string {
  const { role } = message;
  const type = typeOf(message);
  // A ChatMessage, whose role may be anything.
  if (type === 'generic' && typeof role === 'string') return role;
  return type ?? (typeof role === 'string' ? role : 'user');
}

function typeOf(message: Live): string | undefined {
  for (const name of ['getType', '_getType']) {
    const method = message[name];
    const type: unknown = typeof method === 'function' ? method.call(message) : undefined;
    if (typeof type === 'string') return type;
  }
  return typeof message['type'] === 'string' ? message['type'] : undefined;
}
