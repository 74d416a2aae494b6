// Keys to verify records with, as the addon takes them.
import { isAnyArrayBuffer } from 'node:util/types';

/** The key that Runback signs with; a signature by it is `valid` without further options. */
export const RUNBACK_AUDIT_PUBKEY_PEM =
  '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEArDPmR+Gvu1HawnSvM6xjZao7BVPPQ80Qq3sa1hAYvDU=\n-----END PUBLIC KEY-----\n';

/** All keys that are pinned by default. */
export const RUNBACK_AUDIT_PUBKEYS_PEM: readonly string[] = [RUNBACK_AUDIT_PUBKEY_PEM];

/** The keys that are revoked by default: none. */
export const RUNBACK_AUDIT_REVOKED_PUBKEYS_PEM: readonly string[] = [];

/** The key of an HMAC signature. Text counts in UTF-8. */
export type SigningKey = string | ArrayBufferLike | ArrayBufferView;

/** Whose signatures to trust. */
export interface VerifyOptions {
  /** PEM of a pinned Ed25519 key, or several (rotation); `null` or `[]` pins none. Runback's published keys by default. */
  expectedPublicKey?: string | readonly string[] | null;
  /** PEM of revoked keys. */
  revokedPublicKeys?: string | readonly string[];
}

/** PEMs of pinned and of revoked keys, and HMAC keys of which any may have made a signature. */
export type Keys = readonly [pinned: readonly unknown[], revoked: readonly unknown[], hmacKeys: readonly unknown[]];

export function keysOf(signingKey: unknown, options: VerifyOptions | null | undefined): Keys {
  const { expectedPublicKey, revokedPublicKeys } = options ?? {};
  const pinned = expectedPublicKey === undefined ? RUNBACK_AUDIT_PUBKEYS_PEM : (expectedPublicKey ?? []);
  const revoked = revokedPublicKeys === undefined ? RUNBACK_AUDIT_REVOKED_PUBKEYS_PEM : revokedPublicKeys;
  const hmacKey = hmacKeyOf(signingKey);
  return [[pinned].flat(), [revoked].flat(), hmacKey === undefined ? [] : [hmacKey]];
}

export function hmacKeyOf(key: unknown): unknown {
  if (!key) return undefined;
  try {
    // Of any realm, and shared ones.
    if (isAnyArrayBuffer(key)) return new Uint8Array(key);
    if (ArrayBuffer.isView(key)) return new Uint8Array(key.buffer, key.byteOffset, key.byteLength);
  } catch {
    // The bytes went to another thread: this is no key any more.
    return null;
  }
  return key;
}
