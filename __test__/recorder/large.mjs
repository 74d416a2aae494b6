// A run whose steps take so many bytes, and what `tapeproof show` makes of it with a heap of 32 MB.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Recorder } from 'tapeproof/recorder';
import { fileStore } from 'tapeproof/store';
import { call } from './calls.mjs';
import { temporaryFolder } from './folder.mjs';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const PART_STEPS = 2000;

/** A folder with the run `large`; its steps are those of one call under rising numbers. */
function folderOf(bytes) {
  const root = temporaryFolder();
  const recorder = new Recorder({ store: fileStore(root), run: { run_id: 'large' } });
  recorder.record(call({ q: 'a' }, 'one', { node: 'n'.repeat(700) }));
  recorder.finish(null);
  const file = join(root, 'runs', 'large', 'steps.jsonl');
  const step = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, '');
  const descriptor = openSync(file, 'a');
  let steps = 0;
  while (statSync(file).size < bytes) {
    const part = Array.from({ length: PART_STEPS }, (_, at) => `${JSON.stringify({ ...step, seq: steps + at })}\n`);
    writeSync(descriptor, part.join(''));
    steps += PART_STEPS;
  }
  closeSync(descriptor);
  return { root, steps };
}

/** Shows a run of so many bytes, and fails unless every step is a line. */
export async function showLarge(bytes) {
  const { root, steps } = folderOf(bytes);
  const child = spawn(process.execPath, ['--max-old-space-size=32', main, 'show', 'large', '--json', '--dir', root]);
  let [lines, errors] = [0, ''];
  child.stdout.on('data', chunk => {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
  });
  child.stderr.setEncoding('utf8').on('data', text => {
    errors += text;
  });
  const status = await new Promise(resolve => child.once('close', resolve));
  assert.deepEqual({ status, errors, lines }, { status: 0, errors: '', lines: steps + 1 });
}
