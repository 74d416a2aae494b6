// Native hashing against the twin. An area of differential testing exports `generate`, `difference` and `print`, and
// its subjects hold the expression that is shrunk.
import * as native from 'tapeproof/hash';
import { build, isJson, jsonText, source } from '../random/expression.mjs';
import { Random } from '../random/prng.mjs';
import { anyRequest, anyState } from '../random/request.mjs';
import { anyText } from '../random/text.mjs';
import * as twin from '../reference/hash.mjs';
import { outcome, sameOutcome, sameStructure, show } from './outcome.mjs';

const RAW_KEYS = ['kind', 'provider', 'model_id', 'tool_name', 'counter', 'system_prompt_sha'];

/** Both implementations on a value of their own: their outcomes, and the reads of getters that they made. */
function both(name, expression, run) {
  const [expected, actual] = [twin, native].map(H => {
    const reads = [];
    const result = outcome(() =>
      run(
        H,
        build(expression, key => reads.push(key)),
      ),
    );
    return { ...result, reads };
  });
  if (!sameOutcome(expected, actual)) return `${name}: expected ${show(expected)}, found ${show(actual)}`;
  if (expected.reads.join() !== actual.reads.join()) {
    return `${name}: expected getters ${show(expected.reads)}, found ${show(actual.reads)}`;
  }
  return undefined;
}

/** `canonical` gives the same tree in the same key order; raw values are handed through. */
function canonicalDifference(expression) {
  const input = build(expression);
  const expected = outcome(() => twin.canonical(build(expression)));
  const actual = outcome(() => native.canonical(input));
  if (expected.error || actual.error) {
    return sameOutcome(expected, actual) ? undefined : `canonical: expected ${show(expected)}, found ${show(actual)}`;
  }
  const keys = Object.keys(expected.value);
  if (keys.join() !== Object.keys(actual.value).join()) {
    return `canonical: expected keys ${show(keys)}, found ${show(Object.keys(actual.value))}`;
  }
  const wrong = keys.find(key =>
    RAW_KEYS.includes(key)
      ? !Object.is(actual.value[key], input[key])
      : !sameStructure(expected.value[key], actual.value[key]),
  );
  return (
    wrong && `canonical: ${wrong} differs: expected ${show(expected.value[wrong])}, found ${show(actual.value[wrong])}`
  );
}

function mutation(expression, run) {
  if (!isJson(expression)) return undefined;
  const input = build(expression);
  outcome(() => run(input));
  return sameStructure(input, build(expression)) ? undefined : 'the input was changed';
}

/** `hashText` of a spelling and the twin's hash of the value it spells. */
function textForm({ expression, spelling }, hash, hashText) {
  if (!isJson(expression)) return undefined;
  const text = jsonText(expression, new Random(spelling));
  const expected = outcome(() => hash(build(expression)));
  const parsed = outcome(() => hash(JSON.parse(text)));
  const actual = outcome(() => hashText(text));
  if (!sameOutcome(expected, parsed)) return `the text spells another value: ${show(text)}`;
  if (sameOutcome(expected, actual)) return undefined;
  return `${hashText.name}: expected ${show(expected)}, found ${show(actual)} for ${show(text)}`;
}

const CHECKS = {
  request: ({ expression }) =>
    both('reqHash', expression, (H, value) => H.reqHash(value)) ??
    canonicalDifference(expression) ??
    mutation(expression, native.reqHash),
  state: ({ expression }) =>
    both('stateHash', expression, (H, value) => H.stateHash(value)) ?? mutation(expression, native.stateHash),
  text: ({ expression }) => both('normalizeText', expression, (H, value) => H.normalizeText(value)),
  requestJson: subject => textForm(subject, twin.reqHash, native.reqHashJson),
  stateJson: subject => textForm(subject, twin.stateHash, native.stateHashJson),
  damagedJson: ({ expression }) => both('stateHashJson', expression, (H, text) => H.stateHashJson(text)),
};

const DAMAGE = [
  '',
  ' ',
  ',',
  '"',
  '\\',
  '\0',
  '\n',
  '\ufeff',
  '\u00a0',
  '0',
  '-',
  '.',
  'e',
  '[',
  ']',
  '{',
  '}',
  ':',
  '\ud800',
  '1e',
  '+',
  'u',
  '/**/',
];
function damaged(random) {
  let text = jsonText(anyState(random, 0), random);
  for (let times = random.between(0, 2); times >= 0; times--) {
    const at = random.below(text.length + 1);
    text = text.slice(0, at) + random.pick(DAMAGE) + text.slice(at + random.below(2));
  }
  return { type: 'text', value: text };
}

const KINDS = [
  [9, random => ({ check: 'request', expression: anyRequest(random) })],
  [4, random => ({ check: 'state', expression: anyState(random) })],
  [4, random => ({ check: 'text', expression: { type: 'text', value: anyText(random) } })],
  [3, random => ({ check: 'requestJson', expression: anyRequest(random, 0), spelling: random.bits() })],
  [1, random => ({ check: 'stateJson', expression: anyState(random, 0), spelling: random.bits() })],
  [1, random => ({ check: 'damagedJson', expression: damaged(random) })],
];

/** A case, as a function of the source of randomness alone. */
export const generate = random => random.weighted(KINDS)(random);

/** What the implementations disagree on, in words, or `undefined`. */
export const difference = subject => CHECKS[subject.check](subject);

/** The input as JavaScript. */
export const print = ({ check, expression, spelling }) =>
  `${check}: ${source(expression)}${spelling === undefined ? '' : ` // spelling ${spelling}`}`;
