// Kills recording processes at random moments and looks at what they leave.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readCassette, readTrace } from 'tapeproof/store';

const endless = fileURLToPath(new URL('endless.mjs', import.meta.url));

/** A process that is killed `afterMs` after its first step. Gives its run and the last `seq` it told. */
async function killed(root, afterMs) {
  const child = spawn(process.execPath, [endless, root], { stdio: ['ignore', 'pipe', 'inherit'] });
  let told = '';
  const first = new Promise(resolve => {
    child.stdout.on('data', chunk => {
      told += chunk;
      if (told.includes('\n0\n')) resolve();
    });
  });
  await first;
  await setTimeout(afterMs);
  child.kill('SIGKILL');
  await once(child, 'close');
  const [id, ...seqs] = told.split('\n').slice(0, -1);
  return { id, last: Number(seqs.at(-1)) };
}

const TORN = /^steps\.jsonl line \d+: torn/;

/** Kills so many, `next` says when, and asserts that nothing is lost that was told. Gives what was seen. */
export async function killMany(root, times, next) {
  let steps = 0;
  let torn = 0;
  for (let time = 0; time < times; time += 1) {
    const { id, last } = await killed(root, next());
    const trace = readTrace(root, id);
    assert.equal(trace.run.status, 'partial');
    assert.ok(trace.steps.length > last, `${trace.steps.length} steps, told ${last + 1}`);
    for (const [seq, step] of trace.steps.entries()) {
      assert.equal(step.seq, seq);
      const cassette = readCassette(root, step.cassette_ref);
      assert.equal(cassette.hash, step.req_hash);
      assert.match(cassette.response, seq % 3 === 2 ? new RegExp(` ${seq} some words`) : /^"the same"$/);
    }
    for (const problem of trace.problems) assert.match(problem, TORN);
    steps += trace.steps.length;
    torn += trace.problems.length;
  }
  const names = readdirSync(join(root, 'cassettes'));
  const refs = names.filter(name => !name.startsWith('.')).map(name => name.replace(/\.json$/, ''));
  for (const ref of refs) assert.ok(readCassette(root, ref));
  return { steps, torn, cassettes: refs.length, unfinished: names.length - refs.length };
}
