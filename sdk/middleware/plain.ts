// Copies of the framework's values as plain data: what is copied cannot change any more, and holds no live object.
import { isObject, isRunnable, type Live } from './live.js';

/** A copy of a value, with messages as they are recorded. */
export function plain(value: unknown): unknown {
  if (typeof value === 'function') return undefined;
  if (!isObject(value)) return value;
  if (Array.isArray(value)) return value.map(plain);
  if (isMessage(value)) return answered(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (ArrayBuffer.isView(value)) {
    const { buffer, byteOffset, byteLength } = value;
    return `data:application/octet-stream;base64,${Buffer.from(buffer, byteOffset, byteLength).toString('base64')}`;
  }
  // A model among the values has its keys in its fields.
  if (isRunnable(value)) return { runnable: typeof value['getName'] === 'function' ? value['getName']() : 'unknown' };
  const copy: Live = {};
  const serializable = 'lc_serializable' in value;
  for (const [key, member] of Object.entries(value)) {
    if (!(serializable && key.startsWith('lc_'))) define(copy, key, plain(member));
  }
  return copy;
}

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

/** A message of a request. */
export function asked(message: unknown): { role: string; content: unknown; [key: string]: unknown } {
  if (!isObject(message)) return { role: 'user', content: message };
  // A pair of role and content.
  if (Array.isArray(message)) return { role: String(message[0]), content: plain(message[1]) };
  const copy = { role: roleOf(message), content: plain(message['content']) };
  return { ...copy, ...present(message, ['tool_calls', 'tool_call_id', 'name', 'id']) };
}

/** A message of a response, with all that is known of it. */
export function answered(message: Live): Live {
  const rest = ['status', 'artifact', 'invalid_tool_calls', 'usage_metadata', 'response_metadata', 'additional_kwargs'];
  return { ...asked(message), ...present(message, rest) };
}

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
