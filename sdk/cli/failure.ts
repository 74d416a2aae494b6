// What the command line says when something is wrong: where, what kind, which code; never what was in the input.
import { short, visible } from '../visible.js';

/** The command was called in a way that it does not know. */
export class UsageError extends Error {}

/** A file that was named cannot be written. */
export const notWritten = (file: string, error: unknown): UsageError =>
  new UsageError(`${name(file)}: cannot be written [${(error as NodeJS.ErrnoException).code}]`);

/** Something is wrong with an input: its name and, in JSON Lines, the line. */
export class InputError extends Error {
  constructor(file: string, line: number | undefined, cause: unknown) {
    const place = line === undefined ? name(file) : `${name(file)}:${line}`;
    super(`${place}: ${reason(cause)}`);
  }
}

/** A file by its name, which may be that of a variable that was not set. */
const name = (file: string): string => (file === '-' ? 'standard input' : visible(file) || "''");

const REASONS: Record<string, string> = { ENOENT: 'no such file [ENOENT]', EINVAL: 'not a file' };

/** What may be said of a failure. */
export function reason(cause: unknown): string {
  // Words of our own.
  if (typeof cause === 'string') return cause;
  if (!(cause instanceof Error)) return 'unexpected failure';
  const { code, message, reason: system } = cause as NodeJS.ErrnoException & { reason?: string };
  if (code === 'ERR_TAPEPROOF_FILE' && system !== undefined) return REASONS[system] ?? `cannot be read [${system}]`;
  // Only our own messages are known to repeat nothing of the input but where in it: names, of any length.
  if (code?.startsWith('ERR_TAPEPROOF_')) return `${short(message, 300)} [${code}]`;
  if (code === 'ENOENT') return 'no such file [ENOENT]';
  return code === undefined ? `unexpected ${cause.name}` : `cannot be read [${code}]`;
}
