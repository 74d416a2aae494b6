export * from './hash.js';
export * from './schema.js';
export type * from './request.js';
export { ERROR_CODES, type ErrorCode, type TapeproofError } from './errors.js';
