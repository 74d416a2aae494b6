// Hashing of small JSON values against the twin: the same value as a value and as text.
import { reqHash, reqHashJson, stateHash, stateHashJson } from 'tapeproof/hash';
import { requestText, stateText } from '../random/small.mjs';
import * as twin from '../reference/hash.mjs';
import { outcome, sameOutcome, show } from './outcome.mjs';

const REQUEST = { make: requestText, expect: twin.reqHash, hash: reqHash, hashText: reqHashJson };
const STATE = { make: stateText, expect: twin.stateHash, hash: stateHash, hashText: stateHashJson };

export function generate(random) {
  const form = random.pick([REQUEST, REQUEST, STATE]);
  return { ...form, expression: { type: 'text', value: form.make(random) } };
}

export function difference({ expression: { value: text }, expect, hash, hashText }) {
  const expected = outcome(() => expect(JSON.parse(text)));
  const ofValue = outcome(() => hash(JSON.parse(text)));
  if (!sameOutcome(expected, ofValue)) return `${hash.name}: expected ${show(expected)}, found ${show(ofValue)}`;
  const ofText = outcome(() => hashText(text));
  if (!sameOutcome(expected, ofText)) return `${hashText.name}: expected ${show(expected)}, found ${show(ofText)}`;
  return undefined;
}

export const print = ({ expression, hash }) => `${hash.name}: ${JSON.stringify(expression.value)}`;
