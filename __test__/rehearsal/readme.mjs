// Runs what the README shows, in this folder, where the package is installed as users install it.
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { documentText } from '../documents/blocks.mjs';
import { promises, run } from '../documents/javascript.mjs';
import { commands, output } from '../documents/shell.mjs';

const folder = process.cwd();
const readme = documentText('README.md');
cpSync(fileURLToPath(new URL('../../examples/refund-agent.json', import.meta.url)), 'refund-agent.json');

const kept = await run(readme, folder);
for (const { check } of kept) check();
assert.equal(kept.length, promises(readme));
for (const { command, output: expected } of commands(readme)) assert.equal(output(command, folder), expected, command);
console.log(`${kept.length} promises and ${commands(readme).length} commands of the README`);
