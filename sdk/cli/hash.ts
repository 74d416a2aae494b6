// `tapeproof hash`
import { parseArgs } from 'node:util';
import { canonicalText } from '../canonical.js';
import { canonical, reqHashJson, stateHashJson } from '../hash.js';
import type { RewindRequest } from '../request.js';
import { InputError, UsageError } from './failure.js';
import { decode, parse, readBytes, readLines } from './input.js';
import { write } from './output.js';

export const help = `Usage: tapeproof hash FILE|- [--state] [--canonical] [--lines]

Prints the hash of a model or tool request, read as one JSON value.

  --state      hash the value as a state instead
  --canonical  print the canonical text that is hashed, not its hash
  --lines      read JSON Lines: one value a line, one result a line, in the same order
`;

export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      state: { type: 'boolean', default: false },
      canonical: { type: 'boolean', default: false },
      lines: { type: 'boolean', default: false },
    },
  });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new UsageError('expected one FILE, or - for standard input');

  const identity = values.state ? normalizedState : canonical;
  const hash = values.state ? stateHashJson : reqHashJson;
  const result = (bytes: Uint8Array): string => {
    const text = decode(bytes);
    return `${values.canonical ? canonicalText(identity(parse(text) as RewindRequest)) : hash(text)}\n`;
  };

  if (values.lines) await hashLines(file, result);
  else await hashWhole(file, result);
  return 0;
}

// A state is normalized as the arguments of a tool are.
const normalizedState = (state: unknown): unknown => canonical({ kind: 'tool', tool_name: '', args: state })['args'];

async function hashWhole(file: string, result: (bytes: Uint8Array) => string): Promise<void> {
  let text: string;
  try {
    text = result(await readBytes(file));
  } catch (error) {
    throw new InputError(file, undefined, error);
  }
  await write(text);
}

async function hashLines(file: string, result: (bytes: Uint8Array) => string): Promise<void> {
  let line = 0;
  let failure: InputError | undefined;
  const batches = readLines(file);
  do {
    let results = '';
    try {
      const batch = await batches.next();
      if (batch.done) return;
      for (const bytes of batch.value) {
        line += 1;
        results += result(bytes);
      }
    } catch (error) {
      failure = new InputError(file, line, error);
    }
    // What came before a bad line is good.
    await write(results);
  } while (!failure);
  throw failure;
}
