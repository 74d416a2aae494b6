// The hashing specification in plain JavaScript: what hashes where there is no addon, and the twin that the native core
// is compared with. It favours the order and the words of the specification over speed.
import crypto = require('node:crypto');

import type { RewindRequest } from '../request.js' with { 'resolution-mode': 'import' };

import errors = require('./errors.cjs');
import walk = require('./walk.cjs');

const { error, failure } = errors;
const { descend, isObject, lengthOf, MAX_ARRAY_LENGTH } = walk;

type Path = (string | number)[];
type Fields = Record<string, unknown>;
interface Walk extends Generator<Walk, unknown, unknown> {}

const HASH_VERSION = 3;

const DROPPED = new Set([
  'request_id',
  'idempotency_key',
  'timestamp',
  'created',
  'created_at',
  'latency_ms',
  'traceparent',
  'tracestate',
  'trace_id',
  'span_id',
  'user-agent',
  'user_agent',
  'retry_count',
  'sdk_version',
  'x-api-key',
  'api_key',
  'apikey',
  'authorization',
  'stream',
]);
const IDS = new Set(['id', 'message_id', 'tool_call_id', 'tool_use_id', 'call_id', 'correlation_id']);
const OPTIONAL = ['response_format', 'temperature', 'top_p', 'top_k', 'seed', 'max_tokens', 'tool_choice'];

const DATA_URL = /^data:[^;,]*;base64,([A-Za-z0-9+/=\s]+)$/;
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}$/;
const BASE64_MIN_LENGTH = 1024;
const FENCE = /(```.*?(?:```|$))/s;

const sha256 = (data: string | Buffer): string => crypto.createHash('sha256').update(data).digest('hex');
const versioned = (text: string): string => sha256(`${HASH_VERSION}\0${text}`);

/** T(text). */
function normalizeText(text: string): string {
  if (typeof text !== 'string') throw error('ERR_TAPEPROOF_TEXT');
  const media = DATA_URL.exec(text)?.[1] ?? (text.length >= BASE64_MIN_LENGTH && BASE64.test(text) ? text : undefined);
  if (media !== undefined) return `sha256:${sha256(Buffer.from(media, 'base64'))}`;

  const pieces = text.normalize('NFC').replace(/\r\n?/g, '\n').split(FENCE);
  // The split captures its separators, so every second piece is a fence.
  const lines = pieces
    .map((piece, index) => (index % 2 === 1 ? piece : collapse(piece)))
    .join('')
    .split('\n');
  const filled = (line: string): boolean => line.trim() !== '';
  const first = lines.findIndex(filled);
  return first < 0 ? '' : lines.slice(first, lines.findLastIndex(filled) + 1).join('\n');
}

const collapse = (piece: string): string =>
  piece
    .split('\n')
    .map(line => line.replace(/\s+/g, ' ').trimEnd())
    .join('\n');

/** N with its table of ordinals. `depth` and `path` as for a walk. */
function normalizer(path: Path): (value: unknown, depth: number) => unknown {
  const ordinals = new Map<string, string>();
  const ordinal = (id: string): string => {
    const known = ordinals.get(id) ?? `call_${ordinals.size}`;
    ordinals.set(id, known);
    return known;
  };
  const scalar = (value: unknown): unknown => (typeof value === 'string' ? normalizeText(value) : value);

  function* elements(array: readonly unknown[]): Walk {
    const length = lengthOf(array);
    if (length > MAX_ARRAY_LENGTH) throw failure('ERR_TAPEPROOF_MEMORY', path);
    const copy = new Array<unknown>(length);
    for (let index = 0; index < length; index++) {
      if (!(index in array)) continue;
      const element = array[index];
      path.push(index);
      copy[index] = isObject(element) ? yield container(element) : scalar(element);
      path.pop();
    }
    return copy;
  }

  function* members(object: object): Walk {
    const copy: [string, unknown][] = [];
    for (const [key, raw] of Object.entries(object)) {
      if (raw === null || raw === undefined) continue;
      const folded = key.toLowerCase();
      if (DROPPED.has(folded)) continue;
      path.push(key);
      const kept =
        IDS.has(folded) && typeof raw === 'string' ? ordinal(raw) : isObject(raw) ? yield container(raw) : scalar(raw);
      path.pop();
      // The value of an own `__proto__` has taken its ordinals; now it goes.
      if (key !== '__proto__') copy.push([key, kept]);
    }
    return Object.fromEntries(copy);
  }

  const container = (value: object): Walk => (Array.isArray(value) ? elements(value) : members(value));
  return (value, depth) => (isObject(value) ? descend(container(value), depth, path) : scalar(value));
}

