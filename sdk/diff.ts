// Where two canonical requests differ.
import { escapeSegment } from './canonical.js';

/**
 * One place at which two canonical requests differ. A side that has no value there has no property here, so that
 * "missing" and `null` stay apart.
 */
export interface Difference {
  /** JSON Pointer (RFC 6901) into the canonical request. */
  pointer: string;
  /** The value in the first request, if it has one. */
  a?: unknown;
  /** The value in the second request, if it has one. */
  b?: unknown;
}

interface Pair {
  pointer: string;
  a: unknown;
  b: unknown;
}

// What is not there: a property that one side lacks, or that canonical text leaves out.
const ABSENT = Symbol('absent');

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isAbsent = (value: unknown): boolean => value === undefined || typeof value === 'symbol';

// Canonical text honours `toJSON`, also of what it returns.
function written(value: unknown): unknown {
  if (!isContainer(value)) return value;
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === 'function' ? written(toJSON.call(value)) : value;
}

function member(object: object, key: string): unknown {
  if (!Object.hasOwn(object, key)) return ABSENT;
  const value = written((object as Record<string, unknown>)[key]);
  return isAbsent(value) ? ABSENT : value;
}

// An element that is no JSON value is written as `null`.
function element(array: readonly unknown[], index: number): unknown {
  if (index >= array.length) return ABSENT;
  const value = written(array[index]);
  return isAbsent(value) ? null : value;
}

function children({ pointer, a, b }: Pair): Pair[] | undefined {
  if (!isContainer(a) || !isContainer(b) || Array.isArray(a) !== Array.isArray(b)) return undefined;
  if (Array.isArray(a) && Array.isArray(b)) {
    return Array.from({ length: Math.max(a.length, b.length) }, (_, index) => ({
      pointer: `${pointer}/${index}`,
      a: element(a, index),
      b: element(b, index),
    }));
  }
  // RFC 8785 §3.2.3: by UTF-16 code units, as `sort` does.
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  return keys.map(key => ({ pointer: `${pointer}/${escapeSegment(key)}`, a: member(a, key), b: member(b, key) }));
}

// Every function is written alike.
const isSame = (a: unknown, b: unknown): boolean => a === b || (typeof a === 'function' && typeof b === 'function');

/**
 * The places at which two canonical requests differ, in the order of their canonical text. Values are compared as that
 * text writes them: `-0` is `0`, and a member that is `undefined` is missing.
 */
export function differences(a: unknown, b: unknown): Difference[] {
  const found: Difference[] = [];
  // A stack of our own: values may be nested deeper than calls can be.
  const pending: Pair[] = [{ pointer: '', a: written(a), b: written(b) }];
  for (let pair = pending.pop(); pair; pair = pending.pop()) {
    if (isSame(pair.a, pair.b)) continue;
    const inner = children(pair);
    if (inner) {
      for (let at = inner.length - 1; at >= 0; at -= 1) pending.push(inner[at] as Pair);
    } else {
      found.push({
        pointer: pair.pointer,
        ...(pair.a !== ABSENT && { a: pair.a }),
        ...(pair.b !== ABSENT && { b: pair.b }),
      });
    }
  }
  return found;
}
