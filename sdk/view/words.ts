// What is said of a verdict and of a comparison, in the terminal and on pages. Nothing of it is text from a record.
import type { ComparedStep } from '../evidence.js';
import type { CheckName, Failure, VerifyResult } from '../verify.js';

type Checks = VerifyResult['checks'];

/** The checks of a record's integrity, in the order in which they are told. */
export const INTEGRITY = ['schema', 'consistent', 'chain', 'digest', 'cassette'] as const;

export const PASSED: Record<Exclude<CheckName, 'signature'>, string> = {
  schema: 'a schema that is known',
  consistent: 'the summary says what the events say',
  chain: 'every event is what its hash says',
  digest: 'the chain ends where the manifest says',
  cassette: 'the oracle stream is what its digest says',
};

const CLAIMS: Record<string, string> = {
  '/manifest/run_id': 'manifest.run_id is the run_id of no event',
  '/run/status': 'run.status contradicts the event that ends the run',
  '/run/output': 'run.output contradicts the event that ends the run',
  '/run/error': 'run.error contradicts the event that ends the run',
};

/** `pointer` of a failure is made of the format's own names and of numbers, never of text from a record. */
export function failureWords({ check, index, pointer }: Failure): string {
  switch (check) {
    case 'schema':
      return '$schema names none that is known';
    case 'consistent':
      return CLAIMS[pointer ?? ''] ?? 'the summary contradicts the events';
    case 'chain':
      return `broken at event ${index} (${pointer}): it, or what was before it, was changed, added, moved or removed`;
    case 'digest':
      return 'the chain ends elsewhere than the manifest says: events were changed, added or cut off';
    case 'cassette':
      return index === undefined
        ? 'the oracle stream is not what its digest says'
        : `event ${index} has a seq that is no number`;
    case 'signature':
      return 'the signature is wrong';
  }
}

/** What the signature says for the verdict. */
export const signatureVerdict = ({ signature }: Checks): VerifyResult['verdict'] =>
  signature === 'valid' || signature === 'invalid' ? signature : 'unverified';

/** What the signature proves, and what it does not. */
export function signatureWords({ signature, signature_alg: alg }: Checks, integrity: boolean): string {
  switch (signature) {
    case 'valid': {
      const by = alg === 'Ed25519' ? 'Ed25519, by a pinned key' : 'HMAC, made with the given key';
      if (!integrity) return `${by}, but for digests that are not those of the events`;
      return alg === 'Ed25519'
        ? `${by}: its owner signed these events`
        : `${by}: by someone who has it, which may be any verifier`;
    }
    case 'valid-unpinned':
      return 'Ed25519, by the key in the record, which is not pinned: who signed is not proven';
    case 'revoked':
      return 'Ed25519, by a revoked key: whoever found or stole it may have signed';
    case 'no-key':
      return alg === 'Ed25519'
        ? 'Ed25519, but without a public key to check it with: nothing is proven'
        : 'HMAC, not checked without its key: nothing is proven';
    case 'unsigned':
      return 'none: anyone may have made this record';
    case 'invalid':
      return `${alg === 'Ed25519' ? 'Ed25519' : 'HMAC'}, wrong: not made by the key that it names for these digests`;
  }
}

export const MARKS: Record<VerifyResult['verdict'], string> = { valid: '✓', unverified: '?', invalid: '✗' };

/** The verdict as a sentence. */
export function verdictSentence({ verdict, integrity, checks, failures }: VerifyResult): string {
  if (verdict === 'valid') {
    return checks.signature_alg === 'Ed25519'
      ? 'No event was changed since it was sealed, and the owner of a pinned key sealed it.'
      : 'No event was changed since it was sealed, by someone who has the shared key.';
  }
  if (verdict === 'unverified') {
    return checks.signature === 'revoked'
      ? 'It is whole, but the key that signed it is no longer trusted.'
      : 'It is whole, but nothing proves who made it.';
  }
  if (integrity) return 'Its signature was not made for it by the key that it names.';
  const broken = failures.find(({ check }) => check === 'chain')?.index;
  if (broken !== undefined) return `It is not as it was sealed: the chain breaks at event ${broken}.`;
  if (!checks.digest) return 'It is not as it was sealed: events were changed, added or cut off.';
  if (!checks.consistent) return 'Its summary contradicts its events.';
  if (!checks.schema) return 'It names no format that is known.';
  return 'It is not as it was sealed: what the run got from outside is not what its digest says.';
}

/** What even this verdict leaves open. */
export function notProved({ verdict, checks }: VerifyResult): string[] {
  const open = [
    'That what a model or a tool answered is true. A record shows what was recorded, not whether it is right.',
    'That everything was recorded. What never became an event cannot be missed here.',
    'When it happened. Times are those of the machine that recorded; generated_at is under no signature.',
    'What no check covers: the name of the run, its totals, and every other member of run and manifest that the events do not repeat.',
  ];
  if (verdict === 'invalid') {
    return [
      'What the run really did. Something in this record is not what it claims to be, and a verdict does not tell what it was before.',
      'Who changed it, when, and why. A damaged file looks the same as a forged one.',
      ...open.slice(1),
    ];
  }
  switch (checks.signature) {
    case 'valid':
      return checks.signature_alg === 'Ed25519'
        ? ['Whose key it is. That a key is pinned says that someone here decided to trust it.', ...open]
        : ['Which of those who have the shared key sealed it.', ...open];
    case 'valid-unpinned':
      return [
        'Who signed it. Anyone can make a key: ask the signer for the fingerprint, by another way than the record came.',
        ...open,
      ];
    case 'revoked':
      return ['That its owner signed it. The key is revoked.', ...open];
    default:
      return ['Who made it, and that it is what was made first. Anyone can seal other events like this.', ...open];
  }
}

/** What became of a call from one run to the other. */
export const RESULTS: Record<ComparedStep['result'], string> = {
  same: 'the same',
  answer: 'another answer',
  changed: 'changed',
  missing: 'only in A',
  extra: 'only in B',
};
