#!/usr/bin/env node
// The command `runback-verify`, in place of that of `@runback/verify`.
import { parseArgs } from 'node:util';
import { UsageError } from './failure.js';
import { perform } from './perform.js';
import * as verify from './verify.js';

const help = `Usage: runback-verify FILE|-|--stdin [--json] [--key KEY]

Runs the six checks of a record. Exit code 0: valid, 2: unverified, 1: invalid, or something went wrong.

  --json     the result as a JSON object
  --key KEY  the HMAC key
  --stdin    read standard input, as - does

It is \`tapeproof verify\`, which can do more.
`;

function run(args: string[]): Promise<number> {
  const options = { json: { type: 'boolean' }, stdin: { type: 'boolean' }, key: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const [file, ...others] = values.stdin ? ['-', ...positionals] : positionals;
  if (file === undefined || others.length > 0) throw new UsageError('expected one FILE, or - for standard input');
  const flags = values.json ? ['--json'] : [];
  return verify.run([...flags, ...(values.key ? [`--key=${values.key}`] : []), '--', file]);
}

process.exitCode = await perform('runback-verify', { help, failure: verify.failure, run }, process.argv.slice(2));
