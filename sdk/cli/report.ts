// What is said of a record to people. Text from the record stands alone at the end of a line of its own, short, quoted
// and with nothing in it that a terminal obeys: it can neither begin a line nor move or colour one.
import type { CheckName, Failure, VerifyResult } from '../verify.js';
import type { Colour, Paint } from './paint.js';
import { visible } from './visible.js';

/** Wide characters take two columns; with what stands before it, an excerpt fits into a line of 80. */
const EXCERPT = 32;

const excerpt = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
  const characters = Array.from(text.slice(0, 2 * EXCERPT + 2));
  const isCut = characters.length > EXCERPT;
  return `"${visible(characters.slice(0, EXCERPT).join(''))}"${isCut ? '…' : ''}`;
};

type Checks = VerifyResult['checks'];

const PASSED: Record<Exclude<CheckName, 'signature'>, string> = {
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
function failed({ check, index, pointer }: Failure): string {
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

/** What the signature proves, and what it does not. */
function signatureWords({ signature, signature_alg: alg }: Checks, integrity: boolean): string {
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

const COLOURS: Record<VerifyResult['verdict'], Colour> = { valid: 'green', unverified: 'yellow', invalid: 'red' };
const MARKS: Record<VerifyResult['verdict'], string> = { valid: '✓', unverified: '?', invalid: '✗' };

const ORDER = ['schema', 'consistent', 'chain', 'digest', 'cassette'] as const;

/** The six checks, a line each; a second failure of one check has a line of its own below. */
function checkLines({ checks, integrity, failures }: VerifyResult, paint: Paint, all: boolean): string {
  let text = '';
  for (const name of ORDER) {
    const words = failures.filter(({ check }) => check === name).map(failed);
    if (words.length === 0 && all) text += `  ${paint('green', '✓')} ${name.padEnd(10)}  ${PASSED[name]}\n`;
    for (const word of words) text += `  ${paint('red', '✗')} ${name.padEnd(10)}  ${word}\n`;
  }
  const verdict = checks.signature === 'valid' ? 'valid' : checks.signature === 'invalid' ? 'invalid' : 'unverified';
  if (verdict === 'valid' && !all) return text;
  return `${text}  ${paint(COLOURS[verdict], MARKS[verdict])} ${'signature'.padEnd(10)}  ${signatureWords(checks, integrity)}\n`;
}

const headLine = (file: string, { verdict }: VerifyResult, paint: Paint): string =>
  `${paint(COLOURS[verdict], `${MARKS[verdict]} ${verdict.padEnd(10)}`)}  ${file}\n`;

/** All about one record. `file` is safe to print. */
export function report(file: string, result: VerifyResult, paint: Paint): string {
  const { run_id, generated_at, event_count, schema } = result.meta;
  const said = Object.entries({ schema, run_id, generated_at }).filter(([, value]) => value != null);
  return [
    headLine(file, result, paint),
    checkLines(result, paint, true),
    `\n  ${event_count} ${event_count === 1 ? 'event' : 'events'}. The record says of itself:\n`,
    ...said.map(([name, value]) => `    ${name.padEnd(12)}  ${excerpt(value)}\n`),
  ].join('');
}

/** One record among several: its verdict, and what stands against it. */
export const briefReport = (file: string, result: VerifyResult, paint: Paint): string =>
  headLine(file, result, paint) + checkLines(result, paint, false);
