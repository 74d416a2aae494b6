// The directory store. Whole files appear atomically and lines are appended by one write each, all of it synchronous:
// what a call has written outlives the process. Nothing is ever overwritten but run.json.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { otherRef, requireVersion, responseHash } from '../cassette.js';
import { Recent } from '../recent.js';
import type { Cassette, Run, Step } from '../schema.js';
import { cassetteFile, cassettesFolder, RUN_FILE, requireName, runFolder, stepsFile } from './layout.js';
import { readCassette } from './read.js';
import type { FileStore } from './types.js';

const LF = 0x0a;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const APPEND = constants.O_WRONLY | constants.O_APPEND;
/** How many runs and requests a store remembers, to spare a look at the disk. */
const REMEMBERED = 4096;
/** What `link` fails with where there are no hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);

/**
 * A store in a folder. Nothing is made before the first write; a relative `root` is resolved now.
 *
 * Its methods throw what the file system throws, `ERR_TAPEPROOF_NAME` for an id that would leave the folder, and
 * `ERR_TAPEPROOF_HASH_VERSION`.
 */
export const fileStore = (root: string): FileStore => new Directory(resolve(root));

class Directory implements FileStore {
  readonly #root: string;
  readonly #cassettes: string;
  /** Paths that this store has written to: when one is missing later, somebody took recordings away. */
  readonly #written = new Recent<true>(REMEMBERED);
  /** By request, the hash of the response in `<hash>.json`. */
  readonly #first = new Recent<string>(REMEMBERED);

  constructor(root: string) {
    this.#root = root;
    this.#cassettes = cassettesFolder(root);
  }

  putRun(run: Run): void {
    requireVersion(run);
    requireName(run.run_id);
    const path = join(runFolder(this.#root, run.run_id), RUN_FILE);
    const text = `${JSON.stringify(run, null, 2)}\n`;
    this.#within(dirname(path), path, () => replaceWhole(path, text));
  }

  appendStep(step: Step): void {
    requireName(step.run_id);
    const path = stepsFile(this.#root, step.run_id);
    const line = `${JSON.stringify(step)}\n`;
    // Only the first line may make the file: a later one would hide that the file was removed.
    if (this.#written.get(path)) this.#within(dirname(path), path, () => appendLine(path, line, APPEND));
    // What a process that was killed has left of its last line must not take ours with it.
    else this.#within(dirname(path), path, () => appendLine(path, isTorn(path) ? `\n${line}` : line, 'a'));
  }

  putCassette(cassette: Cassette): string {
    requireVersion(cassette);
    const { hash } = cassette;
    requireName(hash);
    const answer = responseHash(cassette);
    let first = this.#first.get(hash);
    if (first === undefined || !this.#has(hash)) {
      first = this.#add(hash, cassette) ? answer : this.#answerIn(hash);
      this.#first.set(hash, first);
    }
    if (first === answer) return hash;
    const ref = otherRef(hash, answer);
    this.#add(ref, cassette);
    return ref;
  }

  #has(ref: string): boolean {
    return existsSync(join(this.#cassettes, cassetteFile(ref)));
  }

  /** Writes a cassette, unless there is one: false then. */
  #add(ref: string, cassette: Cassette): boolean {
    // Before the text is made and written: most requests that a store has seen before get the same answer again.
    if (this.#has(ref)) return false;
    const path = join(this.#cassettes, cassetteFile(ref));
    const text = `${JSON.stringify(cassette)}\n`;
    return this.#within(this.#cassettes, this.#cassettes, () => createWhole(path, text));
  }

  /** The hash of the response in a cassette that somebody else has written, `''` for none that can be read. */
  #answerIn(ref: string): string {
    try {
      const cassette = readCassette(this.#root, ref);
      return cassette ? responseHash(cassette) : '';
    } catch {
      return '';
    }
  }

  /**
   * Runs `write`, and makes `folder` when it is missing. When `path` was there before, its content is lost: the folder
   * is made for what follows, and the loss is thrown.
   */
  #within<Result>(folder: string, path: string, write: () => Result): Result {
    let result: Result;
    try {
      result = write();
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
      if (this.#written.delete(path)) throw error;
      result = write();
    }
    this.#written.set(path, true);
    return result;
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

// Threads and processes have modules of their own, and so another token; process ids repeat in containers.
const token = randomBytes(8).toString('hex');
let files = 0;

function temporaryBeside(path: string): string {
  files += 1;
  return join(dirname(path), `.${token}-${files}.tmp`);
}

/**
 * Where a file that somebody named is replaced: behind its links, which stay. `undefined` for what is no file, such as
 * a pipe or a device: it is there to be written to.
 */
export function replaceable(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found) return found.isFile() ? realpathSync(path) : undefined;
  // A link may lead to nothing.
  return lstatSync(path, { throwIfNoEntry: false }) ? undefined : path;
}

/**
 * Writes a file that appears whole, in place of one that is there. `write` gets it open, when a text is not enough.
 * With `flush` it is on the disk before it appears.
 */
export function replaceWhole(
  path: string,
  write: string | ((file: number) => void),
  { mode = FILE_MODE, flush = false } = {},
): void {
  const temporary = temporaryBeside(path);
  try {
    const file = openSync(temporary, 'wx', mode);
    try {
      if (typeof write === 'string') writeFileSync(file, write);
      else write(file);
      if (flush) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    discard(temporary);
    throw error;
  }
}

/** Writes a file that appears whole, unless there is one: false then. */
function createWhole(path: string, text: string): boolean {
  const temporary = temporaryBeside(path);
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode: FILE_MODE });
    return linkNew(temporary, path);
  } finally {
    discard(temporary);
  }
}

/** Gives a file its name unless that is taken: false then. */
function linkNew(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (code === 'EEXIST') return false;
    if (!NO_LINKS.has(code)) throw error;
  }
  // Still whole at once. Two writers at the same moment would both believe they came first.
  if (existsSync(to)) return false;
  renameSync(from, to);
  return true;
}

function discard(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was not made, or has its name already.
  }
}

function appendLine(path: string, line: string, flag: string | number): void {
  try {
    writeFileSync(path, line, { flag: flag as string, mode: FILE_MODE });
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') cutTornLine(path);
    throw error;
  }
}

/** Whether the last line of a file lacks its end. */
function isTorn(path: string): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return false;
  const file = openSync(path, 'r');
  try {
    const last = Buffer.alloc(1);
    return readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== LF;
  } finally {
    closeSync(file);
  }
}

/** A full disk takes half a line: the next one must not be glued to it. */
function cutTornLine(path: string): void {
  try {
    const file = openSync(path, 'r+');
    try {
      ftruncateSync(file, wholeLines(file));
    } finally {
      closeSync(file);
    }
  } catch {
    // The reader reports it.
  }
}

/** The size of a file up to its last line end. */
function wholeLines(file: number): number {
  const chunk = Buffer.alloc(1 << 16);
  for (let end = fstatSync(file).size; end > 0; ) {
    const start = Math.max(0, end - chunk.length);
    const length = readSync(file, chunk, 0, end - start, start);
    const at = chunk.subarray(0, length).lastIndexOf(LF);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return 0;
}
