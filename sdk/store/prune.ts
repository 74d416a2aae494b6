// Takes runs out of a folder, and the cassettes that no other run uses.
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { cassetteFile, cassettesFolder, isName, RUN_FILE, runFolder, runsFolder } from './layout.js';
import { names, readSteps } from './read.js';

/** What is taken out, or would be. */
export interface Pruning {
  runs: string[];
  cassettes: string[];
  bytes: number;
}

const DAY_MS = 86_400_000;
const UNFINISHED = /^\..+\.tmp$/;

/** Finds out what goes with these runs. Nothing is changed. */
export function planPruning(root: string, runs: readonly string[]): Pruning {
  const going = new Set(runs);
  const refs = new Set<string>();
  for (const id of going)
    for (const { cassette_ref } of readSteps(root, id)) if (isName(cassette_ref)) refs.add(cassette_ref);
  // Also runs without a run.json, and those of another version: what they use stays.
  for (const id of names(runsFolder(root))) {
    if (going.has(id)) continue;
    for (const { cassette_ref } of readSteps(root, id)) refs.delete(cassette_ref);
  }
  const cassettes = [...refs].filter(ref => sizeOf(cassettePath(root, ref)) > 0);
  const files = [
    ...runs.flatMap(id => names(runFolder(root, id)).map(name => join(runFolder(root, id), name))),
    ...cassettes.map(ref => cassettePath(root, ref)),
  ];
  return { runs: [...runs], cassettes, bytes: files.reduce((sum, path) => sum + sizeOf(path), 0) };
}

/** Does it. In this order an interruption leaves cassettes too many, never a step without its own. */
export function prune(root: string, { runs, cassettes }: Pruning): void {
  for (const id of runs) {
    // Without it, it is no run any more.
    rmSync(join(runFolder(root, id), RUN_FILE), { force: true });
    rmSync(runFolder(root, id), { recursive: true, force: true });
  }
  for (const ref of cassettes) rmSync(cassettePath(root, ref), { force: true });
  discardUnfinished(cassettesFolder(root));
}

/** What processes that were killed had not finished: a temporary file lives for milliseconds. */
function discardUnfinished(folder: string): void {
  const before = Date.now() - DAY_MS;
  for (const name of names(folder)) {
    const path = join(folder, name);
    if (UNFINISHED.test(name) && (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? before) < before) rmSync(path);
  }
}

const cassettePath = (root: string, ref: string): string => join(cassettesFolder(root), cassetteFile(ref));

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
