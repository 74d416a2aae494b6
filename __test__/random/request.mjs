// Random requests and states: the shapes that agents send, and every shape that nobody should.
import { ARRAY_FORMS, OBJECT_FORMS, TEXT_FORMS } from './expression.mjs';
import { anyNumber } from './number.mjs';
import { anyText, label, oddText } from './text.mjs';

const js = source => ({ type: 'js', source });
const array = (items, form) => ({ type: 'array', items, form });
const object = (entries, form) => ({ type: 'object', entries, form });
const constant = value => ({ type: 'constant', value });
const number = random => ({ type: 'number', value: anyNumber(random) });

const TEXT_FORM_NAMES = Object.keys(TEXT_FORMS);
const ARRAY_FORM_NAMES = Object.keys(ARRAY_FORMS);
const OBJECT_FORM_NAMES = Object.keys(OBJECT_FORMS);
// npm canonicalize and the sorting of tools ask a getter more than once. Reads are compared where one is promised.
const STEADY_FORM_NAMES = OBJECT_FORM_NAMES.filter(name => !name.endsWith('etters'));

const text = (random, value = anyText(random)) => ({
  type: 'text',
  value,
  form: random.oneIn(8) ? random.pick(TEXT_FORM_NAMES) : undefined,
});

const DROPPED =
  'request_id idempotency_key timestamp created created_at latency_ms traceparent tracestate trace_id span_id ' +
  'user-agent user_agent retry_count sdk_version x-api-key api_key apikey authorization stream';
const IDS = 'id message_id tool_call_id tool_use_id call_id correlation_id';
const COMMON = 'role content type text name args input output url b a c items description parameters properties';
const DROPPED_KEYS = DROPPED.split(' ');
const ID_KEYS = IDS.split(' ');
const COMMON_KEYS = COMMON.split(' ');
const TRAP_KEYS = [
  ...['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf', 'toJSON', 'length', ''],
  ...['0', '1', '10', '9', '01', '-0', '-1', '1.5', '1e3', ' 1', '255', '256', '65535', '65536', '2147483648'],
  ...['4294967294', '4294967295', '4294967296', '9007199254740991', '9007199254740993', '1e21', 'Infinity', 'NaN'],
  ...['\u{1f600}', '\ufb33', '\ue000', '\uffff', '\ud83d', '\udc00', '\ud800A', 'é', 'e\u0301', 'ẞ', 'ß', 'Σ', 'ς'],
];

// Lower-casing is Unicode's: the Kelvin sign is a k; the dotted capital I is two code points and no i; ſ stays.
const CASES = [
  key => key.toUpperCase(),
  key => key[0].toUpperCase() + key.slice(1),
  (key, random) => key.replace(/[a-z]/g, c => (random.oneIn(2) ? c.toUpperCase() : c)),
  key => key.replaceAll('k', '\u212a'),
  key => key.replaceAll('K', '\u212a').toUpperCase().replaceAll('K', '\u212a'),
  key => key.replaceAll('i', '\u0130'),
  key => key.replaceAll('s', '\u017f'),
  key => key.replaceAll('_', '-'),
  key => `${key} `,
  key => `${key}s`,
  key => key.slice(0, -1),
];
const cased = (random, key) => (random.oneIn(3) ? random.pick(CASES)(key, random) : key);

const KEYS = [
  [10, random => random.pick(COMMON_KEYS)],
  [3, random => cased(random, random.pick(ID_KEYS))],
  [2, random => cased(random, random.pick(DROPPED_KEYS))],
  [2, random => random.pick(TRAP_KEYS)],
  [1, oddText],
  [1, random => String(random.below(300))],
  [1, random => `k${random.below(100_000)}`],
  [1, random => (random.oneIn(10) ? 'long_key_'.repeat(random.between(1, 40)) : anyText(random).slice(0, 50))],
];
/** A key of an object: a usual one, one of those that are dropped or renamed, or a trap. */
export const anyKey = random => random.weighted(KEYS)(random);

const ID_VALUES = ['x', 'y', 'call_0', 'call_1', 'toolu_1', 'run-1', 'X', 'a  b', 'a b', 'é', 'e\u0301', '', '\ud800'];
const idText = random => text(random, random.oneIn(4) ? oddText(random) : random.pick(ID_VALUES));

