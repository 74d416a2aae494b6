// One session for each thread: threads do not meet, and a thread that goes takes its session along.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { runSeed } from './random/prng.mjs';
import { anchor, ours } from './readings.mjs';

const { H } = ours[0];
const seed = runSeed();

function result(file, workerData) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(`./workers/${file}`, import.meta.url), { workerData });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

it(`four workers at once give the same hashes (seed ${seed})`, async () => {
  const workerData = { seed, n: 150, rounds: 4 };
  const results = await Promise.all([0, 1, 2, 3].map(() => result('goldens.mjs', workerData)));
  for (const { hashes, unsteady } of results) {
    assert.deepEqual(unsteady, []);
    assert.deepEqual(hashes, results[0].hashes);
    assert.equal(hashes.length, 150);
  }
});

it('a worker that is stopped in the middle of a hash harms nobody', async () => {
  for (let times = 0; times < 10; times++) {
    const worker = new Worker(new URL('./workers/endless.mjs', import.meta.url));
    await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    assert.equal(H.reqHash(anchor.request), anchor.hash);
    assert.equal(await worker.terminate(), 1);
  }
  assert.equal(H.reqHash(anchor.request), anchor.hash);
});
