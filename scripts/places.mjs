// Finds tracked lines and links that tie the project to one machine or one registry mirror. Part of `npm run check`.
import { spawnSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { root } from './steps.mjs';

function git(args, accept = [0]) {
  const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (error) throw error;
  if (!accept.includes(status)) throw new Error(stderr);
  return stdout;
}

const quote = text => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function lines() {
  const folders = [dirname(join(root, '.')), homedir()].filter(folder => folder.length > 1);
  const patterns = [
    ...folders.map(folder => `(^|[^[:alnum:]_.])${quote(folder)}/`),
    '/(home|Users)/[[:alnum:]_-]+/',
    'https?://(registry|static|index)[.]',
    '"resolved": *"http',
  ];
  const expressions = patterns.flatMap(pattern => ['-e', pattern]);
  // `git grep` ends with 1 when it finds nothing.
  return git(['grep', '-nIE', ...expressions, '--', '.', ':!Cargo.lock'], [0, 1]);
}

const LINK = /^120000 \S+ \d+\t(.+)$/;

function links() {
  const tracked = git(['ls-files', '-s', '-z']).split('\0');
  const paths = tracked.flatMap(entry => LINK.exec(entry)?.[1] ?? []);
  return paths
    .filter(path => isAbsolute(readlinkSync(join(root, path))))
    .map(path => `${path}: a link to an absolute path\n`)
    .join('');
}

const found = lines() + links();
process.stdout.write(found);
if (found !== '') process.exitCode = 1;
