// Packs what is published into target/packages: the root, and a package for each platform whose binary is here. With
// --all a missing one is an error.
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { platforms } from './platforms.mjs';
import { root } from './steps.mjs';
import { npm } from './tools.mjs';

const { name: product } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
export const packages = join(root, 'target', 'packages');

function pack(folder) {
  const { command, args, shell } = npm(['pack', '--json', '--ignore-scripts', '--pack-destination', packages]);
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, shell, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  // A list of one; newer versions of npm give an object by name.
  const [{ filename }] = Object.values(JSON.parse(stdout));
  return filename;
}

/** The packages of the platforms, each with its licences. */
function packPlatforms(all) {
  const stage = join(root, 'target', 'stage');
  rmSync(stage, { recursive: true, force: true });
  return platforms.flatMap(({ name }) => {
    const addon = `${product}.${name}.node`;
    if (!existsSync(join(root, addon))) {
      if (all) throw new Error(`${addon} is missing`);
      return [];
    }
    const folder = join(stage, name);
    cpSync(join(root, 'npm', name), folder, { recursive: true });
    for (const file of [addon, 'LICENSE', 'THIRD-PARTY.md']) copyFileSync(join(root, file), join(folder, file));
    return [pack(folder)];
  });
}

/** Packs everything; gives the names of the files, the root's last. */
export function packAll({ all = false } = {}) {
  rmSync(packages, { recursive: true, force: true });
  mkdirSync(packages, { recursive: true });
  return [...packPlatforms(all), pack(root)];
}

if (process.argv[1] === import.meta.filename) {
  try {
    for (const file of packAll({ all: process.argv.includes('--all') })) console.log(file);
  } catch ({ message }) {
    console.error(message);
    process.exitCode = 1;
  }
}
