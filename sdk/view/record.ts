// A record as it is shown. Nothing in it is known to be of any type, and no verdict is made here.
import type { VerifyResult } from '../verify.js';

/** What is shown of one file. */
export interface Shown {
  /** The name of the file. */
  name: string;
  bytes: number;
  /** Of the file, in hex; `undefined` where it cannot be computed. */
  sha256: string | undefined;
  /** SHA-256 of the key in the record that its signature is said to be by, in hex. */
  signer: string | undefined;
  /** The same of the keys that the verdict trusts. */
  pinned: readonly string[];
  result: VerifyResult;
  record: unknown;
}

export const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

export function eventsOf({ record }: Shown): readonly unknown[] {
  const events = member(record, 'events');
  return Array.isArray(events) ? events : [];
}

/** The bytes of the Ed25519 key that a record brings, as its PEM holds them. */
export function keyIn(record: unknown): Uint8Array<ArrayBuffer> | undefined {
  const signature = member(member(record, 'manifest'), 'signature');
  const pem = member(signature, 'pubkey');
  return member(signature, 'alg') === 'Ed25519' && typeof pem === 'string' ? keyBytes(pem) : undefined;
}

/** Lines with what ends them; behind the first marker that is a line feed. */
const LINES = /[^\n\r\u2028\u2029]*(?:\r\n|[\n\r\u2028\u2029]|$)/g;
const BEGIN = /^-----BEGIN PUBLIC KEY-----[ \t]*\r?\n$/;
const END = /^-----END PUBLIC KEY-----[ \t]*[\n\r\u2028\u2029]*$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** What the SPKI of an Ed25519 key begins with, and how long it is. */
const SPKI = '\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00';
const SPKI_BYTES = 44;

/**
 * The bytes of the key in a PEM, in the block that the verifier takes: a looser reading would show the fingerprint of
 * one key beside a verdict on another.
 */
export function keyBytes(pem: string): Uint8Array<ArrayBuffer> | undefined {
  let open: string[] | undefined;
  let found: string[] | undefined;
  for (const line of pem.replace(/^\ufeff/, '').match(LINES) ?? []) {
    if (!open) {
      if (BEGIN.test(line)) open = [];
    } else if (!END.test(line)) open.push(line);
    else if (found) return undefined;
    else [found, open] = [open, undefined];
  }
  const base64 = found?.join('').replace(/\s/g, '');
  if (base64 === undefined || !BASE64.test(base64)) return undefined;
  const bytes = atob(base64);
  if (!bytes.startsWith(SPKI) || bytes.length !== SPKI_BYTES) return undefined;
  return Uint8Array.from(bytes, character => character.charCodeAt(0));
}

/** The event at which the chain breaks; `Infinity` when it holds. */
export const breakOf = ({ result }: Shown): number =>
  result.failures.find(({ check }) => check === 'chain')?.index ?? Number.POSITIVE_INFINITY;

export type State = 'whole' | 'broken' | 'after';

export const stateOf = (index: number, broken: number): State =>
  index < broken ? 'whole' : index === broken ? 'broken' : 'after';

/** What kind of event it is, and of what: text from the record. */
export function titleOf(event: unknown): { type: string; of: unknown } {
  const type = member(event, 'type');
  if (typeof type !== 'string') return { type: 'event', of: undefined };
  switch (type) {
    case 'llm':
      return { type: 'model', of: member(member(event, 'model'), 'model_id') };
    case 'tool':
      return { type, of: member(event, 'tool_name') };
    case 'run':
      return { type, of: member(event, 'phase') };
    case 'env':
      return { type: 'environment', of: member(event, 'kind') };
    case 'reasoning':
      return { type, of: member(event, 'label') };
    default:
      return { type, of: undefined };
  }
}

/** What was asked, and what came back. */
export function sidesOf(event: unknown): { asked: unknown; answered: unknown; failed: boolean } {
  const error = member(event, 'error');
  const answer = (name: string) => (error ? error : member(event, name));
  const failed = Boolean(error);
  switch (member(event, 'type')) {
    case 'llm':
      return { asked: member(event, 'request'), answered: answer('response'), failed };
    case 'tool':
      return { asked: member(event, 'input'), answered: answer('output'), failed };
    case 'env':
      return { asked: member(event, 'key'), answered: answer('output'), failed };
    case 'run':
      return { asked: member(event, 'input') ?? undefined, answered: answer('output') ?? undefined, failed };
    case 'reasoning':
      return { asked: undefined, answered: member(event, 'text'), failed };
    default:
      return { asked: undefined, answered: undefined, failed };
  }
}
