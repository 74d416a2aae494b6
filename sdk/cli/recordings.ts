// What the commands over recordings have in common: where the recordings are, and which one is meant.
import { DEFAULT_DIR } from '../config.js';
import { listRuns } from '../store/read.js';
import { ENV_DIR } from '../variables.js';
import { InputError, UsageError } from './failure.js';

/** The option that names the folder. */
export const DIR = { dir: { type: 'string' } } as const;

export const DIR_HELP = `  --dir FOLDER  of the recordings; by default REWIND_DIR, else .rewind
`;

/** The folder of the recordings. */
export function folderOf(dir: string | undefined): string {
  // A variable that was not set: the working directory is not meant.
  if (dir === '') throw new UsageError('expected --dir as a folder');
  return dir ?? (process.env[ENV_DIR] || DEFAULT_DIR);
}

/** Reads in a folder of recordings. What goes wrong there is said of the folder. */
export function within<T>(folder: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new InputError(folder, undefined, error);
  }
}

/** The ids of the runs. */
export const runsIn = (folder: string): string[] => within(folder, () => listRuns(folder));

/** The id of the run that is meant: it, or the beginning of it that no other has. */
export function runOf(folder: string, given: string): string {
  const ids = runsIn(folder);
  if (ids.includes(given)) return given;
  const found = ids.filter(id => given !== '' && id.startsWith(given));
  if (found.length > 1) throw new UsageError(`${found.length} runs begin like this`);
  if (found[0] === undefined) throw new UsageError('no run of this id');
  return found[0];
}
