// node count.mjs FOLDER STEPS, or as a worker: records so many steps into a folder that others record into.
import { isMainThread, workerData } from 'node:worker_threads';
import { Recorder } from 'tapeproof/recorder';
import { fileStore } from 'tapeproof/store';
import { call } from './calls.mjs';

const [folder, steps] = isMainThread ? process.argv.slice(2) : workerData;
const recorder = new Recorder({ store: fileStore(folder) });
for (let n = 0; n < Number(steps); n += 1) {
  // Half of the requests have the same answer everywhere, the others one of their own.
  recorder.record(call({ n }, n % 2 === 0 ? 'the same' : { run: recorder.run.run_id, n }));
}
recorder.finish(null);
