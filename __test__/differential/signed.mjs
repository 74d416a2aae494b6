// Verification of small signed records, against the twin.
import { verification } from '../random/small.mjs';

export { differenceFromTwin as difference, print } from './record.mjs';

export const generate = random => verification(random, 'signed');
