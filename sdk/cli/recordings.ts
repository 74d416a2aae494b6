// What the commands over recordings have in common: where the recordings are, and which one is meant.
import { DEFAULT_DIR } from '../config.js';
import { listRuns } from '../store/read.js';
import { ENV_DIR } from '../variables.js';
import { UsageError } from './failure.js';

/** The option that names the folder. */
export const DIR = { dir: { type: 'string' } } as const;

export const DIR_HELP = `  --dir FOLDER  of the recordings; by default REWIND_DIR, else .rewind
`;

/** The folder of the recordings. */
export const folderOf = (dir: string | undefined): string => dir ?? (process.env[ENV_DIR] || DEFAULT_DIR);

/** The id of the run that is meant: it, or the beginning of it that no other has. */
export function runOf(folder: string, given: string): string {
  const ids = listRuns(folder);
  if (ids.includes(given)) return given;
  const found = ids.filter(id => given !== '' && id.startsWith(given));
  if (found.length > 1) throw new UsageError(`${found.length} runs begin like this`);
  if (found[0] === undefined) throw new UsageError('no run of this id');
  return found[0];
}
