// What tells two recordings of one request apart.
import { HASH_VERSION, stateHashJson } from './hash.js';
import { failure } from './native.js';
import type { Cassette } from './schema.js';

const known = new WeakMap<Cassette, string>();

/** The `stateHash` of a cassette's response. */
export function responseHash(cassette: Cassette): string {
  let hash = known.get(cassette);
  if (hash === undefined) {
    hash = stateHashJson(cassette.response);
    known.set(cassette, hash);
  }
  return hash;
}

/** The ref of a response that is not the first to its request. */
export const otherRef = (hash: string, responseHash: string): string =>
  `${hash}.${responseHash.slice('sha256:'.length, 'sha256:'.length + 16)}`;

/** Hashes of another version mean something else: they are never read or written as ours. */
export function requireVersion(recorded: { hash_version: unknown }): void {
  if (recorded.hash_version !== HASH_VERSION) throw failure('ERR_TAPEPROOF_HASH_VERSION', '/hash_version');
}
