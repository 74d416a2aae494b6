// `tapeproof runs`
import { parseArgs } from 'node:util';
import type { Run } from '../schema.js';
import { listRuns, readRun, readSteps } from '../store/read.js';
import { dollars, duration } from '../view/amounts.js';
import { visible } from '../visible.js';
import { reason, UsageError } from './failure.js';
import { write } from './output.js';
import { DIR, DIR_HELP, folderOf } from './recordings.js';
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
  const ids = listRuns(folder);
  if (values.json) {
    for (const id of ids) await write(`${JSON.stringify(readRun(folder, id))}\n`);
    return 0;
  }
  const runs = ids.map(id => ({ id, ...attempt(folder, id) }));
  const longest = Math.max(...runs.map(({ run }) => Number(run?.latency_ms) || 0));
  const rows = runs.map(({ id, run, steps, problem }) =>
    run
      ? [
          id,
          ...described(run),
          String(steps),
          count(run.tokens),
          dollars(run.cost_usd),
          duration(run.latency_ms),
        ].concat(bar(run.latency_ms, longest))
      : [id, problem ?? ''],
  );
  if (rows.length === 0) await write('no runs\n');
  else await write(table([['run', 'started', 'status', 'steps', 'tokens', 'cost', 'latency', ''], ...rows], NUMBERS));
  return 0;
}

const NUMBERS = new Set([3, 4, 5, 6]);

/** One run that cannot be read must not hide the others. */
function attempt(folder: string, id: string): { run?: Run; steps?: number; problem?: string } {
  try {
    const run = readRun(folder, id);
    if (!run) return {};
    let steps = 0;
    for (const _ of readSteps(folder, id)) steps += 1;
    return { run, steps };
  } catch (error) {
    return { problem: reason(error) };
  }
}

function described({ started_at, status, dropped }: Run): [string, string] {
  const lost = dropped ? ` (${dropped} lost)` : '';
  return [visible(String(started_at)).replace(/\.\d+Z$/, 'Z'), `${visible(String(status))}${lost}`];
}
