// The keys that options name, in place of those of the environment.
import { ENV_PUBLIC_KEYS, keysFrom, pemBlocks, withoutLineEnd } from '../keyring.js';
import type { Keys, SigningKey } from '../keys.js';
import { native } from '../native.js';
import { InputError, UsageError } from './failure.js';

const { readFileSync } = process.getBuiltinModule('node:fs');

export const KEY_OPTIONS = {
  key: { type: 'string' },
  'key-file': { type: 'string' },
  pubkey: { type: 'string', multiple: true },
  revoked: { type: 'string', multiple: true },
  'no-pin': { type: 'boolean', default: false },
} as const;

interface Values {
  key?: string | undefined;
  'key-file'?: string | undefined;
  pubkey?: string[] | undefined;
  revoked?: string[] | undefined;
  'no-pin'?: boolean | undefined;
}

/** The keys to verify with. Each is read here: a key that is none must not be blamed on a record. */
export function keysGiven({ key, pubkey, revoked, ...values }: Values): Keys {
  const file = values['key-file'];
  if (key !== undefined && file !== undefined) throw new UsageError('expected --key or --key-file, not both');
  if (values['no-pin'] && pubkey !== undefined) throw new UsageError('expected --pubkey or --no-pin, not both');
  const hmacKey = key ?? (file === undefined ? undefined : keyIn(file));
  if (hmacKey === '') throw new UsageError('expected a key, found nothing');
  const keys = keysFrom(process.env, {
    pinned: values['no-pin'] ? [] : pubkey?.flatMap(publicKeysIn),
    revoked: revoked?.flatMap(publicKeysIn),
    hmacKeys: hmacKey === undefined ? undefined : [hmacKey],
  });
  checkPublicKeys(ENV_PUBLIC_KEYS, keys[0]);
  return keys;
}

function read<T>(file: string, parse: (text: string) => T): T {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new InputError(file, undefined, error);
  }
}

const keyIn = (file: string): SigningKey => read(file, withoutLineEnd);

function publicKeysIn(file: string): string[] {
  const keys = read(file, pemBlocks);
  checkPublicKeys(file, keys);
  return keys;
}

/** Nothing is verified by it but the keys themselves, which are read first. */
function checkPublicKeys(source: string, keys: readonly unknown[]): void {
  const { verifyJson } = native();
  try {
    verifyJson('{"manifest":{"_":0},"events":[]}', keys, [], []);
  } catch (error) {
    throw new InputError(source, undefined, error);
  }
}
