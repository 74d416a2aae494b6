// The test tiers: the Rust tests and the JavaScript suite, the suite on other Node versions, the long runs.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { build, install } from './build.mjs';
import { fuzzTargets, memchecked, OF_ADDON, sanitized } from './hardening.mjs';
import { handOver, root, StepFailure, step } from './steps.mjs';
import { cargoWithFeatures } from './tools.mjs';

const reporter = new URL('./reporter.mjs', import.meta.url).href;
const nodesFolder = join(root, '__test__', 'nodes');
const oldestFolder = join(root, '__test__', 'langchain-oldest');
const browserFolder = join(root, '__test__', 'browser');
const PAGE = '__test__/page';
const MIDDLEWARE = '__test__/middleware';
const HOSTILE = '__test__/hostile';

/** Files that take longest are begun first: none of them is left over at the end, with nothing to run beside it. */
const LONGEST = ['server-load', 'server-patience', 'env', 'seal', 'memory', 'cli'];
const rank = name => {
  const at = LONGEST.indexOf(basename(name, '.test.mjs'));
  return at < 0 ? LONGEST.length : at;
};

/** What reaches the kernels beside the tests of the addon. */
const OF_KERNELS = [
  'code-points',
  'differential',
  'json-read',
  'mutation',
  'redact-corpus',
  'redact-forms',
  'verify-file',
].map(name => `__test__/${name}.test.mjs`);

const testFiles = folder =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder))
        .filter(name => name.endsWith('.test.mjs'))
        .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
        .map(name => `${folder}/${name}`)
    : [];

// By default node leaves one core out, which is half of a small machine. One file more than there are cores: some wait
// for a server most of the time.
const OPTIONS = [
  '--test',
  `--test-concurrency=${availableParallelism() + 1}`,
  `--test-reporter=${reporter}`,
  '--test-reporter-destination=stdout',
];

const suite = (node, args = [], folders = ['__test__', MIDDLEWARE, HOSTILE]) => ({
  command: node,
  args: [...OPTIONS, ...args, ...folders.flatMap(testFiles)],
});

const total = (output, pattern) => {
  let sum = 0;
  for (const [, count] of output.matchAll(pattern)) sum += Number(count);
  return sum;
};
const rustPassed = output => `${total(output, /^test result: ok\. (\d+) passed/gm)} passed`;
const nodePassed = output => `${total(output, /^ℹ pass (\d+)$/gm)} passed`;

/** `npm test`: everything that a change must pass, in minutes. */
export async function test(args) {
  await build();
  await rustTests();
  await handOver(suite(process.execPath, args));
}

/** Of the core alone: what binds it to Node is tested from there. */
const rustTests = () =>
  step('Rust tests', cargoWithFeatures('test', ['--no-default-features']), { summary: rustPassed });

/** `npm run test:kernels`: all tests whose outcome depends on how text is scanned. */
export async function testKernels(args) {
  await build();
  await rustTests();
  await handOver({ command: process.execPath, args: [...OPTIONS, ...args, ...OF_ADDON, ...OF_KERNELS] });
}

/** The Node binaries that `__test__/nodes` pins, as `{name, path}`, the lowest version first. */
export async function pinnedNodes() {
  await install(nodesFolder, 'Node binaries');
  const manifest = JSON.parse(readFileSync(join(nodesFolder, 'package.json'), 'utf8'));
  const names = Object.keys({
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.devDependencies,
  });
  return names
    .filter(name => /^node\d+$/.test(name))
    .sort()
    .map(name => ({ name, path: join(nodesFolder, 'node_modules', name, 'bin', 'node') }));
}

/** The version of Node that a binary is. */
const versionOf = path => spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout.trim();

/** `npm run test:nodes`: the suite on every pinned Node but this one, which `npm test` is for; also after a failure. */
export async function testNodes(args) {
  await build();
  const failed = [];
  for (const { name, path } of await pinnedNodes()) {
    if (!existsSync(path)) {
      console.log(`${name} has no binary for this machine`);
      if (process.env.CI) failed.push(name);
      continue;
    }
    if (versionOf(path) === process.version) continue;
    try {
      await step(`suite on ${name}`, suite(path, args), { summary: nodePassed });
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error;
      failed.push(name);
    }
  }
  if (failed.length > 0) throw new StepFailure(`failed on ${failed.join(', ')}`);
}

/** `npm run test:oldest`: the tests of the middleware on the oldest LangChain that it is for. */
export async function testOldest(args) {
  await build();
  await install(oldestFolder, 'the oldest LangChain');
  const tool = suite(process.execPath, ['--import', './__test__/langchain-oldest/resolve.mjs', ...args], [MIDDLEWARE]);
  await step('middleware on the oldest LangChain', tool, { summary: nodePassed });
}

/** `npm run test:page`: the page and the report in a browser. */
export async function testPage(args) {
  await build();
  await install(browserFolder, 'what drives the browser');
  await handOver(suite(process.execPath, ['--test-concurrency=1', ...args], [PAGE]));
}

/** The names that `npm run fuzz -- --area` takes. */
async function areas() {
  const folder = new URL('../__test__/differential/', import.meta.url);
  const found = [];
  for (const file of readdirSync(folder).sort()) {
    // Beside the areas stand the modules that they share.
    if ((await import(new URL(file, folder).href)).generate) found.push(basename(file, '.mjs'));
  }
  return found;
}

/** How many inputs of an area are compared, where a million take hours. */
const CASES = { record: 200_000, signed: 500_000 };

/** `npm run test:long`: fuzzing, AddressSanitizer, valgrind, a million differential cases, and the tests that take long. */
export async function testLong(args) {
  await build();
  await sanitized();
  await memchecked();
  await fuzzTargets(120);
  for (const area of await areas()) {
    const n = String(CASES[area] ?? 1_000_000);
    await handOver({ command: process.execPath, args: ['scripts/fuzz.mjs', '--area', area, '--n', n] });
  }
  await handOver(suite(process.execPath, ['--expose-gc', ...args], ['__test__/long']));
}
