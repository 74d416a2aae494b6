// `tapeproof find`
import { parseArgs } from 'node:util';
import { reqHash } from '../hash.js';
import type { RewindRequest } from '../request.js';
import { findRecording } from '../store/read.js';
import { duration } from '../view/amounts.js';
import { short, visible } from '../visible.js';
import { InputError, UsageError } from './failure.js';
import { decode, parse, readBytes } from './input.js';
import { write } from './output.js';
import { DIR, DIR_HELP, folderOf, within } from './recordings.js';
import { table } from './table.js';

export const help = `Usage: tapeproof find REQUEST.json|- [--json] [--dir FOLDER]

Looks a request up among the recordings: exact, with where it was made and what was answered, or a miss.
Exit code 0 for exact, 1 for a miss.

  --json        the hash, the cassettes and the steps as one JSON value
${DIR_HELP}`;

export async function run(args: string[]): Promise<number> {
  const options = { ...DIR, json: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new UsageError('expected one REQUEST, or - for standard input');
  const folder = folderOf(values.dir);
  const request = await readRequest(file);
  const recording = within(folder, () => findRecording(folder, request));
  const { hash, cassettes, steps } = recording;
  const isMiss = cassettes.length === 0;
  if (values.json) await write(`${JSON.stringify(recording)}\n`);
  else if (isMiss) await write(`miss  ${hash}\n`);
  else {
    await write(`exact ${hash}\n`);
    for (const { response } of cassettes) await write(`\n${visible(response)}\n`);
    const rows = steps.map(step => [short(step.run_id, 250), `step ${step.seq}`, duration(step.latency_ms)]);
    if (rows.length > 0) await write(`\n${table(rows, new Set([2]))}`);
  }
  return isMiss ? 1 : 0;
}

async function readRequest(file: string): Promise<RewindRequest> {
  try {
    const request = parse(decode(await readBytes(file))) as RewindRequest;
    // What is none is no fault of the folder.
    reqHash(request);
    return request;
  } catch (error) {
    throw new InputError(file, undefined, error);
  }
}
