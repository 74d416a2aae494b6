import { canonicalText } from './canonical.js';
import { beginRequest, endRequest, errorHere, framed, type Use, writeField, writeRawField, writeValue } from './frame.js';
import { type CanonicalObject, session } from './native.js';
import type { RewindRequest } from './request.js';

/** The version of the hashing rules. A hash means something only beside the version it was made under. */
export const HASH_VERSION = 3;

/**
 * The identity of a call: SHA-256 over its canonical form, as 64 lowercase hex digits.
 *
 * Keys in another order, new ids, timestamps, trace headers, API keys and white space outside code fences do not change
 * it; a word, a tool's parameter or the temperature does.
 *
 * @throws {TypeError} `ERR_TAPEPROOF_REQUEST`, `ERR_TAPEPROOF_TOOL_SCHEMAS`, `ERR_TAPEPROOF_BIGINT`
 * @throws {RangeError} `ERR_TAPEPROOF_DEPTH` for a cycle or nesting beyond 2048, `ERR_TAPEPROOF_MEMORY`
 * @throws {Error} `ERR_TAPEPROOF_NAN`, `ERR_TAPEPROOF_INFINITY`
 */
export function reqHash(request: RewindRequest): string {
  return framed(request, writeRequest, hashRequest);
}

/**
 * The same canonicalization over any value: `sha256:` and 64 lowercase hex digits.
 *
 * @throws as {@link reqHash}, and {Error} `ERR_TAPEPROOF_NOT_JSON` for `undefined`, a function or a symbol
 */
export function stateHash(value: unknown): string {
  return framed(value, writeValue, hashState);
}

/**
 * The object whose canonical text is hashed: two of them show why two hashes differ. The request is not changed.
 *
 * @throws as {@link reqHash}
 */
export function canonical(request: RewindRequest): CanonicalObject {
  return framed(request, writeRequest, canonicalRequest);
}

/**
 * Text as it is hashed: NFC, LF line ends, runs of white space outside code fences as one space, no blank lines at
 * either end, base64 media as the digest of its bytes.
 *
 * @throws {TypeError} `ERR_TAPEPROOF_TEXT` for what is not a string
 */
export function normalizeText(text: string): string {
  return session().normalizeText(text, [normalize]);
}

/**
 * {@link reqHash} of the request that a JSON text holds, without making objects of it.
 *
 * @throws as {@link reqHash}, and {SyntaxError} `ERR_TAPEPROOF_SYNTAX`
 */
export function reqHashJson(text: string): string {
  try {
    return session().reqHashJson(text, [normalize]);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_TAPEPROOF_TOOL_ORDER') throw error;
    return reqHash(JSON.parse(text));
  }
}

/**
 * {@link stateHash} of the value that a JSON text holds.
 *
 * @throws as {@link stateHash}, and {SyntaxError} `ERR_TAPEPROOF_SYNTAX`
 */
export function stateHashJson(text: string): string {
  return session().stateHashJson(text, [normalize]);
}

/**
 * {@link reqHash} of each request, in order. The pointer of an error begins with the index of the request.
 *
 * @throws as {@link reqHash}
 */
export function reqHashMany(requests: Iterable<RewindRequest>): string[] {
  const hashes: string[] = [];
  for (const request of requests) {
    try {
      hashes.push(reqHash(request));
    } catch (error) {
      if (isOurs(error)) error.pointer = `/${hashes.length}${error.pointer}`;
      throw error;
    }
  }
  return hashes;
}

const isOurs = (error: unknown): error is Error & { pointer: string } =>
  error instanceof Error && 'pointer' in error && 'code' in error && `${error.code}`.startsWith('ERR_TAPEPROOF_');

const normalize = String.prototype.normalize;

const hashRequest: Use<string> = (session, bytes, start, end, list, foreign) =>
  foreign
    ? session.digest(canonicalText(session.canonicalRequest(bytes, start, end, list)) as string)
    : session.reqHash(bytes, start, end, list);

