// The records that the command line names: files as they are, and of folders every `*.json` below them.
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A file to verify, or what is wrong with it: words of our own, or what the file system threw. */
export interface Found {
  file: string;
  problem?: unknown;
}

/** Whether a path is a folder's; what cannot be looked at is left to whoever opens it. */
export const isFolder = (path: string): boolean => path !== '-' && (kindOf(path)?.isDirectory() ?? false);

/**
 * The files that a path names. Links are followed, also to folders: what was not looked at must not pass for valid.
 * A folder that is inside of itself is a problem, and so is one without records.
 */
export function* recordsAt(path: string): Generator<Found> {
  if (!isFolder(path)) return yield { file: path };
  let isEmpty = true;
  for (const found of below(path, new Set(), new Set())) {
    isEmpty = false;
    yield found;
  }
  if (isEmpty) yield { file: path, problem: 'no *.json in this folder' };
}

function* below(folder: string, outer: ReadonlySet<string>, seen: Set<string>): Generator<Found> {
  let entries: Dirent[];
  let id: string;
  try {
    const { dev, ino } = statSync(folder, { bigint: true });
    id = `${dev}:${ino}`;
    if (outer.has(id)) return yield { file: folder, problem: 'a loop: this folder is inside of itself' };
    // Another link to it: its records are under their names already.
    if (seen.has(id)) return;
    entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (problem) {
    return yield { file: folder, problem };
  }
  seen.add(id);
  const inside = new Set(outer).add(id);
  for (const entry of entries) {
    const file = join(folder, entry.name);
    if (entry.isDirectory() || (entry.isSymbolicLink() && isFolder(file))) yield* below(file, inside, seen);
    else if (entry.name.endsWith('.json')) yield { file };
    else if (entry.isSymbolicLink() && isLoop(file)) yield { file, problem: 'a loop of links' };
  }
}

function kindOf(path: string): ReturnType<typeof statSync> | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function isLoop(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ELOOP';
  }
}
