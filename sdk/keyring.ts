// The keys that the environment holds, for the command line and the server.
import type { Keys, SigningKey } from './keys.js';
import { RUNBACK_AUDIT_PUBKEYS_PEM } from './keys.js';

/** PKCS#8 PEM of the Ed25519 key to seal with. */
export const ENV_PRIVATE_KEY = 'TAPEPROOF_ED25519_PRIVATE_KEY';

/** PEMs of the Ed25519 keys that are pinned, the current one first. */
export const ENV_PUBLIC_KEYS = 'TAPEPROOF_ED25519_PUBLIC_KEYS';

/** The HMAC key to seal with; what it or the previous one made is valid. */
export const ENV_HMAC_KEY = 'TAPEPROOF_HMAC_KEY';
export const ENV_HMAC_KEY_PREVIOUS = 'TAPEPROOF_HMAC_KEY_PREVIOUS';

const BLOCK = /^\uFEFF?-----BEGIN [^\n]*\n.*?^-----END [^\n]*/gms;

/**
 * The PEM blocks of a text. A text whose keys are not all found is given as one that holds none, which whoever reads
 * them refuses: a revoked key must not be overlooked.
 */
export function pemBlocks(text: string): string[] {
  const found = text.match(BLOCK) ?? [];
  return found.length > 0 && found.length === text.split('-----BEGIN').length - 1 ? found : [''];
}

/** An HMAC key as a file or a variable holds it: the line end behind it is no part of it. */
export const withoutLineEnd = (text: string): string => text.replace(/\r?\n$/, '');

/** Keys that were given otherwise, in place of those of the environment. */
export interface Given {
  pinned?: readonly string[] | undefined;
  revoked?: readonly string[] | undefined;
  hmacKeys?: readonly SigningKey[] | undefined;
}

/** Whom to trust. Without a word from anyone, Runback's published keys are pinned. */
export function keysFrom(env: NodeJS.ProcessEnv, given: Given = {}): Keys {
  const fromEnv = env[ENV_PUBLIC_KEYS];
  const pinned = given.pinned ?? (fromEnv ? pemBlocks(fromEnv) : RUNBACK_AUDIT_PUBKEYS_PEM);
  const hmacKeys = given.hmacKeys ?? [env[ENV_HMAC_KEY], env[ENV_HMAC_KEY_PREVIOUS]].filter(Boolean);
  return [pinned, given.revoked ?? [], hmacKeys];
}
