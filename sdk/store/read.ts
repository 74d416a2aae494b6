// Reads what the directory store has written. A name from outside never leads out of the root.
import { constants } from 'node:buffer';
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { requireVersion } from '../cassette.js';
import { reqHash } from '../hash.js';
import { failure } from '../native.js';
import type { RewindRequest } from '../request.js';
import type { Cassette, Run, Step } from '../schema.js';
import {
  cassetteFile,
  cassettesFolder,
  isName,
  RUN_FILE,
  runFolder,
  runsFolder,
  STEPS_FILE,
  stepsFile,
} from './layout.js';
import type { Recording, Trace } from './types.js';

const LF = 0x0a;
const CHUNK_BYTES = 1 << 16;

/** The ids of the runs in a folder, sorted, which is by time for ids that the recorder made. */
export function listRuns(root: string): string[] {
  const folder = runsFolder(root);
  return names(folder)
    .filter(name => isName(name) && isThere(join(folder, name, RUN_FILE)))
    .sort();
}

/** Whether there is a file, also one that must not be looked at: who wants it is told. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOTDIR';
  }
}

/**
 * A run alone, `null` when there is none of this id.
 *
 * @throws {Error} `ERR_TAPEPROOF_HASH_VERSION`, or `ERR_TAPEPROOF_RECORDING` for a file that is no run
 */
export function readRun(root: string, id: string): Run | null {
  if (!isName(id)) return null;
  const run = readObject(join(runFolder(root, id), RUN_FILE));
  if (run === null) return null;
  requireVersion(run as unknown as Run);
  return run as unknown as Run;
}

/**
 * A run with its steps, `null` when there is none of this id. A line that cannot be read is left out and reported in
 * `problems`, as is a gap in `seq`: a step that was dropped.
 *
 * @throws as {@link readRun}
 */
export function readTrace(root: string, id: string): Trace | null {
  const run = readRun(root, id);
  if (!run) return null;
  const problems: string[] = [];
  const steps = [...readSteps(root, id, problem => problems.push(problem))].sort((a, b) => a.seq - b.seq);
  return { run, steps, problems: [...problems, ...gaps(steps)] };
}

/** The steps of a run as they stand in its file, one at a time: a long run need not fit in memory. */
export function* readSteps(root: string, id: string, report: (problem: string) => void = () => {}): Generator<Step> {
  for (const { step } of readPlacedSteps(root, id, report)) yield step;
}

/** A step, and where in the file its line is. */
export interface PlacedStep {
  step: Step;
  start: number;
  length: number;
}

/** As {@link readSteps}, each with its place. */
export function* readPlacedSteps(root: string, id: string, report: (problem: string) => void): Generator<PlacedStep> {
  if (!isName(id)) return;
  let number = 0;
  let start = 0;
  for (const { bytes, length, ended } of lines(stepsFile(root, id))) {
    number += 1;
    const step = length > 0 ? stepIn(bytes) : undefined;
    if (step) yield { step, start, length };
    else if (length > 0)
      report(`${STEPS_FILE} line ${number}: ${ended ? 'not a step' : 'torn, the last write was cut short'}`);
    start += length + 1;
  }
}

/**
 * A cassette by its ref, `null` when there is none.
 *
 * @throws {Error} `ERR_TAPEPROOF_HASH_VERSION`, or `ERR_TAPEPROOF_RECORDING` for a file that is no cassette
 */
export function readCassette(root: string, ref: string): Cassette | null {
  if (!isName(ref)) return null;
  const cassette = readObject(join(cassettesFolder(root), cassetteFile(ref)));
  if (cassette === null) return null;
  requireVersion(cassette as unknown as Cassette);
  const { hash, request, response } = cassette as unknown as Cassette;
  if (hash !== ref && !ref.startsWith(`${hash}.`)) throw damaged('/hash');
  if (typeof request !== 'string') throw damaged('/request');
  if (typeof response !== 'string') throw damaged('/response');
  return cassette as unknown as Cassette;
}

/**
 * What was recorded of exactly this request, in all runs.
 *
 * @throws as {@link reqHash} and {@link readCassette}
 */
export function findRecording(root: string, request: RewindRequest): Recording {
  const hash = reqHash(request);
  const refs = names(cassettesFolder(root))
    .filter(name => name.startsWith(`${hash}.`) && name.endsWith('.json'))
    .map(name => name.slice(0, -'.json'.length))
    .sort();
  const steps = listRuns(root).flatMap(id => [...readSteps(root, id)].filter(step => step.req_hash === hash));
  return { hash, cassettes: refs.flatMap(ref => readCassette(root, ref) ?? []), steps };
}

const damaged = (pointer: string): Error => failure('ERR_TAPEPROOF_RECORDING', pointer);

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** What is in a folder, nothing when it is not there. */
export function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** A text of more bytes is none that JavaScript can hold. */
const LONGEST = constants.MAX_STRING_LENGTH;

/** Opens a file, `undefined` when there is none. Pipes and devices would be waited for, or read, without an end. */
function open(path: string): number | undefined {
  try {
    const kind = statSync(path);
    if (!kind.isFile() && !kind.isDirectory()) throw damaged('');
    return openSync(path, 'r');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function readObject(path: string): Record<string, unknown> | null {
  const file = open(path);
  if (file === undefined) return null;
  try {
    const object = fstatSync(file).size <= LONGEST ? parseObject(readFileSync(file)) : undefined;
    if (!object) throw damaged('');
    return object;
  } finally {
    closeSync(file);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parseObject(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // V8's message would quote the text.
  }
  return undefined;
}

/** The step that a line holds. */
export function stepIn(bytes: Uint8Array): Step | undefined {
  const step = parseObject(bytes);
  return Number.isSafeInteger(step?.['seq']) && Number(step?.['seq']) >= 0 ? (step as unknown as Step) : undefined;
}

interface Line {
  /** Nothing of a line that is too long. */
  bytes: Uint8Array;
  length: number;
  ended: boolean;
}

/** The lines of a file without their ends, and whether each had one. */
function* lines(path: string): Generator<Line> {
  const file = open(path);
  if (file === undefined) return;
  try {
    let parts: Buffer[] = [];
    let length = 0;
    const add = (part: Buffer) => {
      length += part.length;
      if (length <= LONGEST) parts.push(part);
      else parts = [];
    };
    const take = (ended: boolean): Line => {
      const line = { bytes: parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts), length, ended };
      parts = [];
      length = 0;
      return line;
    };
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const filled = chunk.subarray(0, readSync(file, chunk));
      if (filled.length === 0) break;
      let start = 0;
      for (let end = filled.indexOf(LF); end >= 0; end = filled.indexOf(LF, start)) {
        add(filled.subarray(start, end));
        yield take(true);
        start = end + 1;
      }
      if (start < filled.length) add(filled.subarray(start));
    }
    if (length > 0) yield take(false);
  } finally {
    closeSync(file);
  }
}

/** What is missing between the first step and the last, and what is there twice. */
function gaps(steps: readonly Step[]): string[] {
  const found: string[] = [];
  let expected = 0;
  for (const { seq } of steps) {
    if (seq === expected + 1) found.push(`step ${expected} is missing`);
    else if (seq > expected) found.push(`steps ${expected} to ${seq - 1} are missing`);
    else if (seq < expected) found.push(`step ${seq} is there more than once`);
    expected = seq + 1;
  }
  return found;
}
