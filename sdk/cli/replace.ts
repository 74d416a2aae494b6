// Files that commands write.
import { writeFileSync } from 'node:fs';
import { replaceable, replaceWhole } from '../store/write.js';
import { notWritten } from './failure.js';

/** What the owner's umask leaves of this, as of any file that a command writes. */
const MODE = 0o666;

/** Puts a file in place whole, or not at all. What is no file, such as a terminal, is written to as it is. */
export function replace(file: string, text: string): void {
  try {
    const place = replaceable(file);
    if (place === undefined) writeFileSync(file, text);
    else replaceWhole(place, text, { mode: MODE, flush: true });
  } catch (error) {
    throw notWritten(file, error);
  }
}
