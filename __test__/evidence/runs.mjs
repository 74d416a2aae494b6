// Recorded runs to seal and to compare.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sealRunToFile } from 'tapeproof/evidence';
import { Recorder } from 'tapeproof/recorder';
import { fileStore } from 'tapeproof/store';
import { temporaryFolder } from '../recorder/folder.mjs';

/** Records a run of these observations; what they leave out is that of a call of a tool. */
export function recordRun(root, run_id, observations, { status, outcome = null, ...run } = {}) {
  const recorder = new Recorder({ store: fileStore(root), run: { run_id, ...run }, log: () => {} });
  for (const observation of observations) recorder.record({ node: 'n', kind: 'tool', latency_ms: 5, ...observation });
  recorder.finish(outcome, status);
  return recorder;
}

/** A call of a tool. */
export const tool = (args, response, more) => ({
  request: { kind: 'tool', tool_name: 'search', args },
  response,
  ...more,
});

/** A call of a model. */
export const model = (content, response, more) => ({
  kind: 'model',
  request: { kind: 'model', provider: 'p', model_id: 'm', messages: [{ role: 'user', content }], temperature: 0 },
  response,
  ...more,
});

/** Changes one JSON file. */
export function edit(root, path, change) {
  const file = join(root, path);
  const value = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify(change(value) ?? value));
}

/** Changes the lines of a run's steps. */
export function editLines(root, id, change) {
  const file = join(root, 'runs', id, 'steps.jsonl');
  writeFileSync(file, change(readFileSync(file, 'utf8').trimEnd().split('\n')).join('\n'));
}

/** A folder with the run `r` of these observations. */
export function recorded(observations, run) {
  const root = temporaryFolder();
  recordRun(root, 'r', observations, run);
  return root;
}

/** Seals the run `r` into a file and gives its text. */
export function sealed(root, options) {
  const file = join(temporaryFolder(), 'record.json');
  sealRunToFile(root, 'r', file, options);
  return readFileSync(file, 'utf8');
}
