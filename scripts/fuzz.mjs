// npm run fuzz -- --area hash --n 1000000 [--seed S] [--from I] [--failures K]
// Compares the native core with the plain-JavaScript twin and prints each difference with its smallest input.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { differences } from '../__test__/differential/run.mjs';
import { runSeed } from '../__test__/random/prng.mjs';

const { values } = parseArgs({
  options: {
    area: { type: 'string', default: 'hash' },
    n: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    from: { type: 'string', default: '0' },
    failures: { type: 'string', default: '1' },
  },
});

function fail(message) {
  console.error(message);
  process.exit(2);
}

function count(name) {
  const value = Number(values[name]);
  return Number.isSafeInteger(value) && value >= 0 ? value : fail(`--${name}: expected a count`);
}

const areaFile = new URL(`../__test__/differential/${values.area}.mjs`, import.meta.url);
if (!/^[a-z]+$/.test(values.area) || !existsSync(areaFile)) fail(`--area: there is no area of this name`);
const area = await import(areaFile.href);
if (!area.difference) fail(`--area: there is no area of this name`);

const seed = runSeed(values.seed);
const [n, from, most] = ['n', 'from', 'failures'].map(count);
console.log(`${values.area}: seed ${seed}, cases ${from} to ${from + n}, Node ${process.versions.node}`);

const started = performance.now();
let last = started;
const { isTTY } = process.stderr;
function tick(done) {
  const now = performance.now();
  if (!isTTY || now - last < 200) return;
  last = now;
  const rate = (done / (now - started)) * 1000;
  process.stderr.write(`\r${done} of ${n}, ${Math.round(rate)} a second, ${Math.round((n - done) / rate)} s left  `);
}

let failures = 0;
for (const { index, words, input } of differences(area, { seed, from, n, tick })) {
  if (isTTY) process.stderr.write('\r\x1b[K');
  console.log(`\ncase ${index}: ${words}\n${input}`);
  if (++failures >= most) break;
}
if (isTTY) process.stderr.write('\r\x1b[K');
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(failures === 0 ? `no difference in ${n} cases (${seconds} s)` : `\n${failures} differences (${seconds} s)`);
process.exitCode = failures === 0 ? 0 : 1;
