// docs/wire-format.md gives the bytes that cross, and lists that are complete. (Its code runs in docs.test.mjs.)
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reqHash, stateHash } from 'tapeproof/hash';
import { native } from '../dist/native.js';
import { blocks, documentText } from './documents/blocks.mjs';

const text = documentText('docs/wire-format.md');
const wordsOf = line =>
  line
    .split('  ')[0]
    .split(' ')
    .map(word => Number.parseInt(word, 16));
const frames = blocks(text)
  .filter(({ language }) => language === 'frame')
  .map(({ lines }) => Int32Array.from(lines.flatMap(wordsOf)));

/** What `run` hands to this export of the addon. */
function crossing(name, run) {
  const addon = native();
  const original = addon[name];
  let crossed;
  addon[name] = (words, start, end, text, list) => {
    crossed = { frame: words.slice(start, end), text, list: list.filter(item => item !== undefined) };
    return original(words, start, end, text, list);
  };
  try {
    run();
  } finally {
    addon[name] = original;
  }
  return crossed;
}

const { normalize } = String.prototype;
const state = [true, 0.5, undefined, 'é'];
delete state[2];

const CASES = [
  { name: 'reqHash', hash: reqHash, value: { kind: 'clock', counter: 258 }, text: 'clock', list: [normalize] },
  { name: 'stateHash', hash: stateHash, value: state, text: 'é', list: [normalize] },
];

const sorted = list => [...list].sort();
const quoted = (text, mark) =>
  [...text.matchAll(new RegExp(`${mark}([^${mark}]+)${mark}`, 'g'))].map(([, name]) => name);
const between = (text, start, end) => text.slice(text.indexOf(start) + start.length).split(end)[0];

describe('docs/wire-format.md', () => {
  for (const [index, { name, hash, value, text, list }] of CASES.entries()) {
    it(`the frame of ${name} is written so`, () => {
      assert.deepEqual(
        crossing(name, () => hash(value)),
        { frame: frames[index], text, list },
      );
    });

    it(`the frame of ${name} is read so`, () => {
      assert.equal(native()[name](frames[index], 0, frames[index].length, text, list), hash(value));
    });
  }

  it('all tags', () => {
    const constants = between(documentText('src/frame.rs'), 'mod tag {', '\n}').matchAll(/: u16 = (\d+);/g);
    const listed = between(text, '| tag | value |', '\n\n').matchAll(/(?<=^\| |, then )`([0-9a-f]{2})`/gm);
    assert.deepEqual(
      [...new Set([...listed].map(([, tag]) => Number.parseInt(tag, 16)))].sort((a, b) => a - b),
      [...constants].map(([, tag]) => Number(tag)),
    );
  });

  const fields = quoted(between(documentText('src/request/identity.rs'), 'fields! {', '\n}'), '"');

  it('all keys that have a number from the start', () => {
    const listed = [...text.matchAll(/\| (\d+) \| `(\w+)`/g)].map(([, key, name]) => [Number(key), name]);
    assert.deepEqual(
      listed.sort(([a], [b]) => a - b),
      [...fields.entries()],
    );
  });

  it('all fields of a request', () => {
    const listed = quoted(between(text, '| kind | properties |', '\n\n'), '`').filter(name => /^\w+$/.test(name));
    assert.deepEqual(sorted(new Set(listed)), sorted(fields));
  });

  for (const [title, constant, start, end] of [
    ['all keys that are dropped', 'const DROPPED', 'is left out:', ';'],
    ['all keys of ids', 'const IDS', 'a string whose key lower-cases to', 'becomes its ordinal'],
  ]) {
    it(title, () => {
      const constants = between(documentText('src/request/keys.rs'), constant, '];');
      const listed = between(text, start, end);
      assert.deepEqual(sorted(quoted(listed, '`')), sorted(quoted(constants, '"')));
    });
  }
});
