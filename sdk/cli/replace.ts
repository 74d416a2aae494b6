// Files that commands write.
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { visible } from '../visible.js';
import { UsageError } from './failure.js';

/** Puts a file in place whole, or not at all. What is no file, such as a terminal, is written to as it is. */
export function replace(file: string, text: string): void {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) return writeFileSync(file, text);
    writeFileSync(draft, text, { flag: 'wx', flush: true });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new UsageError(`${visible(file)}: cannot be written [${(error as NodeJS.ErrnoException).code}]`);
  }
}
