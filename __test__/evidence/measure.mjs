// What sealing or comparing costs, each in a process of its own: `{ms, growth, result}`, growth being how much more
// memory is resident at the peak than before, in bytes.
//   node measure.mjs sealRun|sealRunToFile|compareRuns FOLDER RUN [FILE|RUN]
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { compareRuns, sealRun, sealRunToFile } from 'tapeproof/evidence';
import { generateKeyPair } from 'tapeproof/verify';

const file = fileURLToPath(import.meta.url);

/** Runs one of the functions and tells what it cost. */
export async function measured(...args) {
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args]);
  return JSON.parse(stdout);
}

const { privateKey } = generateKeyPair();
const TASKS = {
  sealRun: (dir, id) => ({ manifest: sealRun(dir, id, { privateKey }).manifest }),
  sealRunToFile: (dir, id, output) => sealRunToFile(dir, id, output, { privateKey }),
  compareRuns: (dir, a, b) => {
    const { counts } = compareRuns({ dir, runId: a }, { dir, runId: b });
    return { counts };
  },
};

if (process.argv[1] === file) {
  const [task, ...args] = process.argv.slice(2);
  const before = process.memoryUsage.rss();
  const began = performance.now();
  const result = TASKS[task](...args);
  const ms = performance.now() - began;
  console.log(JSON.stringify({ ms, growth: process.resourceUsage().maxRSS * 1024 - before, result }));
}
