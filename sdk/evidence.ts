// From a recording to evidence: sealed runs, and runs side by side.
export type { RunSource } from './evidence/calls.js';
export { type ComparedStep, type Comparison, compareRuns } from './evidence/compare.js';
export { type SealRunOptions, sealRun, sealRunToFile } from './evidence/seal.js';
