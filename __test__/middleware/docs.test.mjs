// What docs/recording.md says of the matrix and of versions is so.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { it } from 'node:test';
import { documentText } from '../documents/blocks.mjs';
import { entryPoints, graphs } from './table.mjs';

const text = documentText('docs/recording.md');
const pinned = path => JSON.parse(documentText(path));

it('the matrix', () => {
  assert.ok(text.includes(entryPoints()), entryPoints());
  assert.ok(text.includes(graphs()), graphs());
});

it('the versions', () => {
  const { devDependencies } = pinned('package.json');
  const { dependencies } = pinned('__test__/langchain-oldest/package.json');
  for (const name of [
    '@langchain/core',
    '@langchain/langgraph',
    'langchain',
    '@langchain/openai',
    '@langchain/anthropic',
  ]) {
    assert.ok(text.includes(`| \`${name}\` | ${dependencies[name]} | ${devDependencies[name]} |`), name);
  }
});

it('what runs is what is pinned', () => {
  const { version } = createRequire(import.meta.url)('@langchain/core/package.json');
  assert.equal(version, pinned('package.json').devDependencies['@langchain/core']);
});

it('nothing of LangChain is imported by the package', () => {
  const { dependencies, peerDependencies, optionalDependencies } = pinned('package.json');
  for (const each of [dependencies, peerDependencies, optionalDependencies]) {
    assert.deepEqual(
      Object.keys(each ?? {}).filter(name => /langchain|zod/.test(name)),
      [],
    );
  }
});
