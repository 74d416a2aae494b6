// What is on disk after a kill, on a full disk, and when many record at once.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Recorder } from 'tapeproof/recorder';
import { fileStore, listRuns, readCassette, readTrace } from 'tapeproof/store';
import { Random, runSeed } from './random/prng.mjs';
import { call } from './recorder/calls.mjs';
import { filesIn, temporaryFolder } from './recorder/folder.mjs';
import { killMany } from './recorder/kill.mjs';

const seed = runSeed();

it(`a process that is killed loses nothing that record() has returned from (seed ${seed})`, async t => {
  const random = new Random(seed, 0);
  const seen = await killMany(temporaryFolder(), 20, () => random.below(150));
  t.diagnostic(`20 kills: ${JSON.stringify(seen)}`);
});

it('two processes and four workers in one folder do not disturb each other', async () => {
  const root = temporaryFolder();
  const steps = 150;
  const count = fileURLToPath(new URL('recorder/count.mjs', import.meta.url));
  const processes = [1, 2].map(() =>
    once(spawn(process.execPath, [count, root, String(steps)], { stdio: 'inherit' }), 'exit'),
  );
  const workers = [1, 2, 3, 4].map(() => once(new Worker(count, { workerData: [root, steps] }), 'exit'));
  for (const [code] of await Promise.all([...processes, ...workers])) assert.equal(code, 0);
  const ids = listRuns(root);
  assert.equal(ids.length, 6);
  for (const id of ids) {
    const { run, steps: found, problems } = readTrace(root, id);
    assert.deepEqual([run.status, found.length, problems.length], ['complete', steps, 0]);
    for (const { seq, cassette_ref } of found) {
      const response = JSON.parse(readCassette(root, cassette_ref).response);
      assert.deepEqual(response, seq % 2 === 0 ? 'the same' : { run: id, n: seq });
    }
  }
  // One file for an answer that all got, six for those that differ, and no unfinished ones.
  assert.equal(filesIn(join(root, 'cassettes')).length, steps / 2 + 6 * (steps / 2));
});

/** A small file system of its own, or why there is none. */
function smallDisk(size) {
  if (process.platform !== 'linux') return { refusal: 'tmpfs is of Linux' };
  const folder = mkdtempSync(join(tmpdir(), 'tapeproof-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch {
    rmdirSync(folder);
    return { refusal: 'mount is not permitted' };
  }
  after(() => {
    execFileSync('umount', [folder]);
    rmdirSync(folder);
  });
  return { folder };
}

it('a full disk costs steps, not the agent, and what is on it stays readable', t => {
  const { folder, refusal } = smallDisk('256k');
  if (refusal) return t.skip(refusal);
  const root = join(folder, 'rewind');
  const reserve = join(folder, 'reserve');
  writeFileSync(reserve, 'x'.repeat(65_536));
  const lines = [];
  const recorder = new Recorder({ store: fileStore(root), log: line => lines.push(line) });
  const answer = 'x'.repeat(5000);
  for (let n = 0; n < 100; n += 1) recorder.record(call({ n }, answer));
  const kept = recorder.stats.steps;
  assert.ok(kept > 10 && kept < 90, `${kept} steps`);
  assert.equal(recorder.stats.dropped, 100 - kept);
  assert.deepEqual(lines.length, 1);
  assert.match(lines[0], /\(ENOSPC\)$/);

  // Not a byte is free: half a line must not spoil the one that comes after it.
  const filler = join(folder, 'filler');
  for (const size of [4096, 64, 1]) {
    try {
      for (;;) writeFileSync(filler, 'x'.repeat(size), { flag: 'a' });
    } catch (error) {
      assert.equal(error.code, 'ENOSPC');
    }
  }
  for (let n = 0; n < 60; n += 1) recorder.record(call({ n: 0 }, answer, { node: 'n'.repeat(100 + n) }));
  assert.ok(recorder.stats.dropped > 100 - kept);
  rmSync(reserve);
  recorder.record(call({ n: 'free' }, answer));
  recorder.finish(null);

  const { run, steps, problems } = readTrace(root, recorder.run.run_id);
  assert.equal(run.status, 'partial');
  assert.equal(run.dropped, recorder.stats.dropped);
  assert.equal(steps.length, recorder.stats.steps);
  assert.equal(steps.at(-1).seq, 160);
  for (const problem of problems) assert.match(problem, /missing$/);
  for (const step of steps) assert.equal(readCassette(root, step.cassette_ref).response, JSON.stringify(answer));
  assert.deepEqual(
    filesIn(root).filter(name => name.includes('.tmp')),
    [],
  );
});

it('a disk that is full from the start', t => {
  const { folder, refusal } = smallDisk('8k');
  if (refusal) return t.skip(refusal);
  try {
    for (;;) writeFileSync(join(folder, 'filler'), 'x'.repeat(4096), { flag: 'a' });
  } catch (error) {
    assert.equal(error.code, 'ENOSPC');
  }
  const recorder = new Recorder({ store: fileStore(join(folder, 'rewind')), log: () => {} });
  recorder.record(call({}, 1));
  recorder.finish(null);
  assert.equal(recorder.run.status, 'partial');
  assert.deepEqual(listRuns(join(folder, 'rewind')), []);
});
