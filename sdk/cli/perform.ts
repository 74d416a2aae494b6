// Runs a command, and turns what it throws into one line and an exit code.

import { visible } from '../visible.js';
import { InputError, UsageError } from './failure.js';

export interface Command {
  help: string;
  /** The exit code when the command cannot do its work, if {@link USAGE} means something else for it. */
  failure?: number;
  /** Gives the exit code. */
  run(args: string[]): Promise<number>;
}

export const USAGE = 2;

// The arguments up to `--`, where options end.
const asksForHelp = (args: string[]): boolean => {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some(argument => argument === '--help' || argument === '-h');
};

function describe(error: unknown): string {
  if (error instanceof InputError || error instanceof UsageError) return error.message;
  const { code, message, name } = error as NodeJS.ErrnoException;
  // The first sentence of what node:util says about options; the rest is a hint about `--`.
  if (code?.startsWith('ERR_PARSE_ARGS_')) return visible(message.replace(/\. To specify.*/s, ''));
  if (code?.startsWith('ERR_TAPEPROOF_')) return `${visible(message)} [${code}]`;
  return code === undefined ? `unexpected ${name}` : `unexpected ${name} [${code}]`;
}

/** Gives the exit code. `name` is how the command was called. */
export async function perform(name: string, command: Command, args: string[]): Promise<number> {
  ({ failure } = command);
  caller = name;
  if (asksForHelp(args)) {
    process.stdout.write(command.help);
    return 0;
  }
  try {
    return await command.run(args);
  } catch (error) {
    process.stderr.write(`${name}: ${describe(error)}\n`);
    return failure ?? USAGE;
  }
}

let failure: number | undefined;
let caller = 'tapeproof';

// A reader that has seen enough, such as `head`, is no failure, unless the exit code is a verdict.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') process.stderr.write(`${caller}: standard output: cannot be written [${code}]\n`);
  process.exit(failure ?? (code === 'EPIPE' ? 0 : USAGE));
});

// Nobody reads what is said: exit codes stay what they are, and a server goes on.
process.stderr.on('error', () => {});
