// Verification of small signed records, against the twin.
import { anyKeys } from '../random/record.mjs';
import { recordText } from '../random/small.mjs';

export { differenceFromTwin as difference, print } from './record.mjs';

export const generate = random => ({
  expression: { type: 'text', value: recordText(random, 'signed') },
  form: random.pick(['text', 'bytes', 'object']),
  ...anyKeys(random),
});
