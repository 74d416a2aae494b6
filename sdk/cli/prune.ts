// `tapeproof prune`
import { parseArgs } from 'node:util';
import { planPruning, prune } from '../store/prune.js';
import { readRun } from '../store/read.js';
import { notWritten, UsageError } from './failure.js';
import { write } from './output.js';
import { DIR, DIR_HELP, folderOf, runOf, runsIn, within } from './recordings.js';
import { isTime } from './time.js';

export const help = `Usage: tapeproof prune --before DATE | --run ID [--dry-run] [--dir FOLDER]

Removes runs and the cassettes that no other run uses. Not for a folder into which an agent records meanwhile.

  --before DATE  the runs that started before this moment (ISO 8601)
  --run ID       this run, named whole or by its beginning
  --dry-run      only tell what would be removed
${DIR_HELP}`;

export async function run(args: string[]): Promise<number> {
  const options = {
    ...DIR,
    before: { type: 'string' },
    run: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
  } as const;
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  if (positionals.length > 0) throw new UsageError('expected no arguments');
  const { before, run: given } = values;
  const folder = folderOf(values.dir);
  if ((before === undefined) === (given === undefined)) throw new UsageError('expected either --before or --run');
  const ids = given === undefined ? startedBefore(folder, before as string) : [runOf(folder, given)];
  const plan = within(folder, () => planPruning(folder, ids));
  try {
    if (!values['dry-run']) prune(folder, plan);
  } catch (error) {
    throw notWritten(folder, error);
  }
  for (const id of plan.runs) await write(`${id}\n`);
  const { runs, cassettes, bytes } = plan;
  const what = `${counted(runs, 'run')} and ${counted(cassettes, 'cassette')}, ${(bytes / 1e6).toFixed(1)} MB`;
  await write(values['dry-run'] ? `would remove ${what}\n` : `removed ${what}\n`);
  return 0;
}

const counted = (list: readonly unknown[], what: string): string =>
  `${list.length} ${what}${list.length === 1 ? '' : 's'}`;

/** A run that cannot be read has no known start: it stays, and can be named. */
function startedBefore(folder: string, date: string): string[] {
  if (!isTime(date)) throw new UsageError('--before: expected a date as in ISO 8601');
  const moment = Date.parse(date);
  return runsIn(folder).filter(id => {
    try {
      return Date.parse(readRun(folder, id)?.started_at ?? '') < moment;
    } catch {
      return false;
    }
  });
}
