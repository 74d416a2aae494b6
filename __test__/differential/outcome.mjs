// What a call came to, and when two calls came to the same.
import { inspect } from 'node:util';

/** The value that a function returned, or what it threw. */
export function outcome(run) {
  try {
    return { value: run() };
  } catch (error) {
    return { error: error instanceof Object ? { name: error.name, code: error.code } : { name: typeof error } };
  }
}

/** Equal values, or errors of one class, with one code where the expected one has a code. */
export function sameOutcome(expected, actual) {
  if (!expected.error || !actual.error) return !expected.error === !actual.error && expected.value === actual.value;
  const { name, code } = expected.error;
  return name === actual.error.name && (code === undefined || code === actual.error.code);
}

/** The same tree in the same key order. What is no container counts by `Object.is`, functions and symbols by kind. */
export function sameStructure(left, right) {
  const pairs = [[left, right]];
  while (pairs.length > 0) {
    const [a, b] = pairs.pop();
    if (Object.is(a, b)) continue;
    if (typeof a !== typeof b || a === null || b === null) return false;
    if (typeof a === 'function' || typeof a === 'symbol') continue;
    if (typeof a !== 'object' || Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = Reflect.ownKeys(a);
    const others = Reflect.ownKeys(b);
    if (keys.length !== others.length || keys.some((key, i) => key !== others[i])) return false;
    for (const key of keys) pairs.push([a[key], b[key]]);
  }
  return true;
}

/** A value on one line, cut when it is long. */
export function show(value) {
  const text = inspect(value, { depth: 5, maxArrayLength: 20, breakLength: Number.POSITIVE_INFINITY });
  return text.length > 600 ? `${text.slice(0, 600)}… (${text.length} characters)` : text;
}
