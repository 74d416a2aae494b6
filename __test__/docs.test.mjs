// What the documents say is so: their code runs, their bytes are the bytes, their lists are complete.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ERROR_CODES } from 'tapeproof';
import { documentText } from './documents/blocks.mjs';
import { promises, run } from './documents/javascript.mjs';
import { makeBaselineProject, makeProject } from './documents/project.mjs';
import { sharedFolder } from './shared.mjs';

const root = new URL('../', import.meta.url);
const markdown = folder =>
  readdirSync(new URL(folder, root))
    .filter(name => name.endsWith('.md'))
    .sort()
    .map(name => `${folder}${name}`);
const documents = ['', 'docs/', 'examples/'].flatMap(markdown);

const project = makeProject();
for (const path of markdown('docs/')) {
  const text = documentText(path);
  const kept = await run(text, project);
  describe(path, () => {
    for (const { line, check } of kept) it(`line ${line}`, check);
    it('every promise was looked at', () => assert.equal(kept.length, promises(text)));
  });
}

const compatibility = documentText('docs/compatibility.md');
const baseline = sharedFolder('baseline');
const keptThere = baseline ? await run(compatibility, makeBaselineProject(baseline), 'rewind-core') : [];
describe('docs/compatibility.md, the other side', { skip: baseline ? false : '../shared/baseline is not here' }, () => {
  for (const { line, check } of keptThere) it(`line ${line}`, check);
  it('every promise was looked at', () => assert.equal(keptThere.length, promises(compatibility)));
});

describe('documents', () => {
  for (const path of documents) {
    it(`links of ${path}`, () => {
      const text = documentText(path);
      for (const [, target, anchor] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)) {
        const url = target ? new URL(target, new URL(path, root)) : new URL(path, root);
        assert.ok(existsSync(url), target);
        if (anchor) assert.ok(anchorsOf(url).has(anchor), `${target}#${anchor}`);
      }
    });
  }

  it('error codes, each with its class', () => {
    const listed = [...documentText('docs/errors.md').matchAll(/^\| `(ERR_\w+)` \| `(\w+)` \|/gm)].map(
      ([, code, name]) => `${code} ${name}`,
    );
    const kinds = documentText('src/error.rs').matchAll(/^ {4}\w+ => "(\w+)", (\w+), /gm);
    const classes = [...kinds].map(([, code, name]) => `ERR_TAPEPROOF_${code} ${name.replace(/Error$|$/, 'Error')}`);
    assert.deepEqual(listed.sort(), classes.sort());
    assert.equal(listed.length, ERROR_CODES.length);
  });
});

/** `file function count` for each function of the crate with `unsafe` blocks. */
function unsafeBlocks(folder = 'src') {
  return readdirSync(new URL(folder, root), { withFileTypes: true }).flatMap(entry => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return unsafeBlocks(path);
    const counts = new Map();
    let name;
    for (const line of documentText(path).split('\n')) {
      name = /\bfn (\$?\w+)/.exec(line)?.[1] ?? name;
      if (/\bunsafe \{/.test(line)) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return [...counts].map(([name, count]) => `${path.slice('src/'.length)} ${name} ${count}`);
  });
}

describe('docs/design.md', () => {
  const rows = [
    ...documentText('docs/design.md').matchAll(/^\| `([\w/]+\.rs)` \| `(\$?\w+)` \| (\d+) \|.*\| (.*) \|$/gm),
  ];

  it('unsafe blocks', () => {
    assert.deepEqual(rows.map(([, ...row]) => row.slice(0, 3).join(' ')).sort(), unsafeBlocks().sort());
  });

  it('the tests that unsafe blocks run in', () => {
    for (const [, , , , tests] of rows) {
      for (const [, file] of tests.matchAll(/`([\w/.-]+)`/g)) {
        const path = file.endsWith('.rs') ? file : `__test__/${file}`;
        assert.ok(existsSync(new URL(path, root)), path);
      }
    }
  });
});

function anchorsOf(url) {
  const text = documentText(url);
  return new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
