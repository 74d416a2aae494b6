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
