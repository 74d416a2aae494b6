// Records: verifying them, and sealing the events of a run into one.
import { framed, MAX_DEPTH, type Use, writeWhole } from './frame.js';
import { hmacKeyOf, keysOf, type SigningKey, type VerifyOptions } from './keys.js';
import { native } from './native.js';

export {
  RUNBACK_AUDIT_PUBKEY_PEM,
  RUNBACK_AUDIT_PUBKEYS_PEM,
  RUNBACK_AUDIT_REVOKED_PUBKEYS_PEM,
  type SigningKey,
  type VerifyOptions,
} from './keys.js';

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
  return framed(record, writeWhole, (addon, bytes, start, end, list) =>
    JSON.parse(addon.verify(bytes, start, end, list, ...keys)),
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

/** The hash of each event and the content digest. */
export function computeEventChain(events: readonly unknown[]): { hashes: string[]; digest: string } {
  return framed(events, writeWhole, eventChain);
}

/** The digest of the oracle stream and the number of its entries; `null` when a `seq` is not a number. */
export function computeCassetteDigest(events: readonly unknown[]): { digest: string | null; entry_count: number } {
  return framed(events, writeWhole, cassetteDigest);
}

const eventChain: Use<{ hashes: string[]; digest: string }> = (addon, bytes, start, end, list) =>
  JSON.parse(addon.eventChain(bytes, start, end, list));

const cassetteDigest: Use<{ digest: string | null; entry_count: number }> = (addon, bytes, start, end, list) =>
  JSON.parse(addon.cassetteDigest(bytes, start, end, list));

/** The summary of a run: JSON values. What the events say of it must agree. */
export interface RunSummary {
  run_id?: string;
  name?: string;
  status?: string;
  started_at?: string | null;
  ended_at?: string | null;
  [field: string]: unknown;
}

/** How to seal. With both keys the record is signed with the Ed25519 one, with none it is unsigned. */
export interface SealOptions {
  run: RunSummary;
  /** By default that of the run, or of the first event that has one. */
  runId?: string;
  /** ISO 8601; now by default. */
  generatedAt?: string;
  /** PKCS#8 PEM of an Ed25519 key. */
  privateKey?: string;
  hmacKey?: SigningKey;
}

/** A sealed record. */
export interface SealedRecord {
  $schema: string;
  manifest: {
    run_id: unknown;
    generated_at: string;
    event_count: number;
    algorithm: 'sha256-chain';
    content_digest: string;
    replay: { cassette_digest: string; entry_count: number; algorithm: 'oracle-chain/sha256'; note: string };
    signed: boolean;
    signature: { alg: 'Ed25519' | 'HMAC-SHA256'; value: string; pubkey?: string } | null;
    verify: string;
    spec_url: string;
    verifier_url: string;
  };
  run: RunSummary;
  events: Record<string, unknown>[];
}

/**
 * Seals the events of a run. The record shares nothing with its arguments.
 *
 * @throws {TypeError} `ERR_TAPEPROOF_SEAL`, with a pointer into `{run, events}`, for what JSON text would change or
 *   lose, for an event that is no object, and for a summary that contradicts the events; `ERR_TAPEPROOF_PRIVATE_KEY`,
 *   `ERR_TAPEPROOF_SIGNING_KEY`, and those of {@link verify}
 * @throws {RangeError} `ERR_TAPEPROOF_DEPTH`
 */
export function seal(events: readonly object[], options: SealOptions): SealedRecord {
  const { privateKey, hmacKey, generatedAt = new Date().toISOString() } = options;
  const { run, events: given } = snapshot({ run: options.run, events });
  if (!isObject(run)) throw misuse('/run');
  if (options.runId !== undefined && typeof options.runId !== 'string') throw misuse('/runId');
  if (typeof generatedAt !== 'string') throw misuse('/generatedAt');
  if (privateKey !== undefined && typeof privateKey !== 'string') throw native().error('ERR_TAPEPROOF_PRIVATE_KEY', '');
  if (!Array.isArray(given)) throw misuse('/events');
  const bare = given.map((event: unknown, index) => {
    if (!isObject(event)) throw misuse(`/events/${index}`);
    delete event['_hash'];
    return event;
  });

  const run_id = options.runId ?? run.run_id ?? bare.map(event => event['run_id']).find(Boolean) ?? null;
  const draft = JSON.stringify({ manifest: { run_id }, run, events: bare });
  // An empty key would verify nothing.
  const hmac = hmacKey === undefined ? undefined : (hmacKeyOf(hmacKey) ?? null);
  const sealed: Sealed = JSON.parse(native().seal(draft, privateKey, hmac));

  return {
    $schema: 'runback.audit/v2',
    manifest: {
      run_id,
      generated_at: generatedAt,
      event_count: bare.length,
      algorithm: 'sha256-chain',
      content_digest: sealed.content_digest,
      replay: {
        cassette_digest: sealed.cassette_digest,
        entry_count: sealed.entry_count,
        algorithm: 'oracle-chain/sha256',
        note: 'What the run got from models, tools and its environment, by the question asked, in the order of seq.',
      },
      signed: sealed.signature !== null,
      signature: sealed.signature,
      verify:
        'Recompute the hash of every event and both digests, and check the signature of content_digest:cassette_digest.',
      spec_url: 'https://runback.dev/spec',
      verifier_url: 'https://runback.dev/verify',
    },
    run,
    events: bare.map((event, index) => Object.assign(event, { _hash: sealed.hashes[index] })),
  };
}

interface Sealed {
  hashes: string[];
  content_digest: string;
  cassette_digest: string;
  entry_count: number;
  signature: SealedRecord['manifest']['signature'];
}

/** A new Ed25519 key pair as PEMs: PKCS#8 to seal with, SPKI to pin. */
export function generateKeyPair(): { privateKey: string; publicKey: string } {
  // Loaded on first use: nothing else here needs it, and it takes longer than to verify a record.
  return process.getBuiltinModule('node:crypto').generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
}

const misuse = (pointer: string): Error => native().error('ERR_TAPEPROOF_SEAL', pointer);

/** A copy of what JSON text holds without change or loss; anything else is misuse. */
function snapshot<T>(root: T): T {
  // An explicit stack: a value may be nested deeper than the thread's stack is.
  const open: { container: object; names: string[]; next: number }[] = [];
  const pointer = () => open.map(({ names, next }) => `/${escaped(names[next - 1] ?? '')}`).join('');
  let value: unknown = root;
  for (;;) {
    if (typeof value === 'object' && value !== null) {
      const names = namesOf(value);
      if (names === undefined) throw misuse(pointer());
      if (open.length === MAX_DEPTH) throw native().error('ERR_TAPEPROOF_DEPTH', pointer());
      open.push({ container: value, names, next: 0 });
    } else if (!isJsonScalar(value)) {
      throw misuse(pointer());
    }
    let top = open.at(-1);
    while (top !== undefined && top.next === top.names.length) {
      open.pop();
      top = open.at(-1);
    }
    if (top === undefined) return JSON.parse(JSON.stringify(root));
    value = (top.container as Record<string, unknown>)[top.names[top.next++] ?? ''];
  }
}

const escaped = (name: string): string => name.replace(/~/g, '~0').replace(/\//g, '~1');

const isJsonScalar = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || value === null || Number.isFinite(value);

/** The names of all that a container holds, unless it holds what JSON text leaves out. */
function namesOf(container: object): string[] | undefined {
  const names = Object.keys(container);
  if (Object.getOwnPropertySymbols(container).length > 0) return undefined;
  if (!Array.isArray(container)) return isPlain(container) ? names : undefined;
  // Neither holes nor members beside the elements.
  return names.length === container.length ? names : undefined;
}

/** Whether it is made of its entries alone; `Object.prototype` may be another realm's. */
function isPlain(object: object): boolean {
  const parent = Object.getPrototypeOf(object);
  return parent === null || Object.getPrototypeOf(parent) === null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
