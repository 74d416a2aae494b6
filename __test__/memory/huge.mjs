// Run with --expose-gc. Hashes one huge value and prints what stays of it in resident memory, in bytes.
//   node --expose-gc huge.mjs SHAPE MEBIBYTES
import { setTimeout } from 'node:timers/promises';
import { canonical, normalizeText, reqHash, reqHashJson, stateHash } from 'tapeproof/hash';

const [shape, mebibytes] = [process.argv[2], Number(process.argv[3])];
const size = mebibytes * 2 ** 20;

const words = length => 'some words. '.repeat(length / 12);
const list = (length, make) => Array.from({ length }, (_, i) => make(i));
const args = value => ({ kind: 'tool', tool_name: 't', args: value });
const toolHash = value => reqHash(args(value));

function failing(value) {
  try {
    return stateHash([value, NaN]);
  } catch (error) {
    return error.code;
  }
}

/** How to make a value, and what to do with it. */
const SHAPES = {
  'one text': [() => words(size), toolHash],
  'one two-byte text': [() => `é — ${words(size)}`, toolHash],
  'one text that NFC changes': [() => `e\u0301${words(size)}`, toolHash],
  'one fence': [() => `\`\`\`${words(size)}`, toolHash],
  'one image': [() => `data:image/png;base64,${'QUJD'.repeat(size / 4)}`, toolHash],
  'many texts': [() => list(size / 1024, i => `${i} ${words(1020)}`), toolHash],
  'many numbers': [() => list(size / 8, i => i / 3), stateHash],
  'many keys': [() => Object.fromEntries(list(size / 64, i => [`a_key_with_the_number_${i}`, i])), stateHash],
  'many objects': [() => list(size / 32, i => ({ id: `x${i}`, i })), stateHash],
  'one long key': [() => ({ [words(size)]: 1 }), stateHash],
  'JSON text': [() => `{"kind":"tool","args":["${'some words. ", "'.repeat(size / 16)}"]}`, reqHashJson],
  canonical: [() => words(size), value => canonical(args(value)).kind],
  normalizeText: [() => words(size), value => normalizeText(value).length],
  'a huge value that fails': [() => words(size), failing],
};
const [make, hash] = SHAPES[shape];

/** Reads a part of each text, which flattens it, as hashing does. */
function touch(value) {
  if (typeof value === 'string') value.charCodeAt(0);
  else if (typeof value === 'object') for (const part of Object.values(value)) touch(part);
}

async function settled() {
  for (let times = 0; times < 4; times++) {
    gc();
    await setTimeout(20);
  }
  return process.memoryUsage.rss();
}

// What the engine keeps for itself after a value of this size is not ours: it has that before the measure.
touch(make());
for (let i = 0; i < 2000; i++) toolHash(`warm ${i}`);
const before = await settled();
hash(make());
for (let i = 0; i < 10; i++) toolHash(`after ${i}`);
console.log(JSON.stringify((await settled()) - before));
