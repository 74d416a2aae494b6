export { ERROR_CODES, type ErrorCode, type TapeproofError } from './errors.js';
export * from './hash.js';
export { isNative } from './native.js';
export * from './redact.js';
export type * from './request.js';
export * from './schema.js';
export * from './verify.js';
