// The hashing specification in plain JavaScript: the twin that the native core is compared with.
// It favours the order and the words of the specification over speed.
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { descend, failure, failures, isObject, lengthOf } from './walk.mjs';

export const HASH_VERSION = 3;

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

const sha256 = data => createHash('sha256').update(data).digest('hex');
const versioned = text => sha256(`${HASH_VERSION}\0${text}`);

function expectText(value) {
  if (typeof value !== 'string') throw failure(TypeError, 'TEXT', 'expected a string');
}

/** T(text). */
export function normalizeText(text) {
  expectText(text);
  const media = DATA_URL.exec(text)?.[1] ?? (text.length >= BASE64_MIN_LENGTH && BASE64.test(text) ? text : undefined);
  if (media !== undefined) return `sha256:${sha256(Buffer.from(media, 'base64'))}`;

  const pieces = text.normalize('NFC').replace(/\r\n?/g, '\n').split(FENCE);
  // The split captures its separators, so every second piece is a fence.
  const lines = pieces
    .map((piece, index) => (index % 2 === 1 ? piece : collapse(piece)))
    .join('')
    .split('\n');
  const filled = line => line.trim() !== '';
  const first = lines.findIndex(filled);
  return first < 0 ? '' : lines.slice(first, lines.findLastIndex(filled) + 1).join('\n');
}

const collapse = piece =>
  piece
    .split('\n')
    .map(line => line.replace(/\s+/g, ' ').trimEnd())
    .join('\n');

/** N with its table of ordinals. `depth` and `path` as for a walk. */
function normalizer(path) {
  const ordinals = new Map();
  const ordinal = id => {
    if (!ordinals.has(id)) ordinals.set(id, `call_${ordinals.size}`);
    return ordinals.get(id);
  };
  const scalar = value => (typeof value === 'string' ? normalizeText(value) : value);

  function* elements(array) {
    const length = lengthOf(array);
    const copy = new Array(length);
    for (let index = 0; index < length; index++) {
      if (!(index in array)) continue;
      const element = array[index];
      path.push(index);
      copy[index] = isObject(element) ? yield container(element) : scalar(element);
      path.pop();
    }
    return copy;
  }

  function* members(object) {
    const copy = [];
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

  const container = value => (Array.isArray(value) ? elements(value) : members(value));
  return (value, depth) => (isObject(value) ? descend(container(value), depth, path) : scalar(value));
}

/** canonical(request). */
export function canonical(request) {
  const path = [];
  const normalize = normalizer(path);
  const field = (name, value) => {
    path.push(name);
    const result = normalize(value, 1);
    path.pop();
    return result;
  };

  if (request === null || request === undefined) {
    throw failure(TypeError, 'REQUEST', 'expected a request, found null or undefined', path);
  }
  const { kind } = request;
  if (kind === 'tool') return { kind, tool_name: request.tool_name, args: field('args', request.args) };
  if (kind !== 'model') return { kind, counter: request.counter };

  const form = {
    kind,
    provider: request.provider,
    model_id: request.model_id,
    messages: field('messages', request.messages),
  };
  const { system_prompt_sha } = request;
  if (system_prompt_sha !== undefined) form.system_prompt_sha = system_prompt_sha;
  const { tool_schemas } = request;
  if (tool_schemas !== undefined) form.tool_schemas = field('tool_schemas', sortedByName(tool_schemas));
  for (const name of OPTIONAL) {
    const value = request[name];
    if (value !== null && value !== undefined) form[name] = field(name, value);
  }
  return form;
}

function sortedByName(schemas) {
  if (typeof schemas?.[Symbol.iterator] !== 'function') {
    throw failure(TypeError, 'TOOL_SCHEMAS', 'expected an iterable of tool schemas', ['tool_schemas']);
  }
  return [...schemas].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** The text that npm `canonicalize` 2.1 gives for a value, or `undefined`. It writes the scalars itself. */
export function jcs(value) {
  const path = [];
  return isObject(value) ? descend(writing(value, path), 0, path) : scalarText(value, path);
}

function scalarText(value, path) {
  if (typeof value === 'bigint') throw failure(TypeError, 'BIGINT', 'a BigInt has no canonical text', path);
  if (Number.isNaN(value)) throw failure(Error, 'NAN', 'NaN is not allowed', path);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw failure(Error, 'INFINITY', 'Infinity is not allowed', path);
  }
  return canonicalize(value);
}

const isAbsent = value => value === undefined || typeof value === 'symbol';

function* writing(container, path) {
  if (container.toJSON instanceof Function) {
    const standIn = container.toJSON();
    return isObject(standIn) ? yield writing(standIn, path) : scalarText(standIn, path);
  }
  return Array.isArray(container) ? yield* writingArray(container, path) : yield* writingObject(container, path);
}

function* writingArray(array, path) {
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

function* writingObject(object, path) {
  let text = '';
  for (const key of Object.keys(object).sort()) {
    const member = object[key];
    if (isAbsent(member)) continue;
    path.push(key);
    text += `${text === '' ? '' : ','}${canonicalize(key)}:`;
    text += isObject(member) ? yield writing(member, path) : scalarText(member, path);
    path.pop();
  }
  return `{${text}}`;
}

export function reqHash(request) {
  return versioned(jcs(canonical(request)));
}

export function stateHash(value) {
  const text = jcs(normalizer([])(value, 0));
  if (text === undefined) throw failure(Error, 'NOT_JSON', 'stateHash: value is not JSON', []);
  return `sha256:${versioned(text)}`;
}

function parse(text) {
  expectText(text);
  try {
    return JSON.parse(text);
  } catch {
    // The engine's own message quotes the text.
    throw failure(SyntaxError, 'SYNTAX', 'not JSON');
  }
}

export const reqHashJson = text => reqHash(parse(text));
export const stateHashJson = text => stateHash(parse(text));

export function reqHashMany(requests) {
  const hashes = [];
  for (const request of requests) {
    try {
      hashes.push(reqHash(request));
    } catch (error) {
      if (failures.has(error)) error.pointer = `/${hashes.length}${error.pointer}`;
      throw error;
    }
  }
  return hashes;
}
