// Native verification against the twin, and against the baseline's verdict where there is one.
import * as native from 'tapeproof/verify';
import { anyKeys, recordText } from '../random/record.mjs';
import * as twin from '../reference/records.mjs';
import { sharedFolder } from '../shared.mjs';
import { outcome, show } from './outcome.mjs';

const folder = sharedFolder('baseline');
const baseline = folder && (await import(new URL('records.mjs', folder).href));

export const generate = random => ({
  expression: { type: 'text', value: recordText(random) },
  form: random.pick(['text', 'text', 'bytes', 'object']),
  ...anyKeys(random),
});

/** A result as JSON text, without what tapeproof adds. */
function plain({ value, error }) {
  if (error) return error.name;
  const { failures, ...result } = value;
  return JSON.stringify(result);
}

/** Results do not promise an order of keys. */
const sameResult = (actual, expected) =>
  actual === expected || (actual[0] === '{' && expected[0] === '{' && sorted(actual) === sorted(expected));

const sorted = text => twin.canonicalText(JSON.parse(text));

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

/** What the native core and the twin disagree on. */
export function differenceFromTwin(subject, actual = outcome(() => verified(native, subject))) {
  const expected = plain(outcome(() => verified(twin, subject)));
  // Text that is nested too deeply and broken further on is refused for what comes first.
  if (expected === 'SyntaxError' && actual.error?.code === 'ERR_TAPEPROOF_DEPTH') return undefined;
  const found = plain(actual);
  if (!sameResult(found, expected)) return `verify: expected ${expected}, found ${found}`;
  return actual.value && failuresDifference(actual.value);
}

export function difference(subject) {
  const actual = outcome(() => verified(native, subject));
  const wrong = differenceFromTwin(subject, actual);
  if (wrong || !actual.value) return wrong;
  const theirs = baseline && outcome(() => verified(baseline, subject));
  if (theirs?.value && theirs.value.verdict !== actual.value.verdict) {
    return `verdict: the baseline says ${theirs.value.verdict}, found ${actual.value.verdict}`;
  }
  return undefined;
}

export const print = ({ expression, form, signingKey, options }) =>
  `${form}: ${JSON.stringify(expression.value)} ${show({ signingKey, options })}`;
