// Run with --expose-gc. Hashes one huge value and prints what stays of it in resident memory, in bytes.
//   node --expose-gc huge.mjs SHAPE MEBIBYTES
import { setTimeout } from 'node:timers/promises';
import { canonical, normalizeText, reqHash, reqHashJson, stateHash } from 'tapeproof/hash';

const [shape, mebibytes] = [process.argv[2], Number(process.argv[3])];

const words = length => 'some words. '.repeat(length / 12);
const args = value => ({ kind: 'tool', tool_name: 't', args: value });
const SHAPES = {
  'one text': size => reqHash(args(words(size))),
  'one two-byte text': size => reqHash(args(`é — ${words(size)}`)),
  'one text that NFC changes': size => reqHash(args(`e\u0301${words(size)}`)),
  'one fence': size => reqHash(args(`\`\`\`${words(size)}`)),
  'one image': size => reqHash(args(`data:image/png;base64,${'QUJD'.repeat(size / 4)}`)),
  'many texts': size => reqHash(args(Array.from({ length: size / 1024 }, (_, i) => `${i} ${words(1020)}`))),
  'many numbers': size => stateHash(Array.from({ length: size / 8 }, (_, i) => i / 3)),
  'many keys': size =>
    stateHash(Object.fromEntries(Array.from({ length: size / 64 }, (_, i) => [`a_key_with_the_number_${i}`, i]))),
  'many objects': size => stateHash(Array.from({ length: size / 32 }, (_, i) => ({ id: `x${i}`, i }))),
  'one long key': size => stateHash({ [words(size)]: 1 }),
  'JSON text': size => reqHashJson(`{"kind":"tool","args":["${'some words. ", "'.repeat(size / 16)}"]}`),
  canonical: size => Object.keys(canonical(args(words(size)))).length,
  normalizeText: size => normalizeText(words(size)).length,
  'a huge value that fails': size => {
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

// The engine lets its young generation grow once and keeps it: that happens before the measure.
for (let i = 0; i < 4; i++) SHAPES[shape](8 * 2 ** 20);
for (let i = 0; i < 2000; i++) reqHash(args(`warm ${i}`));
const before = await settled();
SHAPES[shape](mebibytes * 2 ** 20);
for (let i = 0; i < 10; i++) reqHash(args(`after ${i}`));
console.log(JSON.stringify((await settled()) - before));
