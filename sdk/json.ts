// Which values JSON text holds as they are.
import { escapeSegment } from './canonical.js';
import { MAX_DEPTH } from './frame.js';
import { failure } from './native.js';

/**
 * Lets a value pass that JSON text holds without change or loss.
 *
 * @param at the pointer to the value, in what it is a part of
 * @throws {TypeError} `ERR_TAPEPROOF_SEAL` with the pointer to what JSON text would change or lose
 * @throws {RangeError} `ERR_TAPEPROOF_DEPTH`
 */
export function requireJson(root: unknown, at = ''): void {
  // An explicit stack: a value may be nested deeper than the thread's stack is.
  const open: { container: object; names: string[]; next: number }[] = [];
  const pointer = () => at + open.map(({ names, next }) => `/${escapeSegment(names[next - 1] ?? '')}`).join('');
  const limit = MAX_DEPTH - (at.match(/\//g)?.length ?? 0);
  let value = root;
  for (;;) {
    if (typeof value === 'object' && value !== null) {
      const names = namesOf(value);
      if (names === undefined) throw failure('ERR_TAPEPROOF_SEAL', pointer());
      if (open.length === limit) throw failure('ERR_TAPEPROOF_DEPTH', pointer());
      open.push({ container: value, names, next: 0 });
    } else if (!isJsonScalar(value)) {
      throw failure('ERR_TAPEPROOF_SEAL', pointer());
    }
    let top = open.at(-1);
    while (top !== undefined && top.next === top.names.length) {
      open.pop();
      top = open.at(-1);
    }
    if (top === undefined) return;
    value = (top.container as Record<string, unknown>)[top.names[top.next++] ?? ''];
  }
}

const isJsonScalar = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || value === null || Number.isFinite(value);

/** The names of all that a container holds, unless it holds what JSON text leaves out. */
function namesOf(container: object): string[] | undefined {
  const names = Object.keys(container);
  if (Object.getOwnPropertySymbols(container).length > 0 || hasHiddenToJSON(container, names)) return undefined;
  if (!Array.isArray(container)) return isPlain(container) ? names : undefined;
  // Neither holes nor members beside the elements, which come first.
  const { length } = container;
  return names.length === length && (length === 0 || names[length - 1] === `${length - 1}`) ? names : undefined;
}

/** Whether JSON text would hold something else in its place: a prototype may see to that, of an array too. */
const hasHiddenToJSON = (container: { toJSON?: unknown }, names: readonly string[]): boolean =>
  typeof container.toJSON === 'function' && !names.includes('toJSON');

/** Whether it is made of its entries alone; `Object.prototype` may be another realm's. */
function isPlain(object: object): boolean {
  const parent = Object.getPrototypeOf(object);
  return parent === null || Object.getPrototypeOf(parent) === null;
}

/** Whether a value is an object with members. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
