// `tapeproof diff`
import { parseArgs } from 'node:util';
import { diffRequests } from '../hash.js';
import type { RewindRequest } from '../request.js';
import { visible } from '../visible.js';
import { InputError, UsageError } from './failure.js';
import { decode, parse, readBytes } from './input.js';
import { write } from './output.js';

export const help = `Usage: tapeproof diff A B [--full]

Prints where the canonical forms of two requests differ, as JSON Pointers, with the value in A (-) and in B (+).
A or B can be - for standard input. Ends with 0 when nothing differs, 1 when something does, 2 on an error.

  --full  print long values whole, not only the part around the first difference
`;

const EXCERPT_BEFORE = 40;
const EXCERPT_LENGTH = 200;

export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { full: { type: 'boolean', default: false } },
  });
  const [a, b, ...others] = positionals;
  if (a === undefined || b === undefined || others.length > 0) throw new UsageError('expected two files');
  if (a === '-' && b === '-') throw new UsageError('only one of the two can be standard input');

  const differences = diffRequests(await readRequest(a), await readRequest(b));
  let text = '';
  for (const { pointer, ...sides } of differences) {
    const valueA = 'a' in sides ? json(sides.a) : undefined;
    const valueB = 'b' in sides ? json(sides.b) : undefined;
    const start = values.full ? 0 : firstDifference(valueA, valueB);
    text += `${visible(JSON.stringify(pointer).slice(1, -1)) || '(the whole request)'}\n`;
    for (const [mark, value] of [
      ['-', valueA],
      ['+', valueB],
    ] as const) {
      if (value !== undefined) text += `  ${mark} ${visible(values.full ? value : excerpt(value, start))}\n`;
    }
  }
  await write(text);
  return differences.length > 0 ? 1 : 0;
}

async function readRequest(file: string): Promise<RewindRequest> {
  try {
    return parse(decode(await readBytes(file))) as RewindRequest;
  } catch (error) {
    throw new InputError(file, undefined, error);
  }
}

// Canonical values read from JSON text have one.
const json = (value: unknown): string => JSON.stringify(value) ?? 'undefined';

function firstDifference(a = '', b = ''): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a[at] === b[at]) at += 1;
  return at;
}

function excerpt(text: string, difference: number): string {
  if (text.length <= EXCERPT_LENGTH) return text;
  const start = Math.max(0, Math.min(difference - EXCERPT_BEFORE, text.length - EXCERPT_LENGTH));
  const end = start + EXCERPT_LENGTH;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}
