// Sealing and comparing runs, as a user's strict code sees them. Never run.
import {
  type Comparison,
  compareRuns,
  type RunSource,
  type SealRunOptions,
  sealRun,
  sealRunToFile,
} from 'tapeproof/evidence';
import type { SealedRecord } from 'tapeproof/verify';

const options: SealRunOptions = { privateKey: 'pem', generatedAt: '2026-01-01T00:00:00.000Z', allowPartial: true };
export const record: SealedRecord = sealRun('.rewind', '01J8', options);
export const digest: string = sealRunToFile('.rewind', '01J8', 'record.json').content_digest;

const sources: RunSource[] = [{ dir: '.rewind', runId: '01J8' }, record, { events: [{ type: 'llm' }] }];
const comparison: Comparison = compareRuns(sources[0] as RunSource, record);
export const missing: number = comparison.counts.missing;
for (const step of comparison.steps) {
  if (step.result === 'missing') step.b satisfies null;
  if (step.result === 'changed') step.pointers satisfies string[];
  // @ts-expect-error what is the same has no pointers
  if (step.result === 'same') step.pointers;
}

// @ts-expect-error no such option
sealRun('.rewind', '01J8', { key: 'pem' });
// @ts-expect-error a run needs its folder
compareRuns({ runId: '01J8' }, record);
