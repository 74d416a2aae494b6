// Run with --expose-gc. Hashes one huge value and prints what stays of it in resident memory, in bytes.
//   node --expose-gc huge.mjs SHAPE MEBIBYTES [control]
// As control it only makes the value and its JSON text: what stays then is V8's.
import { setTimeout } from 'node:timers/promises';
import * as hash from 'tapeproof/hash';

const [shape, mebibytes] = [process.argv[2], Number(process.argv[3])];
const control = Object.fromEntries(Object.keys(hash).map(name => [name, value => JSON.stringify(value)]));
const { canonical, normalizeText, reqHash, reqHashJson, stateHash } = process.argv[4] === 'control' ? control : hash;
const size = mebibytes * 2 ** 20;

const words = length => 'some words. '.repeat(length / 12);
const args = value => ({ kind: 'tool', tool_name: 't', args: value });
const SHAPES = {
  'one text': () => reqHash(args(words(size))),
  'one two-byte text': () => reqHash(args(`é — ${words(size)}`)),
  'one text that NFC changes': () => reqHash(args(`e\u0301${words(size)}`)),
  'one fence': () => reqHash(args(`\`\`\`${words(size)}`)),
  'one image': () => reqHash(args(`data:image/png;base64,${'QUJD'.repeat(size / 4)}`)),
  'many texts': () => reqHash(args(Array.from({ length: size / 1024 }, (_, i) => `${i} ${words(1020)}`))),
  'many numbers': () => stateHash(Array.from({ length: size / 8 }, (_, i) => i / 3)),
  'many keys': () =>
    stateHash(Object.fromEntries(Array.from({ length: size / 64 }, (_, i) => [`a_key_with_the_number_${i}`, i]))),
  'many objects': () => stateHash(Array.from({ length: size / 32 }, (_, i) => ({ id: `x${i}`, i }))),
  'one long key': () => stateHash({ [words(size)]: 1 }),
  'JSON text': () => reqHashJson(`{"kind":"tool","args":["${'some words. ", "'.repeat(size / 16)}"]}`),
  canonical: () => Object.keys(canonical(args(words(size)))).length,
  normalizeText: () => normalizeText(words(size)).length,
  'a huge value that fails': () => {
    try {
      return stateHash([words(size), Array.from({ length: size / 64 }, (_, i) => i / 3), NaN]);
    } catch (error) {
      return error.code;
    }
  },
};

async function settled() {
  for (let times = 0; times < 4; times++) {
    gc();
    await setTimeout(20);
  }
  return process.memoryUsage.rss();
}

for (let i = 0; i < 2000; i++) reqHash(args(`warm ${i}`));
const before = await settled();
SHAPES[shape]();
for (let i = 0; i < 10; i++) reqHash(args(`after ${i}`));
console.log(JSON.stringify((await settled()) - before));
