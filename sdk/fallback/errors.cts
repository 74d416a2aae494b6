// What the package throws where there is no addon to make its errors; a test holds it against `src/error.rs`.
import type { ErrorCode, TapeproofError } from '../errors.js' with { 'resolution-mode': 'import' };

/** Keys and indices, from the outside in. */
type Path = readonly (string | number)[];

const KINDS: Partial<Record<ErrorCode, readonly [new (message: string) => Error, string]>> = {
  ERR_TAPEPROOF_REQUEST: [TypeError, 'expected a request, found null or undefined'],
  ERR_TAPEPROOF_TOOL_SCHEMAS: [TypeError, 'expected an iterable of tool schemas'],
  ERR_TAPEPROOF_TEXT: [TypeError, 'expected a string'],
  ERR_TAPEPROOF_BIGINT: [TypeError, 'a BigInt has no canonical text'],
  ERR_TAPEPROOF_NAN: [Error, 'NaN is not allowed'],
  ERR_TAPEPROOF_INFINITY: [Error, 'Infinity is not allowed'],
  ERR_TAPEPROOF_NOT_JSON: [Error, 'stateHash: value is not JSON'],
  ERR_TAPEPROOF_DEPTH: [RangeError, 'the value is cyclic or nested too deeply'],
  ERR_TAPEPROOF_MEMORY: [RangeError, 'the value does not fit in memory'],
  ERR_TAPEPROOF_SYNTAX: [SyntaxError, 'not JSON'],
  ERR_TAPEPROOF_RECORD: [TypeError, 'expected a record, found no manifest or no array of events'],
  ERR_TAPEPROOF_EVENT: [TypeError, 'expected an event, found null or undefined'],
  ERR_TAPEPROOF_CONFIG: [TypeError, 'expected an object'],
  ERR_TAPEPROOF_PRESET: [TypeError, "expected names of presets or matchers, 'default' not beside others of its names"],
  ERR_TAPEPROOF_FIELDS: [TypeError, 'expected an iterable of field names'],
  ERR_TAPEPROOF_CUSTOM: [TypeError, 'expected an array of regular expressions'],
  ERR_TAPEPROOF_HASH_VERSION: [Error, 'recorded under another hash version'],
  ERR_TAPEPROOF_RECORDING: [Error, 'not what the recorder writes of one run'],
  ERR_TAPEPROOF_NAME: [TypeError, 'expected letters, digits, - . _ as the name of a run or a cassette'],
  ERR_TAPEPROOF_INGEST: [Error, 'the server did not take the writes'],
  ERR_TAPEPROOF_RUN: [Error, 'expected a recorded run, found none of this id'],
  ERR_TAPEPROOF_PARTIAL: [Error, 'expected a complete recording, found a partial one'],
  ERR_TAPEPROOF_CASSETTE: [Error, 'expected the cassette of this step, found none or another'],
};

/** The error of a code, at a JSON Pointer where there is one. */
function error(code: ErrorCode, pointer?: string): TapeproofError {
  const [Class, text] = KINDS[code] ?? [Error, code];
  const message = pointer ? `${text} (at ${pointer})` : text;
  return Object.assign(new Class(message), { code }, pointer !== undefined && { pointer });
}

/** The same, at a path. */
const failure = (code: ErrorCode, path: Path): TapeproofError =>
  error(code, path.map(key => `/${`${key}`.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''));

export = { error, failure };
