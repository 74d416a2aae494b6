// `tapeproof compare`
import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { RunSource } from '../evidence/calls.js';
import { type ComparedStep, type Comparison, compareRuns } from '../evidence/compare.js';
import { isObject } from '../json.js';
import { RESULTS } from '../view/words.js';
import { visible } from '../visible.js';
import { InputError, UsageError } from './failure.js';
import { decode, parse, readBytes } from './input.js';
import { write } from './output.js';
import { DIR, DIR_HELP, folderOf, runOf, runsIn } from './recordings.js';
import { line } from './table.js';

export const help = `Usage: tapeproof compare RUN_A RUN_B [--json] [--dir FOLDER]

Compares two runs call by call. A run is the id of a recorded one, or the beginning of an id, or the file of a record.
Exit code 0 when calls, answers and the ending are the same, 1 when something differs, 2 on an error.

  --json        the whole comparison as one JSON value
${DIR_HELP}`;

export async function run(args: string[]): Promise<number> {
  const options = { ...DIR, json: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const [a, b, ...others] = positionals;
  if (a === undefined || b === undefined || others.length > 0) throw new UsageError('expected RUN_A and RUN_B');
  const folder = folderOf(values.dir);
  const sources = [await sourceOf(folder, a), await sourceOf(folder, b)] as const;
  let comparison: Comparison;
  try {
    comparison = compareRuns(...sources);
  } catch (error) {
    throw new InputError(`${a} and ${b}`, undefined, error);
  }
  if (values.json) await write(`${JSON.stringify(comparison)}\n`);
  else await show(comparison);
  return comparison.same ? 0 : 1;
}

/** A run of this id goes before a file of this name. */
async function sourceOf(folder: string, given: string): Promise<RunSource> {
  const isRecord = !runsIn(folder).includes(given) && statSync(given, { throwIfNoEntry: false })?.isFile();
  if (!isRecord) return { dir: folder, runId: runOf(folder, given) };
  try {
    const record = parse(decode(await readBytes(given)));
    return { events: (isObject(record) ? record['events'] : undefined) as unknown[] };
  } catch (error) {
    throw new InputError(given, undefined, error);
  }
}

const WIDTHS = [6, 6, RESULTS.answer.length];
const RIGHT = new Set([0, 1]);

async function show({ steps, counts, ending, same }: Comparison): Promise<void> {
  await write(line(['A', 'B'], WIDTHS, RIGHT));
  for (let at = 0; at < steps.length; at += 1) {
    const step = steps[at] as ComparedStep;
    const first = at;
    while (step.result === 'same' && steps[at + 1]?.result === 'same') at += 1;
    await write(line([...places(steps, first, at), RESULTS[step.result], details(step)], WIDTHS, RIGHT));
  }
  if (!ending.same) await write(line(['end', 'end', 'differs', list(ending.pointers)], WIDTHS, RIGHT));
  const total = Object.entries(counts).filter(([, count]) => count > 0);
  const words = total.map(([result, count]) => `${count} ${RESULTS[result as keyof typeof RESULTS]}`);
  await write(`\n${same ? 'the same' : 'different'}: ${words.join(', ') || 'no calls'}\n`);
}

/** The numbers of a step, or of the first and the last of several that are alike. */
function places(steps: readonly ComparedStep[], first: number, last: number): [string, string] {
  const cell = (side: 'a' | 'b') => {
    const [from, to] = [steps[first]?.[side], steps[last]?.[side]];
    if (from === null || from === undefined) return '';
    return from === to ? `${from}` : `${from}–${to}`;
  };
  return [cell('a'), cell('b')];
}

function details(step: ComparedStep): string {
  if (step.result === 'changed' && step.only_redacted) return 'only in redacted values';
  return 'pointers' in step ? list(step.pointers) : '';
}

/** As many pointers as fit into a line. */
const SHOWN = 4;

function list(pointers: readonly string[]): string {
  const shown = pointers.slice(0, SHOWN).map(pointer => visible(pointer) || '(all of it)');
  const more = pointers.length > SHOWN ? [`and ${pointers.length - SHOWN} more`] : [];
  return [...shown, ...more].join('  ');
}
