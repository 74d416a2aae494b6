// Looks for misspelt words in what is tracked, names and comments included.
import { spawnSync } from 'node:child_process';
import { fromPyPI } from './python.mjs';
import { root } from './steps.mjs';

const tracked = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .stdout.split('\0')
  .filter(Boolean);
const content = fromPyPI('typos', '1.52.0', [
  '--config',
  'typos.toml',
  '--force-exclude',
  '--format',
  'brief',
  ...tracked,
]);
if (!content) process.exitCode = 1;
