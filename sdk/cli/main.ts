#!/usr/bin/env node
// The command line: finds the command, loads that one alone, and turns what it throws into one line and exit code 2.
import { readFileSync } from 'node:fs';
import { InputError, UsageError } from './failure.js';
import { visible } from './visible.js';

interface Command {
  help: string;
  /** Gives the exit code. */
  run(args: string[]): Promise<number>;
}

const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  hash: () => import('./hash.js'),
  diff: () => import('./diff.js'),
  redact: () => import('./redact.js'),
  runs: () => import('./runs.js'),
  show: () => import('./show.js'),
  find: () => import('./find.js'),
  prune: () => import('./prune.js'),
  compare: () => import('./compare.js'),
};

const HELP = `Usage: tapeproof COMMAND [ARGUMENTS]

  hash    print the hash of a request
  diff    print where two requests differ
  redact  print a value with tokens for its secrets
  runs    list recorded runs
  show    show the steps of a run, or one of them
  find    look a request up among the recordings
  prune   remove runs
  compare compare two runs, call by call

tapeproof COMMAND --help tells more. --version prints the version.
`;

const USAGE = 2;

const version = (): string =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version;

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
  return code?.startsWith('ERR_TAPEPROOF_') ? `${visible(message)} [${code}]` : `unexpected ${name}`;
}

async function main([name, ...args]: string[]): Promise<number> {
  if (name === '--version') {
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  if (name === '--help' || name === '-h') {
    process.stdout.write(HELP);
    return 0;
  }
  const load = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name as string] : undefined;
  if (!load) {
    const kind = name?.startsWith('-') ? 'option' : 'command';
    process.stderr.write(
      name === undefined ? HELP : `tapeproof: unknown ${kind} ${visible(name)}, see tapeproof --help\n`,
    );
    return USAGE;
  }
  const command = await load();
  if (asksForHelp(args)) {
    process.stdout.write(command.help);
    return 0;
  }
  try {
    return await command.run(args);
  } catch (error) {
    process.stderr.write(`tapeproof ${name}: ${describe(error)}\n`);
    return USAGE;
  }
}

// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : USAGE);
});

process.exitCode = await main(process.argv.slice(2));
