// The three readings of the hashing specification, under one shape.
import canonicalize from 'canonicalize';
import * as native from 'tapeproof/hash';
import * as twin from './reference/hash.mjs';
import { sharedFolder } from './shared.mjs';

const baselineFolder = sharedFolder('baseline');
const baseline =
  baselineFolder && (await import(new URL('hash.mjs', baselineFolder).href)).createHashBaseline(canonicalize);

export const readings = [
  { name: 'native', H: native },
  { name: 'twin', H: twin },
  ...(baseline ? [{ name: 'baseline', H: baseline }] : []),
];

/** The two that promise more than the specification of the bytes: codes, pointers, one depth limit, single reads. */
export const ours = readings.filter(({ name }) => name !== 'baseline');

/** A request and its hash, to see that an implementation still works after a failure. */
export const anchor = {
  request: {
    kind: 'model',
    provider: 'anthropic',
    model_id: 'claude-sonnet-5',
    messages: [{ role: 'user', content: 'summarise this' }],
  },
  hash: 'faba1bab0b866b412ff8992582fc2a4bc0be5864895e9790dc4e4215fdb3301d',
};
