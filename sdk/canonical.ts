import type { ErrorCode } from './errors.js';
import { MAX_DEPTH } from './frame.js';
import { native } from './native.js';

/**
 * The canonical text of any JavaScript value, as npm `canonicalize` 2.1 writes it: `toJSON` is asked, a function is the
 * bare word `undefined`, a hole prints nothing. `undefined` for what has no text.
 *
 * Rust writes the text of plain data. This is for the rest, and for showing the text.
 */
export function canonicalText(value: unknown): string | undefined {
  return isObject(value) ? objectText(value, '', 1) : scalarText(value, '');
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function scalarText(value: unknown, pointer: string): string | undefined {
  switch (typeof value) {
    case 'number':
      if (Number.isNaN(value)) throw fail('ERR_TAPEPROOF_NAN', pointer);
      if (!Number.isFinite(value)) throw fail('ERR_TAPEPROOF_INFINITY', pointer);
      return `${value}`;
    case 'bigint':
      throw fail('ERR_TAPEPROOF_BIGINT', pointer);
    case 'string':
    case 'boolean':
    case 'object':
      return JSON.stringify(value);
    default:
      return undefined;
  }
}

/** It calls itself and nothing between: a worker's small stack holds 2048 of these. */
function objectText(object: object, pointer: string, depth: number): string | undefined {
  if (depth > MAX_DEPTH) throw fail('ERR_TAPEPROOF_DEPTH', pointer);
  const { toJSON } = object as { toJSON?: unknown };
  if (toJSON instanceof Function) {
    const value: unknown = toJSON.call(object);
    return isObject(value) ? objectText(value, pointer, depth + 1) : scalarText(value, pointer);
  }
  let text = '';
  if (Array.isArray(object)) {
    for (let index = 0; index < object.length; index++) {
      if (!(index in object)) continue;
      if (index > 0) text += ',';
      const element: unknown = object[index];
      if (isObject(element)) text += objectText(element, `${pointer}/${index}`, depth + 1);
      else if (element === undefined || typeof element === 'symbol') text += 'null';
      else text += scalarText(element, `${pointer}/${index}`);
    }
    return `[${text}]`;
  }
  for (const key of Object.keys(object).sort()) {
    const member = (object as Record<string, unknown>)[key];
    if (member === undefined || typeof member === 'symbol') continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:`;
    const place = `${pointer}/${escapeSegment(key)}`;
    text += isObject(member) ? objectText(member, place, depth + 1) : scalarText(member, place);
  }
  return `{${text}}`;
}

/** A member name as a segment of a JSON Pointer. */
export const escapeSegment = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

const fail = (code: ErrorCode, pointer: string): Error => native().error(code, pointer);
