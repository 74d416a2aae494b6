// Writes the first inputs of every fuzz target to fuzz/corpus, from the goldens: node fuzz/seeds.mjs
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const GOLDENS = new URL('../__test__/goldens/', import.meta.url);
/** A fuzzer gets further with many small inputs than with few large ones. */
const MAX_BYTES = 2048;

// The fields of a request come first in every key table, as in `Field` of src/request/identity.rs.
const FIELDS = [
  ...['kind', 'tool_name', 'args', 'counter', 'provider', 'model_id', 'messages', 'system_prompt_sha', 'tool_schemas'],
  ...['response_format', 'temperature', 'top_p', 'top_k', 'seed', 'max_tokens', 'tool_choice'],
];
const OTHERS = readFileSync(new URL('keys.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const KEYS = new Map([...FIELDS, ...OTHERS].map((key, id) => [key, id]));
/** How many strings `Heap::samples` has. */
const SAMPLES = 9;

function* frame(value) {
  yield 1;
  yield* frameOf(value);
}

/** The bytes of a value in a frame, see docs/wire-format.md. */
function* frameOf(value) {
  switch (typeof value) {
    case 'boolean':
      yield value ? 2 : 1;
      return;
    case 'number':
      if (Object.is(value, value | 0)) yield* [5, ...uint32(value)];
      else yield* [6, ...new Uint8Array(new Float64Array([value]).buffer)];
      return;
    case 'string':
      if (/^[\0-\x7f]{0,40}$/.test(value)) yield* [7, value.length, ...Buffer.from(value)];
      else yield* [8, ...uint32(value.length % SAMPLES), ...uint32(value.length)];
      return;
    case 'object':
      if (value === null) yield 0;
      else if (Array.isArray(value)) yield* arrayOf(value);
      else yield* objectOf(value);
  }
}

function* arrayOf(elements) {
  yield 13;
  for (const element of elements) yield* frameOf(element);
  yield 15;
}

function* objectOf(object) {
  yield 14;
  for (const [key, member] of Object.entries(object)) {
    if (KEYS.has(key)) yield* uint16(KEYS.get(key));
    else yield* [...uint16(0xfffe), ...uint32(key.length), ...Buffer.from(key, 'utf16le')];
    yield* frameOf(member);
  }
  yield* uint16(0xffff);
}

const uint16 = number => [number & 255, (number >> 8) & 255];
const uint32 = number => [...uint16(number), ...uint16(number >> 16)];

/** All strings below a value, keys too. */
function* strings(value) {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      yield key;
      yield* strings(member);
    }
  }
}

const SEEDS = {
  *frame({ values }) {
    for (const value of values) yield [0, ...frame(value)];
  },
  *normalize({ values }) {
    for (const text of strings(values)) yield [0, ...Buffer.from(text, 'utf16le')];
  },
  *json({ line, values }) {
    yield Buffer.from(line);
    for (const value of values) yield Buffer.from(JSON.stringify(value));
  },
  *canonical({ values }) {
    for (const value of values) yield Buffer.from(JSON.stringify(value, null, 1));
  },
  *record({ text }) {
    if (typeof text === 'string') yield Buffer.from(text);
  },
};

const lines = readdirSync(GOLDENS)
  .filter(name => name.endsWith('.jsonl'))
  .flatMap(name => readFileSync(new URL(name, GOLDENS), 'utf8').trim().split('\n'))
  .map(line => {
    const { request, input, expected, text = input?.text } = JSON.parse(line);
    return { line, text, values: [request, input, expected].filter(value => value !== undefined) };
  });

for (const [target, seeds] of Object.entries(SEEDS)) {
  const folder = new URL(`corpus/${target}/`, import.meta.url);
  mkdirSync(folder, { recursive: true });
  let count = 0;
  for (const line of lines) {
    for (const seed of seeds(line)) {
      const bytes = Buffer.from(seed);
      if (bytes.length > MAX_BYTES) continue;
      writeFileSync(new URL(createHash('sha1').update(bytes).digest('hex'), folder), bytes);
      count += 1;
    }
  }
  console.log(`${target}: ${count} seeds`);
}
