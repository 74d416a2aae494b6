// What the twins share: how they walk a value, and how they fail.

export const MAX_DEPTH = 2048;

// ECMAScript ToLength: a Proxy may say anything.
export const lengthOf = ({ length }) => Math.min(Math.max(Math.trunc(length) || 0, 0), Number.MAX_SAFE_INTEGER);
export const isObject = value => typeof value === 'object' && value !== null;

/** The errors made here, as opposed to those that a getter of the caller throws. */
export const failures = new WeakSet();

/** An error of the class that the specification names, with its stable code and, from a path of keys, its place. */
export function failure(ErrorClass, code, message, path) {
  const error = Object.assign(new ErrorClass(message), { code: `ERR_TAPEPROOF_${code}` });
  failures.add(error);
  if (path) error.pointer = path.map(key => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return error;
}

/**
 * Runs a recursive walk that yields where it would call itself, so that 2,048 levels need no more stack than one.
 * `depth` counts the containers around the walk's root; `path` is where the walk is.
 */
export function descend(walk, depth, path) {
  const levels = [];
  let result = walk;
  for (;;) {
    if (levels.length + depth >= MAX_DEPTH) {
      throw failure(RangeError, 'DEPTH', 'the value is cyclic or nested too deeply', path);
    }
    levels.push(result);
    result = undefined;
    for (;;) {
      const { done, value } = levels.at(-1).next(result);
      result = value;
      if (!done) break;
      levels.pop();
      if (levels.length === 0) return result;
    }
  }
}