/** canonical(request). */
function canonical(request: RewindRequest): Fields {
  const path: Path = [];
  const normalize = normalizer(path);
  const field = (name: string, value: unknown): unknown => {
    path.push(name);
    const result = normalize(value, 1);
    path.pop();
    return result;
  };

  if (request === null || request === undefined) throw failure('ERR_TAPEPROOF_REQUEST', path);
  const fields: Fields = request as object as Fields;
  const kind = fields['kind'];
  if (kind === 'tool') return { kind, tool_name: fields['tool_name'], args: field('args', fields['args']) };
  if (kind !== 'model') return { kind, counter: fields['counter'] };

  const form: Fields = {
    kind,
    provider: fields['provider'],
    model_id: fields['model_id'],
    messages: field('messages', fields['messages']),
  };
  const prompt = fields['system_prompt_sha'];
  if (prompt !== undefined) form['system_prompt_sha'] = prompt;
  const tool_schemas = fields['tool_schemas'];
  if (tool_schemas !== undefined) form['tool_schemas'] = field('tool_schemas', sortedByName(tool_schemas));
  for (const name of OPTIONAL) {
    const value = fields[name];
    if (value !== null && value !== undefined) form[name] = field(name, value);
  }
  return form;
}

function sortedByName(schemas: unknown): unknown[] {
  const { [Symbol.iterator]: iterate } = (schemas ?? {}) as Partial<Iterable<unknown>>;
  if (typeof iterate !== 'function') throw failure('ERR_TAPEPROOF_TOOL_SCHEMAS', ['tool_schemas']);
  return [...(schemas as Iterable<{ name: string }>)].sort((a, b) => {
    if (a === null || b === null) throw failure('ERR_TAPEPROOF_TOOL_SCHEMAS', ['tool_schemas']);
    return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
  });
}

/** The text that npm `canonicalize` 2.1 gives for a value, or `undefined`. */
function jcs(value: unknown): string | undefined {
  const path: Path = [];
  return isObject(value) ? (descend(writing(value, path), 0, path) as string | undefined) : scalarText(value, path);
}

function scalarText(value: unknown, path: Path): string | undefined {
  if (typeof value === 'bigint' && typeof (value as { toJSON?: unknown }).toJSON !== 'function')
    throw failure('ERR_TAPEPROOF_BIGINT', path);
  if (Number.isNaN(value)) throw failure('ERR_TAPEPROOF_NAN', path);
  if (typeof value === 'number' && !Number.isFinite(value)) throw failure('ERR_TAPEPROOF_INFINITY', path);
  return JSON.stringify(value);
}

const isAbsent = (value: unknown): boolean => value === undefined || typeof value === 'symbol';

function* writing(container: object, path: Path): Walk {
  const { toJSON } = container as { toJSON?: unknown };
  if (toJSON instanceof Function) {
    const standIn: unknown = toJSON.call(container);
    return isObject(standIn) ? yield writing(standIn, path) : scalarText(standIn, path);
  }
  return Array.isArray(container) ? yield* writingArray(container, path) : yield* writingObject(container, path);
}

function* writingArray(array: readonly unknown[], path: Path): Walk {
  const length = lengthOf(array);
  let text = '';
  for (let index = 0; index < length; index++) {
    // A hole prints nothing, not even its comma.
    if (!(index in array)) continue;
    const element = array[index];
    path.push(index);
    text += index === 0 ? '' : ',';
    text += isAbsent(element) ? 'null' : isObject(element) ? yield writing(element, path) : scalarText(element, path);
    path.pop();
  }
  return `[${text}]`;
}

function* writingObject(object: object, path: Path): Walk {
  let text = '';
  for (const key of Object.keys(object).sort()) {
    const member = (object as Fields)[key];
    if (isAbsent(member)) continue;
    path.push(key);
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:`;
    text += isObject(member) ? yield writing(member, path) : scalarText(member, path);
    path.pop();
  }
  return `{${text}}`;
}

function reqHash(request: RewindRequest): string {
  return versioned(jcs(canonical(request)) as string);
}

function stateHash(value: unknown): string {
  const text = jcs(normalizer([])(value, 0));
  if (text === undefined) throw failure('ERR_TAPEPROOF_NOT_JSON', []);
  return `sha256:${versioned(text)}`;
}

function parse(text: string) {
  if (typeof text !== 'string') throw error('ERR_TAPEPROOF_TEXT');
  try {
    return JSON.parse(text);
  } catch {
    // The engine's own message quotes the text.
    throw error('ERR_TAPEPROOF_SYNTAX');
  }
}

const reqHashJson = (text: string): string => reqHash(parse(text));
const stateHashJson = (text: string): string => stateHash(parse(text));

export = { HASH_VERSION, canonical, jcs, normalizeText, reqHash, reqHashJson, stateHash, stateHashJson };
