// `npm run check`: formatting, lints, docs and types. Every check runs, also after one that failed.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { root, StepFailure, step } from './steps.mjs';
import { isTerminal } from './terminal.mjs';
import { biome, cargo, tsc } from './tools.mjs';

const FEATURE_SETS = [
  ['default features', []],
  ['no features', ['--no-default-features']],
  // Last and not alone: `force-scalar` takes the SIMD kernels out of sight.
  ['all features', ['--all-features']],
];

const FUZZ = 'fuzz/Cargo.toml';

const rustfmt = (args = []) =>
  cargo('fmt', [...args, '--check'], { tail: ['--color', isTerminal ? 'always' : 'never'] });

const clippy = args => cargo('clippy', ['--all-targets', ...args], { tail: ['-D', 'warnings'] });

const script = (...args) => ({ command: process.execPath, args });

/** cargo-deny takes long to build: who has it is checked, and the workflow has it. */
function cargoDeny() {
  if (spawnSync('cargo', ['deny', '--version']).status !== 0) {
    console.log('cargo deny is not here: licenses, bans and sources are left to the workflow');
    return [];
  }
  const args = ['deny', '--locked', '--offline', 'check', 'licenses', 'bans', 'sources'];
  return [['cargo deny', { command: 'cargo', args }]];
}

const consumerProjects = () => {
  const folder = join(root, '__test__');
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && existsSync(join(folder, entry.name, 'tsconfig.json')))
    .map(entry => `__test__/${entry.name}`);
};

export async function check() {
  await build();
  const checks = [
    ['rustfmt', rustfmt()],
    ...FEATURE_SETS.map(([name, args]) => [`clippy, ${name}`, clippy(args)]),
    // The fuzz targets are a workspace of their own.
    ...(existsSync(join(root, FUZZ))
      ? [
          ['rustfmt, fuzz', rustfmt(['--manifest-path', FUZZ])],
          ['clippy, fuzz', clippy(['--manifest-path', FUZZ])],
        ]
      : []),
    ['rustdoc', cargo('doc', ['--no-deps', '--document-private-items'], { env: { RUSTDOCFLAGS: '-D warnings' } })],
    ['cargo package', cargo('package', ['--no-verify', '--allow-dirty'])],
    ['biome', biome(['ci', '--error-on-warnings'])],
    ['types', tsc(['--noEmit'])],
    ['types, page', tsc(['--noEmit', '-p', 'sdk/page'])],
    ...consumerProjects().map(folder => [`types, ${folder}`, tsc(['--noEmit', '-p', folder])]),
    ['no names of places', script('scripts/places.mjs')],
    ['platform packages', script('scripts/platforms.mjs', '--check')],
    ['third-party licences', script('scripts/third-party.mjs', '--check')],
    ['workflows', script('scripts/workflows.mjs')],
    ['spelling', script('scripts/spelling.mjs')],
    ...cargoDeny(),
  ];
  let failed = 0;
  for (const [title, tool] of checks) {
    try {
      await step(title, tool);
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error;
      if (error.message) console.log(error.message);
      failed += 1;
    }
  }
  if (failed > 0) throw new StepFailure(`${failed} of ${checks.length} checks failed`);
}
