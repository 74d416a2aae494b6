// `tapeproof hash`
import { parseArgs } from 'node:util';
import { canonicalText } from '../canonical.js';
import { canonical, reqHashJson, stateHashJson } from '../hash.js';
import type { RewindRequest } from '../request.js';
import { UsageError } from './failure.js';
import { decode, parse } from './input.js';
import { transform } from './transform.js';

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

  await transform(file, values.lines, result);
  return 0;
}

// A state is normalized as the arguments of a tool are.
const normalizedState = (state: unknown): unknown => canonical({ kind: 'tool', tool_name: '', args: state })['args'];
