import { MAX_DEPTH } from './frame.js';
import { failure } from './native.js';

/**
 * The canonical text of any JavaScript value, as npm `canonicalize` 2.1 writes it: `toJSON` is asked, a function is the
 * bare word `undefined`, a hole prints nothing. `undefined` for what has no text.
 *
 * Rust writes the text of plain data. This is for the rest, and for showing the text.
 */
export function canonicalText(value: unknown): string | undefined {
  return write(value, '', 0);
}

function write(value: unknown, pointer: string, depth: number): string | undefined {
  switch (typeof value) {
    case 'number':
      if (Number.isNaN(value)) throw failure('ERR_TAPEPROOF_NAN', pointer);
      if (!Number.isFinite(value)) throw failure('ERR_TAPEPROOF_INFINITY', pointer);
      return `${value}`;
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'bigint':
      if (!hasToJSON(value)) throw failure('ERR_TAPEPROOF_BIGINT', pointer);
      return JSON.stringify(value);
    case 'object':
      return value === null ? 'null' : writeObject(value, pointer, depth + 1);
    default:
      // A function with a `toJSON` has a text, too.
      return JSON.stringify(value);
  }
}

function writeObject(object: object, pointer: string, depth: number): string | undefined {
  if (depth > MAX_DEPTH) throw failure('ERR_TAPEPROOF_DEPTH', pointer);
  const { toJSON } = object as { toJSON?: unknown };
  if (toJSON instanceof Function) return write(toJSON.call(object), pointer, depth);
  if (Array.isArray(object)) {
    let text = '';
    for (let index = 0; index < object.length; index++) {
      if (!(index in object)) continue;
      if (index > 0) text += ',';
      const element: unknown = object[index];
      const isNull = element === undefined || typeof element === 'symbol';
      text += isNull ? 'null' : write(element, `${pointer}/${index}`, depth);
    }
    return `[${text}]`;
  }
  let text = '';
  for (const key of Object.keys(object).sort()) {
    const member = (object as Record<string, unknown>)[key];
    if (member === undefined || typeof member === 'symbol') continue;
    if (text !== '') text += ',';
    text += `${JSON.stringify(key)}:${write(member, `${pointer}/${escapeSegment(key)}`, depth)}`;
  }
  return `{${text}}`;
}

/** Whether `JSON.stringify` asks the value itself: for a BigInt the one way to a text. */
const hasToJSON = (value: bigint): boolean => typeof (value as { toJSON?: unknown }).toJSON === 'function';

/** A member name as a segment of a JSON Pointer. */
export const escapeSegment = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
