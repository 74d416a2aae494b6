// Seals the events of a run into a record.
import { isObject, requireJson } from './json.js';
import { hmacKeyOf, type SigningKey } from './keys.js';
import { failure, native } from './native.js';

/** The summary of a run: JSON values. What the events say of it must agree. */
export interface RunSummary {
  run_id?: string;
  name?: string;
  status?: string;
  started_at?: string | null;
  ended_at?: string | null;
  [field: string]: unknown;
}

/** What signs: with both keys the Ed25519 one, with none the record is unsigned. */
export interface SealKeys {
  /** PKCS#8 PEM of an Ed25519 key. */
  privateKey?: string;
  hmacKey?: SigningKey;
}

/** How to seal. */
export interface SealOptions extends SealKeys {
  run: RunSummary;
  /** By default that of the run, or of the first event that has one. */
  runId?: string;
  /** ISO 8601; now by default. */
  generatedAt?: string;
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
  const { run, events: given } = snapshot({ run: options.run, events });
  if (!isObject(run)) throw misuse('/run');
  if (options.runId !== undefined && typeof options.runId !== 'string') throw misuse('/runId');
  const generatedAt = generationTime(options);
  const signer = signerOf(options);
  if (!Array.isArray(given)) throw misuse('/events');
  const bare = given.map((event: unknown, index) => {
    if (!isObject(event)) throw misuse(`/events/${index}`);
    delete event['_hash'];
    return event;
  });

  const run_id = options.runId ?? run.run_id ?? bare.map(event => event['run_id']).find(Boolean) ?? null;
  const draft = JSON.stringify({ manifest: { run_id }, run, events: bare });
  const sealed: Sealed = JSON.parse(native().seal(draft, ...signer));

  return {
    ...preamble({ run_id, generated_at: generatedAt, event_count: bare.length }, sealed),
    run,
    events: bare.map((event, index) => Object.assign(event, { _hash: sealed.hashes[index] })),
  };
}

/** What stands in a record before its run and its events. */
export function preamble(
  known: Pick<SealedRecord['manifest'], 'run_id' | 'generated_at' | 'event_count'>,
  sealed: Sealed,
): Pick<SealedRecord, '$schema' | 'manifest'> {
  return {
    $schema: 'runback.audit/v2',
    manifest: {
      ...known,
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
  };
}

/** What Rust makes of a draft. */
export interface Sealed {
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

/** `generatedAt`, or now. */
export function generationTime({ generatedAt = new Date().toISOString() }: { generatedAt?: string }): string {
  if (typeof generatedAt !== 'string') throw misuse('/generatedAt');
  return generatedAt;
}

/** The two keys as Rust takes them. */
export function signerOf({ privateKey, hmacKey }: SealKeys): [privateKey: string | undefined, hmacKey: unknown] {
  if (privateKey !== undefined && typeof privateKey !== 'string') throw failure('ERR_TAPEPROOF_PRIVATE_KEY', '');
  const bytes = hmacKeyOf(hmacKey);
  // With an empty key anybody can sign.
  const isEmpty = bytes === undefined || (ArrayBuffer.isView(bytes) && bytes.byteLength === 0);
  return [privateKey, hmacKey === undefined ? undefined : isEmpty ? null : bytes];
}

const misuse = (pointer: string): Error => failure('ERR_TAPEPROOF_SEAL', pointer);

/** A copy of what JSON text holds without change or loss; anything else is misuse. */
function snapshot<T>(root: T): T {
  requireJson(root);
  return JSON.parse(JSON.stringify(root));
}
