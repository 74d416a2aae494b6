// A project that uses the package as npm would lay it out: by its name, by the alias, and with its command.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'tapeproof-project-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes the folder of a project with the examples in it, and removes it when the process ends. */
export function makeProject() {
  const folder = makeFolder();
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@krishnadobhal'), { recursive: true });
  mkdirSync(join(modules, '.bin'));
  for (const name of ['tapeproof', '@krishnadobhal/rewind-core']) symlinkSync(root, join(modules, name), 'junction');
  const command = join(modules, '.bin', 'tapeproof');
  writeFileSync(command, `#!/bin/sh\nexec node "${join(root, 'dist', 'cli', 'main.js')}" "$@"\n`);
  chmodSync(command, 0o755);
  cpSync(join(root, 'examples'), folder, { recursive: true, filter: path => !path.endsWith('.rs') });
  return folder;
}

/**
 * Makes the folder of a project in which the reading of the specification that is kept outside stands where the
 * package should.
 *
 * @param {URL} baseline its folder
 */
export function makeBaselineProject(baseline) {
  const folder = makeFolder();
  const home = join(folder, 'node_modules', 'tapeproof');
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), JSON.stringify({ type: 'module', exports: { './hash': './hash.js' } }));
  writeFileSync(
    join(home, 'hash.js'),
    `import canonicalize from '${import.meta.resolve('canonicalize')}';
import { createHashBaseline } from '${new URL('hash.mjs', baseline)}';
export const { reqHash, stateHash, canonical, normalizeText } = createHashBaseline(canonicalize);
// What one writes where there is no such function.
export const reqHashJson = text => reqHash(JSON.parse(text));
`,
  );
  return folder;
}
