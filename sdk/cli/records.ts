// The records that the command line names: files as they are, and of folders every `*.json` below them.
import type { Dirent } from 'node:fs';
import { join } from 'node:path';

const { readdirSync, statSync } = process.getBuiltinModule('node:fs');

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
    let kind: Pick<Dirent, 'isDirectory'> = entry;
    try {
      if (entry.isSymbolicLink() || entry.name.includes(NOT_UTF8)) kind = statSync(file);
    } catch (error) {
      // It might be a folder of records.
      if (!entry.isFile() || isRecord(entry)) yield { file, problem: unseen(entry, error) };
      continue;
    }
    if (kind.isDirectory()) yield* below(file, inside, seen);
    else if (isRecord(entry)) yield { file };
  }
}

const isRecord = ({ name }: Dirent): boolean => name.endsWith('.json');

/** What stands in a name where its bytes are no UTF-8: it does not lead to its file any more. */
const NOT_UTF8 = '\ufffd';

/** Why an entry of a folder cannot be looked at. */
function unseen(entry: Dirent, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ELOOP') return 'a loop of links';
  if (code !== 'ENOENT') return error;
  return entry.name.includes(NOT_UTF8) ? 'its name is not UTF-8' : 'a link to nothing';
}

function kindOf(path: string): ReturnType<typeof statSync> | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
