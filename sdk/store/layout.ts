// The places of a recording's files.
//
//   <root>/runs/<run_id>/run.json
//   <root>/runs/<run_id>/steps.jsonl
//   <root>/cassettes/<hash>.json             the first response that was recorded for a request
//   <root>/cassettes/<hash>.<16 hex>.json    another response to it
import { join } from 'node:path';
import { failure } from '../native.js';

export const RUN_FILE = 'run.json';
export const STEPS_FILE = 'steps.jsonl';

export const runsFolder = (root: string): string => join(root, 'runs');
export const runFolder = (root: string, runId: string): string => join(root, 'runs', runId);
export const stepsFile = (root: string, runId: string): string => join(runFolder(root, runId), STEPS_FILE);
export const cassettesFolder = (root: string): string => join(root, 'cassettes');
export const cassetteFile = (ref: string): string => `${ref}.json`;

// No separators, no drive letters, no leading dot (so no `..` either, and none of our temporary files).
const NAME = /^[\w-](?:[\w.-]{0,198}[\w-])?$/;

/** Whether a run id or a ref may be part of a path. */
export const isName = (name: unknown): name is string => typeof name === 'string' && NAME.test(name);

/** The same as an error: what is written under a bad name would be written elsewhere. */
export function requireName(name: unknown): void {
  if (!isName(name)) throw failure('ERR_TAPEPROOF_NAME', '');
}
