// node endless.mjs FOLDER: records until it is killed, and tells each `seq` whose record() has returned.
import { writeSync } from 'node:fs';
import { Recorder } from 'tapeproof/recorder';
import { fileStore } from 'tapeproof/store';
import { call } from './calls.mjs';

const recorder = new Recorder({ store: fileStore(process.argv[2]) });
writeSync(1, `${recorder.run.run_id}\n`);
const long = 'some words. '.repeat(2000);
for (let n = 0; ; n += 1) {
  // New requests, requests that other processes make too, and those that are answered differently each time.
  const q = n % 3 === 0 ? `${process.pid} ${n}` : n % 40;
  recorder.record(call({ q, long }, n % 3 === 2 ? `${process.pid} ${n} ${long}` : 'the same'));
  writeSync(1, `${n}\n`);
}