/** Values that only JavaScript has. Each expression gives a fresh one. */
const ODD_VALUES = [
  ...['undefined', 'NaN', '-Infinity', '1n', "Symbol('s')", '() => 1', 'function toJSON() {}', 'class A {}'],
  ...['new Date(0)', 'new Date(NaN)', 'new Map([[1, 2]])', 'new Set([1])', '/x/g', "new URL('http://a/')"],
  ...['new Uint8Array([1, 2, 255])', 'new Float64Array([0.5, -0])', 'new BigInt64Array(1)', 'new ArrayBuffer(4)'],
  ...["Buffer.from('hi')", 'new Float32Array([NaN])', 'new DataView(new ArrayBuffer(1))', 'Promise.resolve(1)'],
  ...["new String('ab  ')", 'new Number(5)', 'new Boolean(false)', "Object(Symbol('s'))", 'Object(1n)'],
  ...["new Error('x')", "Object.assign(new Error('x'), { code: 'E  x' })", 'Math', 'new WeakMap()', 'globalThis.URL'],
  ...['[, 1]', '[1, , 3]', "[, 'a  b', ,]", 'new Array(3)', "(function () { return arguments; })('a  b', 2)"],
  ...["Object.create({ id: 'x' })", 'Object.assign(() => 1, { a: 1 })', 'Object.assign([1, 2], { toJSON: () => 3 })'],
  ...['({ toJSON() { return { z: 1, y: new Date(0) }; }, x: 1 })', '({ toJSON() {} })', '({ toJSON: 1, a: 2 })'],
  ...["({ a: 'x  y', toJSON() { return this.a; } })", '({ toJSON: () => Symbol() })', '({ toJSON: () => NaN })'],
  ...['({ toJSON() { return this; } })', "({ toJSON() { throw new RangeError('boom'); } })", '({ toJSON: class {} })'],
  ...['({ toJSON: () => ({ toJSON: () => [1, , undefined] }) })', '({ toJSON: new Proxy(() => 1, {}), a: 1 })'],
  ...["({ toJSON: vm.runInNewContext('() => 1'), a: 1 })", "vm.runInNewContext('new Date(0)')"],
  ...['vm.runInNewContext(\'({ a: [1, { id: "x" }, "a  b"] })\')', "({ get a() { throw new RangeError('boom'); } })"],
  ...["({ get a() { throw 'text'; } })", "({ get a() { throw Object.assign(new Error('x'), { code: 'E' }); } })"],
  ...['(() => { const a = {}; a.a = a; return a; })()', '(() => { const a = []; a.push(a); return a; })()'],
  ...['(() => { const p = Proxy.revocable({}, {}); p.revoke(); return p.proxy; })()'],
  ...['(() => { const p = Proxy.revocable([], {}); p.revoke(); return { a: 1, p: p.proxy }; })()'],
  ...["new Proxy({}, { ownKeys: () => ['a'] })", "new Proxy({}, { ownKeys: () => ['a', 'a'] })"],
  ...["new Proxy({ a: 1 }, { ownKeys() { throw new TypeError('no'); } })", 'new Proxy(() => 1, {})'],
  ...['new Proxy({ a: 1 }, { getOwnPropertyDescriptor: () => undefined })', "new Proxy([1, , 'a  b'], {})"],
  ...["new Proxy([1, 2], { get: (t, k) => (k === 'length' ? 3 : t[k]) })", 'new Proxy([1, 2], { has: () => false })'],
  ...['new Proxy(Object.freeze({ a: 1 }), { get: () => 2 })', "new Proxy({ id: 'q', b: 1 }, { get: () => undefined })"],
  ...[
    "Object.defineProperty([1, 2], 0, { get: () => 'a  b' })",
    'Object.defineProperty([1, 2], 1, { enumerable: false })',
  ],
  ...[
    "Object.defineProperty({ a: 1, b: 2 }, 'a', { enumerable: false })",
    '({ get a() { delete this.b; return 1; }, b: 2 })',
  ],
  ...[
    '({ get a() { this.c = 3; return 1; }, b: 2 })',
    '(() => { const a = [1, 2]; Object.defineProperty(a, 0, { get() { a.length = 1; } }); return a; })()',
  ],
];

/** A value for a place that is normalized. One node in `odd` is not plain data; none is when `odd` is 0. */
function anyValue(random, odd, room) {
  if (odd > 0 && random.oneIn(odd)) return js(random.pick(ODD_VALUES));
  const kind = random.below(room > 0 ? 20 : 12);
  if (kind < 7) return text(random);
  if (kind < 10) return number(random);
  if (kind < 12) return constant(random.pick([null, true, false]));
  if (kind < 15) return anyArray(random, odd, room - 1);
  if (random.oneIn(120)) return deep(random, odd);
  return anyObject(random, odd, room - 1);
}

