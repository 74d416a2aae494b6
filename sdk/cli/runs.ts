// `tapeproof runs`
import { parseArgs } from 'node:util';
import type { Run } from '../schema.js';
import { readRun, readSteps } from '../store/read.js';
import { amount, cost, counted, duration, type Pricing } from '../view/amounts.js';
import { short, visible } from '../visible.js';
import { InputError, reason, UsageError } from './failure.js';
import { write } from './output.js';
import { DIR, DIR_HELP, folderOf, runsIn } from './recordings.js';
import { bar, count, table } from './table.js';

export const help = `Usage: tapeproof runs [--json] [--dir FOLDER]

Lists the recorded runs, the oldest first. A run that is partial is no complete account of what happened.

  --json        one run a line
${DIR_HELP}`;

export async function run(args: string[]): Promise<number> {
  const options = { ...DIR, json: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  if (positionals.length > 0) throw new UsageError('expected no arguments');
  const folder = folderOf(values.dir);
  const ids = runsIn(folder);
  if (values.json) {
    let unread: InputError | undefined;
    for (const id of ids) {
      try {
        await write(`${JSON.stringify(readRun(folder, id))}\n`);
      } catch (error) {
        unread ??= new InputError(id, undefined, error);
      }
    }
    if (unread) throw unread;
    return 0;
  }
  const runs = ids.map(id => ({ id, ...attempt(folder, id) }));
  const latency = (run: Run) => amount(run.latency_ms);
  const longest = runs.reduce((most, one) => ('run' in one ? Math.max(most, latency(one.run)) : most), 0);
  const rows = runs.map(one => {
    if (!('run' in one)) return [one.id, one.problem];
    const { id, run, steps, pricing } = one;
    const amounts = [String(steps), count(run.tokens), cost(run, pricing), duration(run.latency_ms)];
    return [id, ...described(run), ...amounts, bar(latency(run), longest)];
  });
  if (rows.length === 0) await write(`no runs in ${visible(folder)}\n`);
  else await write(table([['run', 'started', 'status', 'steps', 'tokens', 'cost', 'latency', ''], ...rows], NUMBERS));
  return 0;
}

const NUMBERS = new Set([3, 4, 5, 6]);

/** One run that cannot be read must not hide the others. */
function attempt(folder: string, id: string): { run: Run; steps: number; pricing: Pricing } | { problem: string } {
  try {
    const run = readRun(folder, id);
    return run ? { run, ...counted(readSteps(folder, id)) } : { problem: '' };
  } catch (error) {
    return { problem: reason(error) };
  }
}

function described({ started_at, status, dropped }: Run): [string, string] {
  const lost = amount(dropped) > 0 ? ` (${dropped} lost)` : '';
  return [short(started_at).replace(/\.\d+Z$/, 'Z'), `${short(status)}${lost}`];
}
