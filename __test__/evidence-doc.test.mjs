// The commands of docs/evidence.md, as in a fresh clone.
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { documentText } from './documents/blocks.mjs';
import { makeProject } from './documents/project.mjs';
import { commands, output } from './documents/shell.mjs';

const folder = makeProject();
cpSync(fileURLToPath(new URL('../examples', import.meta.url)), join(folder, 'examples'), { recursive: true });

describe('docs/evidence.md', () => {
  const all = commands(documentText('docs/evidence.md'));

  it('has the six commands', () => {
    const six = [/^node /, /tapeproof show/, /tapeproof seal/, /tapeproof verify/, /^sed /, /tapeproof verify/];
    for (const [at, pattern] of six.entries()) assert.match(all[at + 1].command, pattern);
  });

  for (const { command, output: expected, line } of all) {
    it(`line ${line}: ${command}`, () => assert.equal(output(command, folder), expected));
  }
});
