// Every block of the README is run, or named here.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { blocks, documentText } from './documents/blocks.mjs';
import { promises, run } from './documents/javascript.mjs';
import { makeProject } from './documents/project.mjs';
import { commands, output } from './documents/shell.mjs';

const readme = documentText('README.md');
const manifest = JSON.parse(documentText('package.json'));
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = makeProject();
const kept = await run(readme, folder);

// A test cannot run the tests it is part of, and npm does not have the package yet.
const NOT_RUN = ['npm test', 'npm install tapeproof'];

const linesOf = wanted =>
  blocks(readme)
    .filter(({ language }) => language === wanted)
    .flatMap(({ lines }) => lines);

describe('README', () => {
  it('has no block of another language', () => {
    const languages = new Set(blocks(readme).map(({ language }) => language));
    assert.deepEqual([...languages].sort(), ['console', 'js', 'json', 'sh']);
  });

  for (const { line, check } of kept) it(`line ${line}`, check);
  it('every promise was looked at', () => assert.equal(kept.length, promises(readme)));

  for (const { command, output: expected, line } of commands(readme)) {
    it(`line ${line}: ${command}`, () => assert.equal(output(command, folder), expected));
  }

  for (const command of linesOf('sh').filter(line => !NOT_RUN.includes(line))) {
    it(command, () => assert.match(output(command, root), /\S/));
  }
  it('names no command in vain', () => {
    for (const command of NOT_RUN) assert.ok(linesOf('sh').includes(command), command);
    assert.ok(manifest.scripts.test);
  });

  for (const { lines, line } of blocks(readme).filter(({ language }) => language === 'json')) {
    it(`line ${line}: the alias`, () => {
      const [alias] = Object.values(JSON.parse(lines.join('\n')));
      assert.deepEqual(alias, { '@krishnadobhal/rewind-core': `npm:${manifest.name}@^${manifest.version}` });
    });
  }

  it('the table of subpaths', () => {
    const rows = readme.split('| import from |')[1].split('\n\n')[0];
    const listed = [...rows.matchAll(/`tapeproof(\/\w+)?`/g)].map(([, path]) => `.${path ?? ''}`);
    const exported = Object.keys(manifest.exports).filter(path => path !== './package.json');
    assert.deepEqual(listed.sort(), exported.sort());
  });

  it('the version', () => assert.ok(readme.includes(`Version ${manifest.version},`)));
});
