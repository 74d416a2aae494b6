// How the fallback walks a value: as deep as the native core does, on no more stack than one level needs.
import errors = require('./errors.cjs');

const { failure } = errors;

const MAX_DEPTH = 2048;
const MAX_ARRAY_LENGTH = 2 ** 32 - 1;

/** A recursive walk that yields where it would call itself. */
interface Walk extends Generator<Walk, unknown, unknown> {}

/** ECMAScript ToLength: a Proxy may say anything. */
const lengthOf = ({ length }: { length: number }): number =>
  Math.min(Math.max(Math.trunc(length) || 0, 0), Number.MAX_SAFE_INTEGER);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Runs a walk. `depth` counts the containers around its root; `path` is where it is. */
function descend(walk: Walk, depth: number, path: readonly (string | number)[]): unknown {
  const levels: Walk[] = [];
  let next: Walk | undefined = walk;
  let result: unknown;
  for (;;) {
    if (next !== undefined) {
      if (levels.length + depth >= MAX_DEPTH) throw failure('ERR_TAPEPROOF_DEPTH', path);
      levels.push(next);
      result = undefined;
    }
    const level = levels.at(-1);
    if (level === undefined) return result;
    const { done, value } = level.next(result);
    if (done) {
      levels.pop();
      next = undefined;
      result = value;
    } else {
      next = value as Walk;
    }
  }
}

export = { descend, isObject, lengthOf, MAX_ARRAY_LENGTH, MAX_DEPTH };
