// Who is measured: the native core, the plain-JavaScript yardstick, and what people would write with other packages.
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import objectHash from 'object-hash';
import stableStringify from 'safe-stable-stringify';
import * as native from 'tapeproof/hash';
import { yardstick } from './yardstick.mjs';

export { yardstick };

const sha256 = text => createHash('sha256').update(text).digest('hex');

/** Ways to hash a request. `JSON.stringify` alone hashes nothing: it is the least that a detour over text would cost. */
export const requestHashes = {
  native: native.reqHash,
  [yardstick.name]: yardstick.H.reqHash,
  'JSON.stringify': JSON.stringify,
};

/** Ways to hash a state. The last three normalize nothing, so they do less. */
export const stateHashes = {
  native: native.stateHash,
  [yardstick.name]: yardstick.H.stateHash,
  'canonicalize + crypto': value => sha256(canonicalize(value)),
  'safe-stable-stringify + crypto': value => sha256(stableStringify(value)),
  'object-hash': value => objectHash(value, { algorithm: 'sha256' }),
};
