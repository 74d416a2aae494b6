import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const MIB = 2 ** 20;

async function measure(script, ...args) {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', file, ...args.map(String)]);
  return JSON.parse(stdout);
}

/** Growth of resident memory in windows of so many calls, after two windows of warming up. */
export const growth = (windows, calls) => measure('growth.mjs', windows, calls);

/** Likewise for calls of every kind; in so many workers, if there are any. */
export const soak = (windows, calls, workers) => measure('soak.mjs', windows, calls, workers);

/** Whether what is left of one huge value is below a bound: in one of three runs, for what is held shows in each. */
export async function leavesLess(shape, mebibytes, bound) {
  const bytes = [];
  for (let times = 0; times < 3; times++) {
    bytes.push(await measure('huge.mjs', shape, mebibytes));
    if (bytes.at(-1) < bound) return { holds: true, bytes };
  }
  return { holds: false, bytes };
}

/** What hashing an image of so many MiB adds at its peak. Linux only. */
export const imagePeak = mebibytes => measure('image.mjs', mebibytes);
