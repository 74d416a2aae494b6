// `npm run demo`: a recorded request, its hash, what the hash sees and what it does not, and how long it takes; then an
// agent that is recorded, and a recorded run that becomes evidence.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { diffRequests, reqHash } from 'tapeproof/hash';
import * as twin from '../__test__/reference/hash.mjs';
import { measure, undisturbed } from '../benchmark/rounds.mjs';
import { evidence } from './demo/evidence.mjs';
import { recording } from './demo/recording.mjs';
import { paint } from './terminal.mjs';

const FILE = 'examples/refund-agent.json';
const text = readFileSync(new URL(`../${FILE}`, import.meta.url), 'utf8');
const recorded = JSON.parse(text);
const hash = reqHash(recorded);

/** The request with every member put through `change(key, value)`. */
const rewritten = change => JSON.parse(text, change);
/** The request after `change` has worked on a copy of it. */
const edited = change => {
  const copy = JSON.parse(text);
  change(copy);
  return copy;
};
/** The request with every string of its messages put through `change`. */
const strings = change =>
  edited(request => {
    const each = (_, value) => (typeof value === 'string' ? change(value) : value);
    request.messages = JSON.parse(JSON.stringify(request.messages), each);
  });

const newIds = new Map();
const newId = (id, kind) => {
  if (!newIds.has(id)) newIds.set(id, `${kind}_${newIds.size}another`);
  return newIds.get(id);
};
const reversed = object => Object.fromEntries(Object.entries(object).reverse());

const UNSEEN = [
  ['other message and tool call ids', () => strings(value => value.replace(/\b(msg|call)_\w+/g, newId))],
  [
    'another order of keys and of tools',
    () => reversed({ ...recorded, tool_schemas: recorded.tool_schemas.map(reversed).reverse() }),
  ],
  [
    'other timestamps, latencies, request ids',
    () => rewritten((key, value) => (/^(created_at|latency_ms|request_id)$/.test(key) ? 'another' : value)),
  ],
  ['CRLF for LF', () => strings(value => value.replaceAll('\n', '\r\n'))],
  ['spaces at the ends of lines', () => strings(value => (value.includes('```') ? value : value.replace(/$/gm, ' ')))],
  ['the picture’s base64 in lines of 76', () => strings(value => value.replace(/[A-Za-z0-9+/]{76}/g, '$&\n'))],
];

const SEEN = [
  ['a word', () => strings(value => value.replace('bent cover', 'torn cover'))],
  ['a space within the code fence', () => strings(value => value.replace('"damaged":  {', '"damaged": {'))],
  [
    'a byte of the picture',
    () =>
      strings(value => value.replace(/(base64,.{80})./, (url, before) => `${before}${url.endsWith('A') ? 'B' : 'A'}`)),
  ],
  [
    'temperature 0.2 → 0.3',
    () =>
      edited(request => {
        request.temperature = 0.3;
      }),
  ],
  [
    'a tool parameter that is no longer required',
    () => edited(({ tool_schemas: [, refund] }) => refund.input_schema.required.pop()),
  ],
];

const titleWidth = Math.max(...[...UNSEEN, ...SEEN].map(([title]) => title.length));
const line = (mark, colour, title, note) =>
  console.log(`  ${paint(colour, mark)} ${title.padEnd(titleWidth)}  ${paint('dim', note)}`.trimEnd());

assert.equal(twin.reqHash(recorded), hash);
const { messages, tool_schemas: tools } = recorded;
console.log(
  `\n${paint('bold', FILE)}  ${messages.length} messages, ${tools.length} tools, ${(text.length / 1000).toFixed(1)} KB`,
);
console.log(`${hash}\n`);

console.log(paint('bold', 'The hash stays the same with'));
for (const [title, variant] of UNSEEN) {
  const request = variant();
  assert.notEqual(JSON.stringify(request), JSON.stringify(recorded), title);
  assert.equal(reqHash(request), hash, title);
  line('=', 'green', title, '');
}

console.log(`\n${paint('bold', 'It changes with')}`);
for (const [title, variant] of SEEN) {
  const request = variant();
  const changed = reqHash(request);
  assert.notEqual(changed, hash, title);
  line('≠', 'yellow', title, `${changed.slice(0, 8)}…  ${diffRequests(recorded, request)[0].pointer}`);
}

const BAR = 40;
const hashes = { native: reqHash, plain: twin.reqHash };
const samples = measure(hashes, () => JSON.parse(text), 100);
const [native, plain] = Object.values(samples).map(undisturbed);
console.log(`\n${paint('bold', 'One hash takes')}`);
for (const [name, us] of [
  ['native', native],
  ['plain JavaScript', plain],
]) {
  const bar = '█'.repeat(Math.max(1, Math.round((us / plain) * BAR)));
  console.log(
    `  ${name.padEnd(16)} ${us.toFixed(1).padStart(6)} µs  ${paint(name === 'native' ? 'green' : 'dim', bar)}`,
  );
}
console.log(`  ${(plain / native).toFixed(0)} times faster, and the same bytes.\n`);

recording();
evidence();
