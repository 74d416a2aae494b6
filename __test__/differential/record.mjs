// Native verification against the twin, and against the baseline's verdict where there is one.
import * as native from 'tapeproof/verify';
import { anyKeys, recordText } from '../random/record.mjs';
import * as twin from '../reference/records.mjs';
import { sharedFolder } from '../shared.mjs';
import { outcome, sameStructure, show } from './outcome.mjs';

const folder = sharedFolder('baseline');
const baseline = folder && (await import(new URL('records.mjs', folder).href));

export const generate = random => ({
  expression: { type: 'text', value: recordText(random) },
  form: random.pick(['text', 'text', 'bytes', 'object']),
  ...anyKeys(random),
});

/** A result as JSON has it, without what tapeproof adds. */
function plain({ value, error }) {
  if (error) return error.name;
  const { failures, ...result } = JSON.parse(JSON.stringify(value));
  return result;
}

function verified(H, { expression: { value: text }, form, signingKey, options }) {
  if (form === 'object') return H.verify(JSON.parse(text), signingKey, options);
  return H.verifyJson(form === 'bytes' ? Buffer.from(text) : text, signingKey, options);
}

/** A failure is named for every check that failed, and for no other. */
function failuresDifference(result) {
  const failed = Object.entries(result.checks).filter(([, passed]) => passed === false || passed === 'invalid');
  const named = new Set(result.failures.map(({ check }) => check));
  const isRight = failed.length === named.size && failed.every(([check]) => named.has(check));
  return isRight ? undefined : `failures name ${show([...named])} for ${show(result.checks)}`;
}

export function difference(subject) {
  const actual = outcome(() => verified(native, subject));
  const expected = plain(outcome(() => verified(twin, subject)));
  // Text that is nested too deeply and broken further on is refused for what comes first.
  if (expected === 'SyntaxError' && actual.error?.code === 'ERR_TAPEPROOF_DEPTH') return undefined;
  if (!sameStructure(sorted(plain(actual)), sorted(expected))) {
    return `verify: expected ${show(expected)}, found ${show(plain(actual))}`;
  }
  if (actual.value) {
    const wrong = failuresDifference(actual.value);
    if (wrong) return wrong;
    const theirs = baseline && outcome(() => verified(baseline, subject));
    if (theirs?.value && theirs.value.verdict !== actual.value.verdict) {
      return `verdict: the baseline says ${theirs.value.verdict}, found ${actual.value.verdict}`;
    }
  }
  return undefined;
}

/** The same value with sorted keys: results do not promise an order. */
function sorted(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map(key => [key, sorted(value[key])]),
  );
}

export const print = ({ expression, form, signingKey, options }) =>
  `${form}: ${JSON.stringify(expression.value)} ${show({ signingKey, options })}`;