function size(random) {
  if (random.oneIn(400)) return random.between(100, 600);
  return random.pick([0, 1, 1, 1, 2, 2, 3, 5]);
}

function anyArray(random, odd, room) {
  const items = random.list(size(random), () =>
    odd > 0 && random.oneIn(40) ? undefined : anyValue(random, odd, Math.min(room, 2)),
  );
  return array(items, odd > 0 && random.oneIn(12) ? random.pick(ARRAY_FORM_NAMES) : undefined);
}

function anyObject(random, odd, room, formNames = OBJECT_FORM_NAMES) {
  const entries = random.list(size(random), () => {
    const key = anyKey(random);
    const isId = ID_KEYS.includes(key.toLowerCase());
    return [key, isId && !random.oneIn(4) ? idText(random) : anyValue(random, odd, room)];
  });
  return object(entries, odd > 0 && random.oneIn(10) ? random.pick(formNames) : undefined);
}

const LEVELS = [1, 2, 5, 30, 100, 127, 128, 129, 255, 256, 500, 1000];
const LEVELS_AT_LIMIT = [2040, 2044, 2045, 2046, 2047, 2048, 2049, 2050, 3000];
function deep(random, odd) {
  const levels = random.pick(random.oneIn(4) ? LEVELS_AT_LIMIT : LEVELS);
  const link = random.oneIn(2) ? random.pick(['a', 'content', 'id', '__proto__', 'timestamp', '0']) : undefined;
  return { type: 'deep', levels, link, inner: anyValue(random, odd, 1) };
}

const ODD_NAMES = [
  ...[
    'undefined',
    'null',
    '1',
    '"1"',
    '"10"',
    '-0',
    'true',
    'NaN',
    '1n',
    'Symbol()',
    '{}',
    '[]',
    "['b']",
    'new Date(1)',
  ],
  ...["{ valueOf: () => 'm' }", "{ toString: () => 'c' }", '{ valueOf: 1 }', "new String('b')", 'Object.create(null)'],
];

function message(random, odd) {
  const entries = [['role', text(random, label(random))]];
  if (random.oneIn(2)) entries.push(['content', text(random)]);
  else entries.push(['content', array(random.list(random.below(4), () => part(random, odd)))]);
  if (random.oneIn(3)) entries.push(['id', idText(random)]);
  if (random.oneIn(4)) entries.push(['tool_call_id', idText(random)]);
  if (random.oneIn(4)) entries.push(['tool_calls', array(random.list(random.below(3), () => toolCall(random, odd)))]);
  for (let i = random.below(3); i > 0; i--) entries.push([anyKey(random), anyValue(random, odd, 2)]);
  return object(entries);
}

const toolCall = (random, odd) =>
  object([
    ['id', idText(random)],
    ['name', text(random, label(random))],
    ['args', random.oneIn(4) ? text(random, '{"a":  1}') : anyObject(random, odd, 2)],
  ]);

const part = (random, odd) =>
  object([
    ['type', text(random, label(random))],
    random.oneIn(3) ? ['image_url', object([['url', text(random)]])] : ['text', text(random)],
    ...(random.oneIn(5) ? [['cache_control', anyValue(random, odd, 1)]] : []),
  ]);

function schema(random, odd) {
  const entries = [];
  if (!random.oneIn(12)) entries.push(['name', text(random, random.oneIn(6) ? oddText(random) : label(random))]);
  else if (odd > 0) entries.push(['name', js(random.pick(ODD_NAMES))]);
  else entries.push(['name', random.pick([number(random), constant(null), array([text(random, 'b')])])]);
  if (random.oneIn(2)) entries.push(['parameters', anyObject(random, odd, 2)]);
  return object(entries, odd > 0 && random.oneIn(12) ? random.pick(STEADY_FORM_NAMES) : undefined);
}

