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
  yield* new Uint8Array(Uint32Array.from(wordsOf(0, value)).buffer);
}

/** The words of a value in a frame, see docs/wire-format.md. `head` holds the key of a member. */
function* wordsOf(head, value) {
  switch (typeof value) {
    case 'boolean':
      yield head + (value ? 2 : 1);
      return;
    case 'number':
      if (Object.is(value, value | 0)) yield* [head + 5, value];
      else yield* [head + 6, ...new Uint32Array(new Float64Array([value]).buffer)];
      return;
    case 'string':
      yield* value.length < 4 ? [head + 7, value.length] : [head + 8, value.length % SAMPLES, value.length];
      return;
    case 'object':
      if (value === null) yield head;
      else if (Array.isArray(value)) yield* arrayOf(head, value);
      else yield* objectOf(head, value);
  }
}

function* arrayOf(head, elements) {
  yield head + 13;
  for (const element of elements) yield* wordsOf(0, element);
  yield 15;
}

function* objectOf(head, object) {
  yield head + 14;
  for (const [key, member] of Object.entries(object)) {
    if (KEYS.has(key)) yield* wordsOf(KEYS.get(key) * 2 ** 16, member);
    else yield* [16, Math.min(key.length, 2), ...wordsOf(0xfffe0000, member)];
  }
  yield 15;
}

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

/** Numbers that stand for both presets: there is no matcher of these. */
const PRESETS = [254, 255];
/** A record's signature. */
const SIGNATURE = /(?<="signature":)\{[^{}]*\}/;
/** The private key of RFC 8032, section 7.1, whose public key the goldens have. */
const PRIVATE_KEY = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
-----END PRIVATE KEY-----
`;

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
  *redact({ redacted }) {
    for (const text of strings(redacted)) {
      for (const preset of PRESETS) yield [preset, 0, ...Buffer.from(text, 'utf16le')];
    }
  },
  *signature({ text, keys }) {
    if (typeof text !== 'string') return;
    const signature = SIGNATURE.exec(text)?.[0];
    if (signature) for (let known = 0; known < 8; known += 1) yield [(known << 2) + 3, ...Buffer.from(signature)];
    for (const key of [...strings(keys), PRIVATE_KEY]) {
      for (const kind of [0, 1, 2]) yield [kind, ...Buffer.from(key)];
    }
  },
};

const lines = readdirSync(GOLDENS)
  .filter(name => name.endsWith('.jsonl'))
  .flatMap(name => readFileSync(new URL(name, GOLDENS), 'utf8').trim().split('\n'))
  .map(line => {
    const { request, input, expected, text = input?.text, value = input?.value, ...others } = JSON.parse(line);
    const values = [request, input, expected].filter(value => value !== undefined);
    return { line, text, values, redacted: value, keys: [others.signingKey, others.options] };
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
