// `node scripts/run.mjs <task> [arguments]`: what package.json's scripts call.
// Until `build` has run there is no node_modules: this file and those it loads import node: modules only.
import { StepFailure } from './steps.mjs';

const TASKS = {
  build: async () => {
    const { build } = await import('./build.mjs');
    if ((await build()) === 0) console.log('up to date');
  },
  demo: async args => (await import('./program.mjs')).program('scripts/demo.mjs', args),
  bench: async args => (await import('./program.mjs')).bench(args),
  'bench:large': async args => (await import('./program.mjs')).program('benchmark/large.mjs', args),
  fuzz: async args => (await import('./program.mjs')).program('scripts/fuzz.mjs', args),
  test: async args => (await import('./test.mjs')).test(args),
  'test:nodes': async args => (await import('./test.mjs')).testNodes(args),
  'test:kernels': async args => (await import('./test.mjs')).testKernels(args),
  'test:oldest': async args => (await import('./test.mjs')).testOldest(args),
  'test:page': async args => (await import('./test.mjs')).testPage(args),
  'test:long': async args => (await import('./test.mjs')).testLong(args),
  'test:fuzz': async args => (await import('./hardening.mjs')).fuzzSmoke(args),
  'test:addon': async args => (await import('./hardening.mjs')).testAddon(args),
  rehearsal: async () => (await import('./rehearsal.mjs')).rehearsal(),
  check: async () => (await import('./check.mjs')).check(),
};

const [name, ...args] = process.argv.slice(2);
const task = Object.hasOwn(TASKS, name ?? '') ? TASKS[name] : undefined;
if (!task) {
  console.error(`expected a task, one of: ${Object.keys(TASKS).join(', ')}`);
  process.exitCode = 2;
} else {
  try {
    await task(args);
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error;
    if (error.message) console.error(error.message);
    process.exitCode = 1;
  }
}