const ODD_SCHEMAS = [
  ...[
    'new Set([{ name: "b" }, { name: "a" }])',
    'new Map([["b", 1], ["a", 2]])',
    'new Uint8Array([3, 1, 2])',
    '() => 1',
  ],
  ...['(function* () { yield { name: "b" }; yield { name: "a" }; })()', '[{ name: "b" }, , { name: "a" }]', '1n'],
  ...[
    '{ length: 1, 0: { name: "a" } }',
    'new String("ba")',
    '{ [Symbol.iterator]: 1 }',
    'Symbol()',
    '[, ,]',
    '[undefined, 1]',
  ],
  ...['{ *[Symbol.iterator]() { yield { name: "b" }; yield { name: "a" }; } }', '{ [Symbol.iterator]: () => 1 }'],
  ...['Object.assign([{ name: "b" }], { *[Symbol.iterator]() { yield { name: "c" }; yield { name: "a" }; } })'],
  ...[
    'new Proxy([{ name: "b" }, { name: "a" }], {})',
    '[{ name: "b" }, { name: "a" }].values()',
    '[null, { name: "a" }]',
  ],
  ...[
    '[{ get name() { throw new RangeError("boom"); } }, { name: "a" }]',
    'Buffer.from("ba")',
    '[[{ name: "b" }], { name: "a" }]',
  ],
  ...['[1, "b", null]', '[1, "b", true]', '[{ name: "b" }, Object.create({ name: "a" }), (() => 1)]'],
];
function schemas(random, odd) {
  if (odd > 0 && random.oneIn(10)) return js(random.pick(ODD_SCHEMAS));
  if (random.oneIn(25))
    return random.pick([constant(null), constant(false), number(random), text(random), anyObject(random, odd, 1)]);
  const items = random.list(random.pick([0, 1, 2, 3, 5, 12, 25]), () =>
    random.oneIn(60) ? anyValue(random, 0, 2) : schema(random, odd),
  );
  return array(items, odd > 0 && random.oneIn(15) ? random.pick(ARRAY_FORM_NAMES) : undefined);
}

/** A value for a place that is written as it is. */
function rawValue(random, odd) {
  if (!random.oneIn(6)) return text(random, random.oneIn(3) ? anyText(random) : label(random));
  if (odd > 0 && random.oneIn(2)) return js(random.pick(ODD_VALUES));
  if (random.oneIn(8)) return deep(random, 0);
  return random.pick([number(random), constant(null), anyObject(random, 0, 2), rawObject(random, odd), array([])]);
}

const rawObject = (random, odd) => {
  const plain = anyObject(random, 0, 2);
  return odd > 0 ? { ...plain, form: random.pick(STEADY_FORM_NAMES) } : plain;
};

const OPTIONAL = ['response_format', 'temperature', 'top_p', 'top_k', 'seed', 'max_tokens', 'tool_choice'];

function modelEntries(random, odd) {
  const messages = random.list(random.pick([0, 1, 1, 2, 3, 5]), () =>
    random.oneIn(10) ? anyValue(random, odd, 3) : message(random, odd),
  );
  const entries = [
    ['provider', rawValue(random, odd)],
    ['model_id', rawValue(random, odd)],
    ['messages', random.oneIn(12) ? anyValue(random, odd, 3) : array(messages)],
  ];
  if (random.oneIn(4)) entries.push(['system_prompt_sha', rawValue(random, odd)]);
  if (random.oneIn(3)) entries.push(['tool_schemas', schemas(random, odd)]);
  for (const name of OPTIONAL) {
    if (random.oneIn(5)) entries.push([name, random.oneIn(2) ? number(random) : anyValue(random, odd, 2)]);
  }
  if (random.oneIn(4)) entries.push([anyKey(random), anyValue(random, odd, 1)]);
  return entries;
}

const toolEntries = (random, odd) => [
  ['tool_name', rawValue(random, odd)],
  ['args', anyValue(random, odd, 4)],
];

const KINDS = ['clock', 'rng', 'human', 'env', 'Model', 'model ', 'toolbox', ''];

function shuffled(random, list) {
  const rest = [...list];
  return list.map(() => rest.splice(random.below(rest.length), 1)[0]);
}

/** One request in three holds odd values; the others are plain data, as nearly all are. */
export function anyRequest(random, odd = random.oneIn(3) ? random.pick([4, 12, 40]) : 0) {
  const turn = random.below(20);
  const kind = value => ['kind', text(random, value)];
  const entries =
    turn < 11
      ? [kind('model'), ...modelEntries(random, odd)]
      : turn < 17
        ? [kind('tool'), ...toolEntries(random, odd)]
        : turn < 19
          ? [kind(random.pick(KINDS)), ['counter', random.oneIn(2) ? number(random) : rawValue(random, odd)]]
          : [['kind', rawValue(random, odd)], ...toolEntries(random, odd)];
  if (random.oneIn(40)) entries.splice(random.below(entries.length), 1);
  const form = odd > 0 && random.oneIn(8) ? random.pick(OBJECT_FORM_NAMES) : undefined;
  return object(random.oneIn(3) ? shuffled(random, entries) : entries, form);
}

/** A value for `stateHash`. */
export function anyState(random, odd = random.oneIn(3) ? random.pick([4, 12, 40]) : 0) {
  return random.oneIn(3) ? anyObject(random, odd, 5) : anyValue(random, odd, 4);
}
