// Folders for recordings, and what stands in them.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** A new folder that is gone after the tests of the file. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'tapeproof-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** All files below a folder, by their path in it. */
export function filesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter(name => statSync(join(folder, name)).isFile())
    .sort();
}

/** Everything that is on disk, as one text. */
export const everythingIn = folder =>
  filesIn(folder)
    .map(name => `${name}\n${readFileSync(join(folder, name), 'utf8')}`)
    .join('\n');

/** Reads a recording as a published reader does, which knows nothing of this package. */
export function publishedReader(root) {
  const json = path => JSON.parse(readFileSync(join(root, path), 'utf8'));
  return {
    run: id => json(`runs/${id}/run.json`),
    steps: id =>
      readFileSync(join(root, `runs/${id}/steps.jsonl`), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line)),
    cassette: ref => json(`cassettes/${ref}.json`),
  };
}
