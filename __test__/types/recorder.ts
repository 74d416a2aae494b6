// The recorder and what is around it, as a user's strict code sees them. Never run.
import { DEFAULT_DIR, defineConfig, type RewindConfig } from 'tapeproof/config';
import { type BufferedStore, bufferedStore } from 'tapeproof/emitter';
import {
  ENV_CONFIG,
  ENV_DIR,
  ENV_ENABLED,
  ENV_ENV_FILE,
  ENV_SERVER,
  ENV_TOKEN,
  loadEnvFile,
  recorderFromEnv,
  resetRecorder,
} from 'tapeproof/env';
import { httpStore } from 'tapeproof/http';
import { type Observation, Recorder, type RecorderOptions } from 'tapeproof/recorder';
import type { Cassette, Run, Step } from 'tapeproof/schema';
import {
  type AsyncStore,
  type FileStore,
  fileStore,
  findRecording,
  listRuns,
  readCassette,
  readTrace,
  type Store,
} from 'tapeproof/store';

// As on the published page.
for (const id of listRuns('.rewind')) {
  const trace = readTrace('.rewind', id);
  if (!trace) continue;
  const { run, steps }: { run: Run; steps: Step[] } = trace;
  const line: [string, Run['status'], number] = [id, run.status, steps.length];
  void line;
}
const buffered: BufferedStore = bufferedStore({ target: httpStore({ url: 'http://x', token: 't' }), maxQueue: 1000 });
const config: RewindConfig = defineConfig({
  dir: DEFAULT_DIR,
  redact: { preset: 'default', fields: ['ssn', 'dateOfBirth'], custom: [/ACC-\d{8}/g] },
});

// A store of one's own is three methods that return nothing.
const own: Store = {
  putRun: (_run: Run) => {},
  appendStep(_step: Step): void {},
  putCassette: (_cassette: Cassette) => {},
};
const slow: AsyncStore = { putRun: async () => {}, appendStep: async () => {}, putCassette: async () => {} };
const files: FileStore = fileStore('.rewind');
const ref: string = files.putCassette({} as Cassette);
const options: RecorderOptions[] = [
  { store: own },
  { store: files, run: { thread_id: 't', seed: 1 }, redact: { preset: 'extended' }, log: line => line.length },
  { store: bufferedStore({ target: slow }), run: undefined },
];

const observation: Observation = {
  node: 'plan',
  kind: 'tool',
  request: { kind: 'tool', tool_name: 't', args: {} },
  response: null,
  latency_ms: 1,
  error: new RangeError('x'),
  tokens: null,
};
const recorder = new Recorder({ store: own });
recorder.record({ ...observation, seq: recorder.reserve() });
recorder.record({ ...observation, kind: 'human', request: { kind: 'human', question: 'go on?' } });
recorder.finish({ final_state_hash: 'sha256:0', anything: 1 }, 'error');
recorder.finish(null);
const { dropped, steps }: { dropped: number; steps: number } = recorder.stats;
const account: Promise<{ written: number; dropped: number; pending: number }> = buffered.flush();
const cassette: Cassette | null = readCassette('.rewind', ref);
const found = findRecording('.rewind', { kind: 'clock', counter: 0 }).cassettes satisfies Cassette[];

// @ts-expect-error a kind
recorder.record({ ...observation, kind: 'other' });
// @ts-expect-error how long it took
recorder.record({ node: 'n', kind: 'tool', request: observation.request, response: 1 });
// @ts-expect-error the recorder keeps the account
new Recorder({ store: own, run: { status: 'complete' } });
// @ts-expect-error an asynchronous store needs a queue before it
new Recorder({ store: { putRun: 1 } });
// @ts-expect-error no such field
defineConfig({ folder: '.rewind' });

export const environment: Promise<Recorder | null> = recorderFromEnv({ thread_id: 't' });
export const loaded: string | null = loadEnvFile();
export const names: string[] = [ENV_CONFIG, ENV_DIR, ENV_ENABLED, ENV_ENV_FILE, ENV_SERVER, ENV_TOKEN];
export { account, cassette, config, dropped, found, options, resetRecorder, steps };
