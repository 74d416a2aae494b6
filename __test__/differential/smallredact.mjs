// Redaction of single texts by the default preset against the twin.
import { redactText } from 'tapeproof/redact';
import { sensitiveText } from '../random/redaction.mjs';
import { redact } from '../reference/redact.mjs';
import { show } from './outcome.mjs';

export const generate = random => ({ expression: { type: 'text', value: sensitiveText(random) } });

const written = ({ value, map }) => JSON.stringify([value, Object.entries(map)]);

export function difference({ expression: { value: text } }) {
  const expected = redact(text);
  const actual = redactText(text);
  if (written(expected) === written(actual)) return undefined;
  return `redactText: expected ${show(expected)}, found ${show(actual)}`;
}

export const print = ({ expression }) => `redactText(${JSON.stringify(expression.value)})`;
