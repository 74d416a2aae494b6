// `tapeproof keygen`
import { closeSync, fsyncSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { generateKeyPair } from '../verify.js';
import { visible } from '../visible.js';
import { notWritten, UsageError } from './failure.js';
import { write } from './output.js';

export const help = `Usage: tapeproof keygen [NAME]

Makes an Ed25519 key pair: NAME.key to seal with, which only its owner can read, and NAME.pub to give to whoever
verifies. NAME is tapeproof unless it is given. A file that is there already is never written over.
`;

export async function run(args: string[]): Promise<number> {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: {} });
  const [name = 'tapeproof', ...others] = positionals;
  // Of an empty one, or of a folder, they would be hidden files.
  if (others.length > 0 || /(?:^|[\\/])$/.test(name)) throw new UsageError('expected one NAME');
  const { privateKey, publicKey } = generateKeyPair();
  const [secret, open] = [`${name}.key`, `${name}.pub`];
  create(secret, privateKey, 0o600);
  try {
    create(open, publicKey, 0o644);
  } catch (error) {
    // Half a pair is of no use.
    unlinkSync(secret);
    throw error;
  }
  await write(`${visible(secret)}\n${visible(open)}\n`);
  return 0;
}

/** Writes a new file, whole or not at all; the mode holds from the first byte on. */
function create(file: string, text: string, mode: number): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'wx', mode);
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } catch (error) {
    if (descriptor !== undefined) unlinkSync(file);
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw isThere ? new UsageError(`${visible(file)}: exists already [EEXIST]`) : notWritten(file, error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
