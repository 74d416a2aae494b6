// The fuzz targets and the tests under AddressSanitizer, which need Rust's nightly toolchain, and those under valgrind.
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { handOver, root, StepFailure, step } from './steps.mjs';
import { cargo } from './tools.mjs';

const output = (command, ...args) => {
  const { status, stdout } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
};

const hostOf = (...rustc) => /^host: (.+)$/m.exec(output(...rustc) ?? '')?.[1];

const nightly = (args, env = {}) => ({ command: 'cargo', args: ['+nightly', ...args], env });

/** Says why something cannot run here; with `CI` set everything can. */
function missing(what) {
  if (process.env.CI) throw new StepFailure(`${what} is missing`);
  console.log(`skipped: ${what} is missing`);
}

const targets = () =>
  readdirSync(join(root, 'fuzz', 'fuzz_targets'))
    .map(file => basename(file, '.rs'))
    .sort();

function fuzzed(log) {
  const [, runs] = /^Done (\d+) runs/m.exec(log) ?? [];
  const edges = [...log.matchAll(/ cov: (\d+) /g)].at(-1)?.[1];
  return `${runs} runs, ${edges} edges`;
}

/** Every fuzz target for so many seconds, beginning with the goldens. */
export async function fuzzTargets(seconds) {
  if (!output('cargo', '+nightly', 'fuzz', '--version')) return missing('cargo-fuzz with the nightly toolchain');
  await fuzz(nightly(['fuzz', 'build']), seconds, (target, options) =>
    nightly(['fuzz', 'run', target, '--', ...options]),
  );
}

/** Builds the targets and runs each. `toolFor` makes a target and options of libFuzzer a tool. */
async function fuzz(build, seconds, toolFor) {
  await step('seeds', { command: process.execPath, args: ['fuzz/seeds.mjs'] });
  await step('fuzz targets', build);
  for (const target of targets()) {
    const tool = toolFor(target, [`-max_total_time=${seconds}`, '-max_len=4096']);
    await step(`fuzz target ${target}`, tool, { summary: fuzzed });
  }
}

// What cargo-fuzz asks of the compiler, but for the sanitizer, which stable Rust has not.
const COVERAGE = [
  '--cfg fuzzing -Cpasses=sancov-module',
  ...['level=4', 'inline-8bit-counters', 'pc-table'].map(option => `-Cllvm-args=-sanitizer-coverage-${option}`),
].join(' ');

/** `npm run test:fuzz`: every fuzz target for some seconds, with the Rust that is here. */
export async function fuzzSmoke([seconds = '5']) {
  const host = hostOf('rustc', '-vV');
  if (!host) return missing('rustc');
  const folder = join(root, 'fuzz', 'target', 'smoke');
  const env = { RUSTFLAGS: COVERAGE, CARGO_PROFILE_DEV_OPT_LEVEL: '1', CARGO_PROFILE_DEV_DEBUG: '0' };
  // With a target named, build scripts and macros are left as they are.
  const args = ['--manifest-path', 'fuzz/Cargo.toml', '--target', host, '--target-dir', folder];
  // What it finds is written where it runs, and must not be committed.
  await fuzz(cargo('build', args, { env }), seconds, (target, options) => ({
    command: join(folder, host, 'debug', target),
    args: [join(root, 'fuzz', 'corpus', target), ...options],
    cwd: folder,
  }));
}

/** Tests that reach all code of the addon, and neither build it nor measure memory. */
export const OF_ADDON = [
  ...['addon', 'depth', 'errors', 'forms', 'getters', 'goldens', 'jcs', 'media', 'pollution', 'proxies', 'reentrancy'],
  ...['records', 'redact', 'seal', 'workers'],
].map(name => join('__test__', `${name}.test.mjs`));

/** `npm run test:addon`: those tests, on the addon and the compiled files that are here. */
export const testAddon = args => handOver({ command: process.execPath, args: ['--test', ...args, ...OF_ADDON] });

/** The addon's own test under valgrind's memcheck, in a Node that compiles nothing at run time. Linux only. */
export async function memchecked() {
  if (process.platform !== 'linux') return;
  if (!output('valgrind', '--version')) return missing('valgrind');
  const options = ['--quiet', '--error-exitcode=9', '--suppressions=scripts/valgrind.supp'];
  const test = [process.execPath, '--jitless', '__test__/addon.test.mjs'];
  await step('addon, memcheck', { command: 'valgrind', args: [...options, ...test] });
}

/** The Rust tests, and the addon under a Node that has AddressSanitizer preloaded. Linux only: the rest has no preload. */
export async function sanitized() {
  if (process.platform !== 'linux') return;
  const host = hostOf('rustc', '+nightly', '-vV');
  if (!host) return missing('the nightly toolchain');
  const runtime = output('cc', '-print-file-name=libasan.so');
  if (!existsSync(runtime ?? '')) return missing('libasan');

  const folder = join(root, 'target', 'sanitizer');
  const flags = { RUSTFLAGS: '-Zsanitizer=address', RUSTDOCFLAGS: '-Zsanitizer=address' };
  const args = ['--locked', '--target', host, '--target-dir', folder];
  await step('Rust tests, AddressSanitizer', nightly(['test', '--no-default-features', ...args], flags));
  await step('addon, AddressSanitizer', nightly(['build', '--lib', ...args], flags));

  // A copy of the package around that addon.
  const home = join(folder, 'package');
  rmSync(home, { recursive: true, force: true });
  for (const part of ['package.json', 'dist', '__test__'])
    cpSync(join(root, part), join(home, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'));
  const addon = readdirSync(root).find(file => file.endsWith('.node'));
  copyFileSync(join(folder, host, 'debug', 'libtapeproof.so'), join(home, addon));
  // V8 keeps what it has when it ends, so leaks are the Rust tests' affair; `../shared` is not beside the copy.
  const env = { LD_PRELOAD: runtime, ASAN_OPTIONS: 'detect_leaks=0', CI: '' };
  const summary = log => `${/^# pass (\d+)$/m.exec(log)?.[1]} passed`;
  const tap = ['--test', '--test-concurrency=1', '--test-reporter=tap', ...OF_ADDON];
  await step('suite, AddressSanitizer', { command: process.execPath, args: tap, cwd: home, env }, { summary });
}
