// npm run bench -- --area evidence: what sealing and comparing recorded runs takes, in time and memory. Each is done in
// a process of its own, on runs of model calls as an agent makes them.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Recorder } from 'tapeproof/recorder';
import { fileStore } from 'tapeproof/store';
import { measured } from '../__test__/evidence/measure.mjs';
import { conversation } from './requests.mjs';
import { quantile } from './rounds.mjs';
import { markdownTable, plainTable } from './table.mjs';

const { values: options } = parseArgs({
  options: {
    dir: { type: 'string', default: tmpdir() },
    steps: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    markdown: { type: 'boolean', default: false },
  },
});
const steps = Number(options.steps);
const MESSAGES = { messages: 3, kilobytes: 2 };
const TEXT = JSON.stringify(conversation(MESSAGES));

/** Records a run. Every `rate`th call is another one. */
function record(root, run_id, rate) {
  const recorder = new Recorder({ store: fileStore(root), run: { run_id } });
  for (let step = 0; step < steps; step += 1) {
    const request = JSON.parse(TEXT);
    request.messages[0].content += ` ${step}${step % rate === 0 ? `, ${run_id}` : ''}`;
    const response = { content: `The order of step ${step} was delivered on Monday.` };
    recorder.record({ node: 'agent', kind: 'model', request, response, latency_ms: 420, tokens: 900 });
  }
  recorder.finish(null);
}

const root = mkdtempSync(join(options.dir, 'tapeproof-bench-'));
try {
  record(root, 'a', Number.POSITIVE_INFINITY);
  record(root, 'again', Number.POSITIVE_INFINITY);
  record(root, 'tenth', 10);
  record(root, 'other', 1);
  const file = join(root, 'record.json');
  const tasks = [
    ['sealRunToFile', ['sealRunToFile', root, 'a', file]],
    ['sealRun', ['sealRun', root, 'a']],
    ['compareRuns, the same', ['compareRuns', root, 'a', 'again']],
    ['compareRuns, every tenth call changed', ['compareRuns', root, 'a', 'tenth']],
    ['compareRuns, nothing in common', ['compareRuns', root, 'tenth', 'other']],
  ];
  const samples = tasks.map(() => []);
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const [at, [, task]] of tasks.entries()) samples[at].push(await measured(...task));
  }
  const rows = tasks.map(([name], at) => {
    const of = key =>
      quantile(
        samples[at].map(sample => sample[key]),
        0.5,
      );
    return [
      name,
      (of('ms') / 1000).toFixed(2),
      ((of('ms') * 1000) / steps).toFixed(0),
      (of('growth') / 2 ** 20).toFixed(0),
    ];
  });
  const head = ['', 's', 'µs a step', 'MiB at the peak'];
  console.log(
    `\nNode ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} × ${cpus()[0]?.model}. ` +
      `Runs of ${steps} steps, a record of ${(statSync(file).size / 2 ** 20).toFixed(0)} MiB, medians of ${options.rounds}.\n`,
  );
  console.log((options.markdown ? markdownTable : plainTable)([head, ...rows]));
} finally {
  rmSync(root, { recursive: true, force: true });
}
