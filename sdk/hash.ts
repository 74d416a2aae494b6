import { canonicalText } from './canonical.js';
import { type Difference, differences } from './diff.js';
import type { TapeproofError } from './errors.js';
import { beginRequest, endRequest, framed, type Use, writeField, writeRawField, writeValue } from './frame.js';
import { type Addon, type CanonicalObject, failure, native, standIn } from './native.js';
import { inheritsToJSON } from './plain.js';
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
  return standIn()?.reqHash(request) ?? framed(request, writeRequest, hashRequest);
}

/**
 * The same canonicalization over any value: `sha256:` and 64 lowercase hex digits.
 *
 * @throws as {@link reqHash}, and {Error} `ERR_TAPEPROOF_NOT_JSON` for `undefined`, a function or a symbol
 */
export function stateHash(value: unknown): string {
  return standIn()?.stateHash(value) ?? framed(value, writeValue, hashState);
}

/**
 * The object whose canonical text is hashed: two of them show why two hashes differ. The request is not changed.
 *
 * @throws as {@link reqHash}
 */
export function canonical(request: RewindRequest): CanonicalObject {
  return standIn()?.canonical(request) ?? framed(request, writeRequest, canonicalRequest);
}

/**
 * Text as it is hashed: NFC, LF line ends, runs of white space outside code fences as one space, no blank lines at
 * either end, base64 media as the digest of its bytes.
 *
 * @throws {TypeError} `ERR_TAPEPROOF_TEXT` for what is not a string
 */
export function normalizeText(text: string): string {
  return standIn()?.normalizeText(text) ?? native().normalizeText(text, [normalize]);
}

/**
 * {@link reqHash} of the request that a JSON text holds, without making objects of it.
 *
 * @throws as {@link reqHash}, and {SyntaxError} `ERR_TAPEPROOF_SYNTAX`
 */
export function reqHashJson(text: string): string {
  return standIn()?.reqHashJson(text) ?? hashJson(text, reqHash, native().reqHashJson);
}

/**
 * {@link stateHash} of the value that a JSON text holds.
 *
 * @throws as {@link stateHash}, and {SyntaxError} `ERR_TAPEPROOF_SYNTAX`
 */
export function stateHashJson(text: string): string {
  return standIn()?.stateHashJson(text) ?? hashJson(text, stateHash, native().stateHashJson);
}

function hashJson<T>(text: string, hash: (value: T) => string, hashText: Addon['reqHashJson']): string {
  // Only objects can be asked.
  if (inheritsToJSON() && typeof text === 'string') return hash(parse(text));
  try {
    return hashText(text, [normalize]);
  } catch (error) {
    // Odd names that only V8 can sort, or nesting that is too deep for the reader but not where it counts.
    if (!isOurs(error) || !LEFT_TO_JS.has(error.code)) throw error;
    return hash(parse(text));
  }
}

function parse<T>(text: string): T {
  try {
    return JSON.parse(text);
  } catch {
    // V8's message would quote the text.
    throw failure('ERR_TAPEPROOF_SYNTAX', '');
  }
}

const LEFT_TO_JS = new Set(['ERR_TAPEPROOF_TOOL_ORDER', 'ERR_TAPEPROOF_DEPTH']);

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
      if (isOurs(error)) error.pointer = `/${hashes.length}${error.pointer ?? ''}`;
      throw error;
    }
  }
  return hashes;
}

/**
 * Where the canonical forms of two requests differ: nothing exactly when their hashes are the same.
 *
 * @throws as {@link reqHash}
 */
export function diffRequests(a: RewindRequest, b: RewindRequest): Difference[] {
  if (reqHash(a) === reqHash(b)) return [];
  const found = differences(canonical(a), canonical(b));
  // Texts can differ where values do not: a hole in an array prints nothing, a null does.
  return found.length > 0 ? found : [{ pointer: '', a, b }];
}

export type { Difference };

const isOurs = (error: unknown): error is TapeproofError =>
  error instanceof Error && 'code' in error && `${error.code}`.startsWith('ERR_TAPEPROOF_');

const normalize = String.prototype.normalize;

const hashRequest: Use<string> = (addon, words, start, end, text, list, foreign) =>
  foreign
    ? addon.digest(canonicalText(addon.canonicalRequest(words, start, end, text, list)) as string)
    : addon.reqHash(words, start, end, text, list);

const hashState: Use<string> = (addon, words, start, end, text, list, foreign) => {
  if (!foreign) return addon.stateHash(words, start, end, text, list);
  const written = canonicalText(addon.canonicalState(words, start, end, text, list));
  if (written === undefined) throw addon.error('ERR_TAPEPROOF_NOT_JSON', '');
  return `sha256:${addon.digest(written)}`;
};

const canonicalRequest: Use<CanonicalObject> = (addon, words, start, end, text, list) =>
  addon.canonicalRequest(words, start, end, text, list);

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
  if (request === null || request === undefined) throw failure('ERR_TAPEPROOF_REQUEST', '');
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
    throw failure('ERR_TAPEPROOF_TOOL_SCHEMAS', '/tool_schemas');
  }
  const sorted = [...(schemas as Iterable<unknown>)];
  if (sorted.length > 2 || sorted.includes(undefined)) return sorted.sort(compareNames);
  // What V8's sort does with two, without its cost.
  if (sorted.length === 2 && compareNames(sorted[1], sorted[0]) < 0) sorted.reverse();
  return sorted;
}

function compareNames(a: unknown, b: unknown): number {
  if (a === null || b === null) throw failure('ERR_TAPEPROOF_TOOL_SCHEMAS', '/tool_schemas');
  const [x, y] = [a as { name: string }, b as { name: string }];
  return x.name < y.name ? -1 : x.name > y.name ? 1 : 0;
}
