#!/usr/bin/env node
// The command line: finds the command and loads that one alone.
import { visible } from '../visible.js';
import { type Command, perform, USAGE } from './perform.js';

// As an ES module, Node fetches every export of a built-in module, and with those of node:fs and node:util its streams,
// promises, readline and workers: a fifth of the time that Node takes to start. What verifies a record asks for the
// object that they are exports of.
const { readFileSync } = process.getBuiltinModule('node:fs');

const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  hash: () => import('./hash.js'),
  diff: () => import('./diff.js'),
  redact: () => import('./redact.js'),
  runs: () => import('./runs.js'),
  show: () => import('./show.js'),
  find: () => import('./find.js'),
  prune: () => import('./prune.js'),
  compare: () => import('./compare.js'),
  verify: () => import('./verify.js'),
  report: () => import('./picture.js'),
  seal: () => import('./seal.js'),
  keygen: () => import('./keygen.js'),
  serve: () => import('./serve.js'),
};

const HELP = `Usage: tapeproof COMMAND [ARGUMENTS]

  hash     print the hash of a request
  diff     print where two requests differ
  redact   print a value with tokens for its secrets
  runs     list recorded runs
  show     show the steps of a run, or one of them
  find     look a request up among the recordings
  prune    remove runs
  compare  compare two runs, call by call
  verify   check records
  report   write a record as a page to look at
  seal     make a record of the events of a run
  keygen   make a key pair to seal with
  serve    check records over HTTP

tapeproof COMMAND --help tells more. --version prints the version.
`;

const version = (): string =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version;

async function main([name, ...args]: string[]): Promise<number> {
  if (name === '--version') {
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  if (name === '--help' || name === '-h' || name === 'help') {
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
  return perform(`tapeproof ${name}`, await load(), args);
}

process.exitCode = await main(process.argv.slice(2));
