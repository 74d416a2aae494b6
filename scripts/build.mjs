// Installs and builds what is missing or stale: packages, the addon, the compiled TypeScript.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Product } from './freshness.mjs';
import { root, step } from './steps.mjs';
import { features, napiBuild, npm, tsc } from './tools.mjs';

const addon = new Product('addon', {
  inputs: ['Cargo.toml', 'Cargo.lock', 'build.rs', 'src', 'package.json', 'node_modules/@napi-rs/cli/package.json'],
  outputs: () => [...readdirSync(root).filter(name => name.endsWith('.node'))],
  settings: [process.platform, process.arch, process.env.RUSTFLAGS ?? '', ...features],
});

const dist = new Product('dist', {
  inputs: ['sdk', 'tsconfig.json', 'node_modules/typescript/package.json', 'node_modules/@types/node'],
  outputs: () => ['dist'],
});

const packagesOf = file => JSON.parse(readFileSync(file, 'utf8')).packages;

// npm writes its own lock file into node_modules as the last act of an installation.
function isInstalled(folder) {
  const installed = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  const have = packagesOf(installed);
  return Object.entries(packagesOf(join(folder, 'package-lock.json'))).every(([path, want]) => {
    if (path === '') return true;
    const found = have[path];
    return found ? found.version === want.version && found.integrity === want.integrity : want.optional === true;
  });
}

/** Installs the locked packages of `folder` unless they are there. */
export async function install(folder = root, title = 'npm packages') {
  // Some dependencies of the napi CLI ask for a newer Node, for parts of it that are not used here: errors only.
  if (!isInstalled(folder)) await step(title, npm(['ci', '--loglevel=error'], folder));
}

function compile() {
  // A module that was deleted must not live on in its compiled form.
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  // What runs in browsers knows their types, and nothing else does.
  return [tsc([]), tsc(['-p', 'sdk/page'])];
}

/** Brings everything that runs up to date, and tells how many steps that took. */
export async function build() {
  await install();
  let steps = 0;
  for (const [product, title, tool] of [
    [addon, features.length > 0 ? `Rust addon (${features.join(', ')})` : 'Rust addon', napiBuild],
    [dist, 'TypeScript', compile],
  ]) {
    if (product.isFresh()) continue;
    product.invalidate();
    for (const each of [tool()].flat()) await step(title, each);
    product.markFresh();
    steps += 1;
  }
  return steps;
}
