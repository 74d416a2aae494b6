// Random records: sealed ones, and what becomes of them when members are replaced, dropped, repeated or moved.
import { generateKeyPairSync } from 'node:crypto';
import { seal } from '../reference/records.mjs';
import { jsonText } from './expression.mjs';
import { anyNumber } from './number.mjs';
import { anyState } from './request.mjs';
import { anyText } from './text.mjs';

const pair = () =>
  generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
export const SIGNER = pair();
export const STRANGER = pair();
export const HMAC_KEY = 'clé 😀';

/** A JSON value of any kind, as deep as `JSON.stringify` goes. */
function anyJson(random) {
  const value = JSON.parse(jsonText(anyState(random, 0), random));
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return 'too deep';
  }
}

/** One of each JSON type, and the values on which checks turn. */
const SCALARS = [null, true, false, 0, -0, 1, -1, 1e21, 2 ** 53, '', '0', 'run_1', 'llm', 'tool', 'env', 'run', 'end'];
const CONTAINERS = [
  [],
  {},
  [null],
  [['a'], 'b', null, 1],
  { toString: 1 },
  { a: [{ b: 1 }, { b: 2 }] },
  { __proto__: 1 },
];
const replacement = random =>
  random.weighted([
    [6, () => random.pick(SCALARS)],
    [3, () => structuredClone(random.pick(CONTAINERS))],
    [2, () => anyNumber(random)],
    [2, () => anyText(random).slice(0, 40)],
    [2, () => anyJson(random)],
  ])();

const PATHS = [
  'a',
  'b',
  'a.b',
  'a.b.c',
  'messages',
  'messages.content',
  'tools.name',
  '',
  '.',
  'a.',
  '__proto__',
  'b.a',
];
const projection = random => ({
  ...(random.oneIn(2) && { keep: random.list(random.below(3), () => random.pick(PATHS)) }),
  ...(random.oneIn(2) && { drop: random.list(random.below(4), () => random.pick(PATHS)) }),
});

const question = random =>
  random.oneIn(4)
    ? anyJson(random)
    : {
        messages: random.list(random.below(4), () => ({ role: 'user', content: anyText(random), b: random.below(9) })),
        a: random.pick([{ b: { c: 1, d: 2 } }, [{ b: 1, c: 2 }, [{ b: 3 }]], 7, null]),
        b: random.below(3),
      };

const EVENTS = [
  [
    4,
    random => ({
      type: 'llm',
      model: { provider: 'p', model_id: random.pick(['m', null, 7, '\ud800', ['x', [1]]]) },
      request: question(random),
      response: random.oneIn(3) ? anyJson(random) : { text: anyText(random) },
      error: random.pick([null, null, undefined, { name: 'E', message: 'm' }, 0, '']),
    }),
  ],
  [
    3,
    random => ({
      type: 'tool',
      tool_name: random.pick(['t', undefined, 5]),
      input: question(random),
      output: anyJson(random),
    }),
  ],
  [2, random => ({ type: 'env', kind: 'now', key: `k${random.below(3)}`, output: anyNumber(random) })],
  [1, random => ({ type: 'reasoning', text: anyText(random) })],
  [1, random => ({ type: 'run', phase: random.pick(['start', 'end']), status: 'success', output: question(random) })],
  [1, random => ({ [anyText(random).slice(0, 9)]: anyJson(random) })],
];

function anyEvent(random, index) {
  const seq = random.oneIn(5) ? random.pick([undefined, null, -0, 2.5, anyNumber(random)]) : index;
  const event = { schema_version: 1, run_id: 'run_1', seq, ...random.weighted(EVENTS)(random) };
  if (random.oneIn(4)) event.key_projection = projection(random);
  return event;
}

/** A sealed record, as a value. */
export function sealedRecord(random) {
  const output = question(random);
  const events = random.list(random.below(7), index => anyEvent(random, index));
  if (!random.oneIn(3)) events.push({ type: 'run', phase: 'end', run_id: 'run_1', seq: 99, status: 'success', output });
  const end = events.find(({ type, phase }) => type === 'run' && phase === 'end');
  const run = { run_id: 'run_1', status: 'success', output: end?.output ?? null, error: end?.error ?? null };
  const key = random.weighted([
    [4, { privateKey: SIGNER.privateKey }],
    [2, { hmacKey: HMAC_KEY }],
    [1, {}],
  ]);
  // What JSON has not must be gone before it is sealed.
  const [json, summary] = JSON.parse(JSON.stringify([events, run]));
  return seal(json, summary, { runId: 'run_1', generatedAt: '2026-01-01T00:00:00.000Z', ...key });
}

/** All containers of a value, the outermost first. */
function containers(value) {
  const found = [value];
  for (const item of found) {
    found.push(...Object.values(item).filter(member => typeof member === 'object' && member !== null));
  }
  return found;
}

/** Changes a record in one place. Places near the root come up more often than those inside of events. */
function disturb(record, random) {
  const all = containers(record);
  const target = random.oneIn(2) ? all[random.below(Math.min(all.length, 8))] : random.pick(all);
  const keys = Object.keys(target);
  if (keys.length === 0) return;
  const key = random.pick(keys);
  random.weighted([
    [6, () => Object.defineProperty(target, key, { value: replacement(random) })],
    [3, () => delete target[key]],
    [1, () => Object.assign(target, { [random.pick(keys)]: target[key] })],
    [1, () => Array.isArray(target) && target.reverse()],
  ])();
}

const INSERTIONS = [
  '"seq":1e400,',
  '"a":1,',
  '"_hash":"x",',
  '"__proto__":{"type":"llm"},',
  '"\\u0074ype":"env",',
  '"run_id":"\\ud800",',
];

/** The record itself, often changed in a few places. */
export function changed(record, random) {
  for (let times = random.pick([0, 0, 1, 1, 1, 2, 3]); times > 0; times -= 1) disturb(record, random);
  return record;
}

/** The text of a record: often as it was sealed, often disturbed, seldom damaged. */
export function recordText(random) {
  const record = changed(sealedRecord(random), random);
  let text = JSON.stringify(record, null, random.pick([undefined, undefined, 2, '\t']));
  if (random.oneIn(6)) {
    const places = [...text.matchAll(/\{(?=\s*")/g)].map(({ index }) => index + 1);
    if (places.length > 0) {
      const at = random.pick(places);
      text = text.slice(0, at) + random.pick(INSERTIONS) + text.slice(at);
    }
  }
  if (random.oneIn(25)) {
    const at = random.below(text.length);
    text =
      text.slice(0, at) +
      random.pick(['', ',', '"', '\\', '}', ']', '\0', '1', '\ud800']) +
      text.slice(at + random.below(2));
  }
  return text;
}

/** How a record is verified. */
export const anyKeys = random => ({
  signingKey: random.pick([undefined, HMAC_KEY, HMAC_KEY, 'other']),
  options: random.pick([
    undefined,
    { expectedPublicKey: SIGNER.publicKey },
    { expectedPublicKey: SIGNER.publicKey },
    { expectedPublicKey: [STRANGER.publicKey, SIGNER.publicKey] },
    { expectedPublicKey: null },
    { expectedPublicKey: SIGNER.publicKey, revokedPublicKeys: SIGNER.publicKey },
  ]),
});
