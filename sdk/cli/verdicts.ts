// Verifies files on all cores, and gives the verdicts in the order of the files.
import type { Keys } from '../keys.js';
import { native } from '../native.js';
import type { Found } from './records.js';

/** The result as JSON text, or what was wrong. */
export interface Verdict extends Found {
  text?: string;
}

/** So many files are under way at once: enough to keep the threads busy. */
const WINDOW = 64;

export async function* verdicts(files: Iterable<Found>, keys: Keys): AsyncGenerator<Verdict> {
  const underWay: Promise<Verdict>[] = [];
  for (const found of files) {
    underWay.push(verdict(found, keys));
    if (underWay.length === WINDOW) yield (await underWay.shift()) as Verdict;
  }
  for (const last of underWay) yield await last;
}

async function verdict(found: Found, keys: Keys): Promise<Verdict> {
  if ('problem' in found) return found;
  const { file } = found;
  try {
    return { file, text: await (file === '-' ? verifyInput(keys) : native().verifyFile(file, ...keys)) };
  } catch (problem) {
    return { file, problem };
  }
}

async function verifyInput(keys: Keys): Promise<string> {
  const { readBytes } = await import('./input.js');
  return native().verifyJsonAsync(await readBytes('-'), ...keys);
}