const hashState: Use<string> = (session, bytes, start, end, list, foreign) => {
  if (!foreign) return session.stateHash(bytes, start, end, list);
  const text = canonicalText(session.canonicalState(bytes, start, end, list));
  if (text === undefined) throw session.error('ERR_TAPEPROOF_NOT_JSON', '');
  return `sha256:${session.digest(text)}`;
};

const canonicalRequest: Use<CanonicalObject> = (session, bytes, start, end, list) =>
  session.canonicalRequest(bytes, start, end, list);

// The places of the fields in `Field` of src/request/identity.rs.
const KIND = 0;
const TOOL_NAME = 1;
const ARGS = 2;
const COUNTER = 3;
const PROVIDER = 4;
const MODEL_ID = 5;
const MESSAGES = 6;
const SYSTEM_PROMPT_SHA = 7;
const TOOL_SCHEMAS = 8;
const RESPONSE_FORMAT = 9;
const TEMPERATURE = 10;
const TOP_P = 11;
const TOP_K = 12;
const SEED = 13;
const MAX_TOKENS = 14;
const TOOL_CHOICE = 15;

type Fields = Record<string, unknown>;

/** Reads the properties that count for this kind of request, each once, in the order of `canonical`. */
function writeRequest(request: unknown): void {
  if (request === null || request === undefined) throw session().error('ERR_TAPEPROOF_REQUEST', '');
  const req = request as Fields;
  beginRequest();
  const kind = req['kind'];
  writeRawField(KIND, kind);
  if (kind === 'tool') {
    writeRawField(TOOL_NAME, req['tool_name']);
    writeField(ARGS, req['args']);
  } else if (kind === 'model') {
    writeModel(req);
  } else {
    writeRawField(COUNTER, req['counter']);
  }
  endRequest();
}

function writeModel(req: Fields): void {
  writeRawField(PROVIDER, req['provider']);
  writeRawField(MODEL_ID, req['model_id']);
  writeField(MESSAGES, req['messages']);
  writeRawField(SYSTEM_PROMPT_SHA, req['system_prompt_sha']);
  const schemas = req['tool_schemas'];
  if (schemas !== undefined) writeField(TOOL_SCHEMAS, byName(schemas));
  writeField(RESPONSE_FORMAT, req['response_format']);
  writeField(TEMPERATURE, req['temperature']);
  writeField(TOP_P, req['top_p']);
  writeField(TOP_K, req['top_k']);
  writeField(SEED, req['seed']);
  writeField(MAX_TOKENS, req['max_tokens']);
  writeField(TOOL_CHOICE, req['tool_choice']);
}

/** The tool schemas in the order of their names. V8 sorts: for odd names no other order is the same. */
function byName(schemas: unknown): unknown[] {
  if (schemas === null || typeof (schemas as Partial<Iterable<unknown>>)[Symbol.iterator] !== 'function') {
    throw session().error('ERR_TAPEPROOF_TOOL_SCHEMAS', '/tool_schemas');
  }
  const tools = [...(schemas as Iterable<unknown>)];
  return isSorted(tools) ? tools : tools.sort(compareNames);
}

function isSorted(tools: unknown[]): boolean {
  let last = '';
  for (const tool of tools) {
    const name = typeof tool === 'object' && tool !== null ? (tool as Fields)['name'] : undefined;
    if (typeof name !== 'string' || name < last) return tools.length < 2;
    last = name;
  }
  return true;
}

function compareNames(a: unknown, b: unknown): number {
  const [x, y] = [name(a), name(b)] as [string, string];
  return x < y ? -1 : x > y ? 1 : 0;
}

function name(tool: unknown): unknown {
  const value = tool === null ? Symbol() : (tool as Fields)['name'];
  // Neither null nor a symbol can be compared.
  if (typeof value === 'symbol') throw session().error('ERR_TAPEPROOF_TOOL_SCHEMAS', '/tool_schemas');
  return value;
}
