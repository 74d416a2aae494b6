// SHA-256 as it is shown to people, and of keys.
import { createHash } from 'node:crypto';
import { keyBytes } from './view/record.js';

/** Lowercase hex. */
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Of the SPKI bytes in PEMs; what is no PEM has none. */
export const fingerprints = (pems: readonly unknown[]): string[] =>
  pems.flatMap(pem => {
    const bytes = typeof pem === 'string' ? keyBytes(pem) : undefined;
    return bytes ? [sha256(bytes)] : [];
  });
