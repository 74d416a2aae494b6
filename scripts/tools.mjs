// The tools that the tasks call, as `{command, args, env}`.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, StepFailure } from './steps.mjs';
import { isTerminal } from './terminal.mjs';

/** Cargo features beside the defaults, from `TAPEPROOF_FEATURES` (commas or spaces between them). */
export const features = (process.env.TAPEPROOF_FEATURES ?? '').split(/[\s,]+/).filter(Boolean);

const withFeatures = features.length > 0 ? ['--features', features.join(' ')] : [];

/** `cargo` on the lock file as it is. `args` after `--` go to the tool behind cargo. */
export function cargo(command, args = [], { env = {}, tail = [] } = {}) {
  const locked = command === 'fmt' ? [] : ['--locked'];
  return {
    command: 'cargo',
    args: [command, ...locked, ...args, ...(tail.length > 0 ? ['--', ...tail] : [])],
    env: { CARGO_TERM_COLOR: isTerminal ? 'always' : 'never', ...env },
  };
}

/** `cargo` with the extra features of this run. */
export const cargoWithFeatures = (command, args, options) => cargo(command, [...args, ...withFeatures], options);

/** npm itself: the one that started this script, else the one on the PATH. */
export function npm(args, cwd = root) {
  const script = process.env.npm_execpath;
  if (script?.endsWith('npm-cli.js')) return { command: process.execPath, args: [script, ...args], cwd };
  return { command: 'npm', args, cwd, shell: process.platform === 'win32' };
}

/** The program `name` of an installed npm package. */
export function packaged(packageName, name, args) {
  const home = join(root, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  return { command: process.execPath, args: [join(home, typeof bin === 'string' ? bin : bin[name]), ...args] };
}

/** The napi CLI, which builds the addon under the name of its platform. */
export function napiBuild() {
  // Without cargo the CLI fails in words of its own.
  if (spawnSync('cargo', ['--version']).error) {
    throw new StepFailure('cargo is not on the PATH. The addon is built with Rust, see https://rustup.rs');
  }
  return packaged('@napi-rs/cli', 'napi', [
    ...['build', '--platform', '--release', '--no-js', '--dts', 'target/binding.d.ts'],
    ...withFeatures,
    ...['--', '--locked'],
  ]);
}

export const tsc = args => packaged('typescript', 'tsc', args);

export const biome = args => packaged('@biomejs/biome', 'biome', [...args, ...(isTerminal ? [] : ['--colors=off'])]);
