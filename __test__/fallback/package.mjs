// The package as it is where no binary of it can be loaded: a copy without one.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = new URL('../../', import.meta.url);

/** Makes the copy; gives the URL of its folder. It is gone when the process ends. */
export function packageWithoutAddon() {
  const folder = mkdtempSync(join(tmpdir(), 'tapeproof-fallback-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const part of ['package.json', 'dist']) cpSync(new URL(part, root), join(folder, part), { recursive: true });
  return pathToFileURL(join(folder, '/'));
}
