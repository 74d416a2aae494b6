// Files that commands write.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { replaceable } from '../store/write.js';
import { visible } from '../visible.js';
import { UsageError } from './failure.js';

/** Puts a file in place whole, or not at all. What is no file, such as a terminal, is written to as it is. */
export function replace(file: string, text: string): void {
  let draft: string | undefined;
  try {
    const place = replaceable(file);
    if (place === undefined) return writeFileSync(file, text);
    draft = `${place}.${process.pid}.tmp`;
    writeFileSync(draft, text, { flag: 'wx', flush: true });
    renameSync(draft, place);
  } catch (error) {
    if (draft !== undefined) rmSync(draft, { force: true });
    throw new UsageError(`${visible(file)}: cannot be written [${(error as NodeJS.ErrnoException).code}]`);
  }
}
