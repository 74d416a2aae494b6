// Native redaction against the twin: the value, the map with its order, the getters that were read; and the places that
// `findSensitive` names.
import { findSensitive, redact, redactText } from 'tapeproof/redact';
import { build, source } from '../random/expression.mjs';
import { redactConfig, sensitiveText, sensitiveValue } from '../random/redaction.mjs';
import * as twin from '../reference/redact.mjs';
import { outcome, sameOutcome, sameStructure, show } from './outcome.mjs';

const KINDS = [
  [3, random => ({ expression: { type: 'text', value: sensitiveText(random) }, config: {} })],
  [1, random => ({ expression: sensitiveValue(random), config: {} })],
  [2, random => ({ expression: sensitiveValue(random), config: redactConfig(random) })],
];

export const generate = random => random.weighted(KINDS)(random);

function redacted(run, { expression, config }) {
  const reads = [];
  const value = build(expression, key => reads.push(key));
  return { ...outcome(() => run(value, config)), reads };
}

/** A pattern that cannot be compiled, and what V8 cannot stringify, are V8's own errors. */
function resultDifference(expected, actual) {
  if (expected.error || actual.error) return sameOutcome(expected, actual) ? undefined : 'the outcome';
  if (!sameStructure(expected.value.value, actual.value.value)) return 'the value';
  const entries = ({ map }) => JSON.stringify(Object.entries(map));
  if (entries(expected.value) !== entries(actual.value)) return 'the map';
  return expected.reads.join() === actual.reads.join() ? undefined : 'the getters';
}

/** Every finding is where a token would be, and there are none when nothing is replaced. */
function placesDifference({ expression, config }, { value: { value, map } }) {
  if (expression.type !== 'text') return undefined;
  const places = findSensitive(expression.value, config);
  if ((places.length === 0) !== (Object.keys(map).length === 0)) return 'whether there are findings';
  if (places.some(({ pointer }) => pointer !== '')) return 'a pointer';
  if (config.custom || config.fields) return undefined;
  // One after another, the places cut the text as the tokens do.
  const cut = places.sort((a, b) => a.start - b.start);
  const kept = cut.map(({ start }, index) => expression.value.slice(cut[index - 1]?.end ?? 0, start));
  kept.push(expression.value.slice(cut.at(-1)?.end ?? 0));
  let rest = value;
  for (const piece of kept) {
    if (!rest.includes(piece)) return 'the places';
    rest = rest.slice(rest.indexOf(piece) + piece.length);
  }
  return undefined;
}

export function difference(subject) {
  const expected = redacted(twin.redact, subject);
  const run = typeof subject.expression.value === 'string' ? redactText : redact;
  const actual = redacted(run, subject);
  const wrong = resultDifference(expected, actual);
  if (wrong) return `${wrong}: expected ${show(expected)}, found ${show(actual)}`;
  const misplaced = actual.error ? undefined : placesDifference(subject, actual);
  return (
    misplaced && `findSensitive, ${misplaced}: found ${show(findSensitive(build(subject.expression), subject.config))}`
  );
}

export const print = ({ expression, config }) => `redact(${source(expression)}, ${JSON.stringify(config)})`;
