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

/** What is left of one huge value, beyond what V8 keeps of it in any case. */
export async function left(shape, mebibytes) {
  const control = await measure('huge.mjs', shape, mebibytes, 'control');
  return (await measure('huge.mjs', shape, mebibytes)) - Math.max(0, control);
}

/** What hashing an image of so many MiB adds at its peak. Linux only. */
export const imagePeak = mebibytes => measure('image.mjs', mebibytes);
