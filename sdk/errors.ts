/** The stable codes that tapeproof's errors carry; the same list as `ErrorKind` in Rust. Codes are only ever added. */
export const ERROR_CODES = [
  'ERR_TAPEPROOF_REQUEST',
  'ERR_TAPEPROOF_TOOL_SCHEMAS',
  'ERR_TAPEPROOF_TEXT',
  'ERR_TAPEPROOF_BIGINT',
  'ERR_TAPEPROOF_NAN',
  'ERR_TAPEPROOF_INFINITY',
  'ERR_TAPEPROOF_NOT_JSON',
  'ERR_TAPEPROOF_DEPTH',
  'ERR_TAPEPROOF_MEMORY',
  'ERR_TAPEPROOF_SYNTAX',
  'ERR_TAPEPROOF_UTF8',
  'ERR_TAPEPROOF_TOOL_ORDER',
  'ERR_TAPEPROOF_ADDON',
  'ERR_TAPEPROOF_PANIC',
  'ERR_TAPEPROOF_FRAME',
  'ERR_TAPEPROOF_RECORD',
  'ERR_TAPEPROOF_EVENT',
  'ERR_TAPEPROOF_PROJECTION',
  'ERR_TAPEPROOF_CONVERSION',
  'ERR_TAPEPROOF_PUBLIC_KEY',
  'ERR_TAPEPROOF_PRIVATE_KEY',
  'ERR_TAPEPROOF_SIGNING_KEY',
  'ERR_TAPEPROOF_SEAL',
  'ERR_TAPEPROOF_CONFIG',
  'ERR_TAPEPROOF_PRESET',
  'ERR_TAPEPROOF_FIELDS',
  'ERR_TAPEPROOF_CUSTOM',
  'ERR_TAPEPROOF_HASH_VERSION',
  'ERR_TAPEPROOF_RECORDING',
  'ERR_TAPEPROOF_NAME',
  'ERR_TAPEPROOF_INGEST',
  'ERR_TAPEPROOF_FILE',
  'ERR_TAPEPROOF_CHANGED',
  'ERR_TAPEPROOF_RUN',
  'ERR_TAPEPROOF_PARTIAL',
  'ERR_TAPEPROOF_CASSETTE',
] as const;

/** A stable error code. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/**
 * What tapeproof throws: the class of the drop-in (`Error`, `TypeError`, `RangeError`, `SyntaxError`) with a stable
 * `code`. A message never holds an input value.
 */
export interface TapeproofError extends Error {
  code: ErrorCode;
  /** JSON Pointer (RFC 6901) to the offending value, where there is one. */
  pointer?: string;
  /** Why the system refused a file: `ENOENT`, `EACCES`, … */
  reason?: string;
  /** Offset into the text in UTF-8 bytes, for text that could not be read. */
  offset?: number;
}
