// Who is measured: the native core, the plain-JavaScript yardstick, and what people would write with other packages.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import canonicalize from 'canonicalize';
import objectHash from 'object-hash';
import stableStringify from 'safe-stable-stringify';
import * as native from 'tapeproof/hash';

const baselineFile = new URL('../../shared/baseline/hash.mjs', import.meta.url);

/** The yardstick: the reading of the specification that is kept outside the project, else the project's own twin. */
export const yardstick = existsSync(baselineFile)
  ? { name: 'baseline', H: (await import(baselineFile.href)).createHashBaseline(canonicalize) }
  : { name: 'twin', H: await import('../__test__/reference/hash.mjs') };

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
