// Records: verifying them. Sealing is in seal.ts.
import { framed, type Use, writeWhole } from './frame.js';
import { keysOf, type SigningKey, type VerifyOptions } from './keys.js';
import { native } from './native.js';

export {
  RUNBACK_AUDIT_PUBKEY_PEM,
  RUNBACK_AUDIT_PUBKEYS_PEM,
  RUNBACK_AUDIT_REVOKED_PUBKEYS_PEM,
  type SigningKey,
  type VerifyOptions,
} from './keys.js';
export { generateKeyPair, type RunSummary, type SealedRecord, type SealKeys, type SealOptions, seal } from './seal.js';

/** The schemas that a record may name. */
export const KNOWN_SCHEMAS: readonly string[] = ['runback.audit/v2', 'runback.cassette/v1'];

/** What a signature proves. */
export type SignatureVerdict = 'valid' | 'valid-unpinned' | 'revoked' | 'invalid' | 'no-key' | 'unsigned';

/** The name of a check. */
export type CheckName = 'schema' | 'consistent' | 'chain' | 'digest' | 'cassette' | 'signature';

/** Where a check failed. */
export interface Failure {
  check: CheckName;
  /** The first event at which it failed. */
  index?: number;
  /** JSON Pointer (RFC 6901) to the claim that does not hold. */
  pointer?: string;
  /** JSON Pointer to what contradicts it. */
  evidence?: string;
  /** The digest that would be right. */
  expected?: string;
  /** What the record claims. */
  actual?: unknown;
}

/** The verdict on a record. */
export interface VerifyResult {
  /** Whole, and signed by a pinned key or with the HMAC key. */
  valid: boolean;
  /** `unverified`: whole, but nothing proves who made it. */
  verdict: 'valid' | 'unverified' | 'invalid';
  /** All checks but the signature's passed. */
  integrity: boolean;
  checks: {
    schema: boolean;
    chain: boolean;
    digest: boolean;
    cassette: boolean;
    consistent: boolean;
    signature: SignatureVerdict;
    signature_alg: 'Ed25519' | 'HMAC-SHA256' | null;
  };
  consistency_failures: string[];
  /** What the record says of itself: untyped, as it is not verified. */
  meta: { schema: unknown; run_id?: unknown; event_count: number; generated_at?: unknown; spec_url: unknown };
  failures: Failure[];
}

/**
 * The six checks of a record. A broken or forged record is a result, not an error.
 *
 * @throws {TypeError} `ERR_TAPEPROOF_RECORD`, `ERR_TAPEPROOF_EVENT`, `ERR_TAPEPROOF_PROJECTION` for what is no record,
 *   `ERR_TAPEPROOF_BIGINT`; `ERR_TAPEPROOF_PUBLIC_KEY`, `ERR_TAPEPROOF_SIGNING_KEY` for unusable keys
 * @throws {RangeError} `ERR_TAPEPROOF_DEPTH` for a cycle or nesting beyond 2048
 */
export function verify(record: unknown, signingKey?: SigningKey | null, options?: VerifyOptions | null): VerifyResult {
  const keys = keysOf(signingKey, options);
  return framed(record, writeWhole, (addon, words, start, end, text, list) =>
    JSON.parse(addon.verify(words, start, end, text, list, ...keys)),
  );
}

/**
 * {@link verify} for the text of a record, or its bytes in UTF-8.
 *
 * @throws as {@link verify}, and {SyntaxError} `ERR_TAPEPROOF_SYNTAX`, `ERR_TAPEPROOF_UTF8`
 */
export function verifyJson(
  source: string | Uint8Array,
  signingKey?: SigningKey | null,
  options?: VerifyOptions | null,
): VerifyResult {
  return JSON.parse(native().verifyJson(source, ...keysOf(signingKey, options)));
}

/** {@link verifyJson} on another thread. The source is copied first and may change meanwhile. */
export async function verifyJsonAsync(
  source: string | Uint8Array,
  signingKey?: SigningKey | null,
  options?: VerifyOptions | null,
): Promise<VerifyResult> {
  return JSON.parse(await native().verifyJsonAsync(source, ...keysOf(signingKey, options)));
}

/**
 * {@link verifyJson} for the record in a file, on another thread. In memory is no more than the largest event and the
 * other members of the record; the events are read a second time when they are not in the order of their `seq`, or come
 * before the manifest.
 *
 * @throws as {@link verifyJson}, and {Error} `ERR_TAPEPROOF_FILE` for what is no file that can be read, with the
 *   `reason`; `ERR_TAPEPROOF_CHANGED` for one that was written to meanwhile
 */
export async function verifyFile(
  path: string,
  signingKey?: SigningKey | null,
  options?: VerifyOptions | null,
): Promise<VerifyResult> {
  return JSON.parse(await native().verifyFile(path, ...keysOf(signingKey, options)));
}

/** The hash of each event and the content digest. */
export function computeEventChain(events: readonly unknown[]): { hashes: string[]; digest: string } {
  return framed(events, writeWhole, eventChain);
}

/** The digest of the oracle stream and the number of its entries; `null` when a `seq` is not a number. */
export function computeCassetteDigest(events: readonly unknown[]): { digest: string | null; entry_count: number } {
  return framed(events, writeWhole, cassetteDigest);
}

const eventChain: Use<{ hashes: string[]; digest: string }> = (addon, words, start, end, text, list) =>
  JSON.parse(addon.eventChain(words, start, end, text, list));

const cassetteDigest: Use<{ digest: string | null; entry_count: number }> = (addon, words, start, end, text, list) =>
  JSON.parse(addon.cassetteDigest(words, start, end, text, list));
