// Verdicts on records: goldens under three forms of input, failures, keys, bad input.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import vm from 'node:vm';
import { Worker } from 'node:worker_threads';
import * as native from 'tapeproof/verify';
import { difference } from './differential/record.mjs';
import { Random } from './random/prng.mjs';
import { HMAC_KEY, SIGNER, STRANGER, sealedRecord } from './random/record.mjs';
import * as twin from './reference/records.mjs';
import { sharedFolder } from './shared.mjs';
import { verdicts } from './workers/records.mjs';

const golden = name =>
  readFileSync(new URL(`goldens/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));

const folder = sharedFolder('baseline');
const readings = [
  { name: 'native', H: native },
  { name: 'twin', H: twin },
  ...(folder ? [{ name: 'baseline', H: await import(new URL('records.mjs', folder).href) }] : []),
];

const forms = {
  text: (H, text, ...keys) => H.verifyJson(text, ...keys),
  bytes: (H, text, ...keys) => H.verifyJson(new TextEncoder().encode(text), ...keys),
  object: (H, text, ...keys) => H.verify(JSON.parse(text), ...keys),
};

const cases = [
  ...golden('records').map(({ name, text, signingKey, options, expected }) => ({
    name,
    text,
    signingKey,
    options,
    expected,
  })),
  ...golden('traps.verify').map(({ name, input: { text, signingKey, opts }, expected }) => ({
    name,
    text,
    signingKey,
    options: opts ?? {},
    expected,
  })),
];

for (const { name: reading, H } of readings) {
  for (const [form, run] of Object.entries(forms).filter(([form]) => form === 'text' || H === native)) {
    describe(`goldens: ${reading}, ${form}`, () => {
      for (const { name, text, signingKey, options, expected } of cases) {
        // A lone surrogate does not survive the way to bytes.
        if (form === 'bytes' && !text.isWellFormed()) continue;
        it(name, () => {
          const verified = () => run(H, text, signingKey, options);
          if (expected.throws) {
            assert.throws(verified, error => error.name === expected.throws.name);
          } else {
            const { failures, ...result } = JSON.parse(JSON.stringify(verified()));
            assert.deepEqual(result, expected);
          }
        });
      }
    });
  }
}

it('goldens: asynchronous', async () => {
  for (const { name, text, signingKey, options, expected } of cases) {
    const verified = native.verifyJsonAsync(text, signingKey, options);
    if (expected.throws) {
      await assert.rejects(verified, error => error.name === expected.throws.name, name);
    } else {
      const { failures, ...result } = JSON.parse(JSON.stringify(await verified));
      assert.deepEqual(result, expected, name);
    }
  }
});

/** A small sealed record of four events. */
const events = [
  { type: 'run', phase: 'start', run_id: 'run_1', seq: 0 },
  {
    type: 'llm',
    run_id: 'run_1',
    seq: 1,
    model: { model_id: 'm' },
    request: { messages: ['hi'] },
    response: { text: 'ok' },
  },
  { type: 'tool', run_id: 'run_1', seq: 2, tool_name: 't', input: { q: 1 }, output: { r: 2 } },
  { type: 'run', phase: 'end', run_id: 'run_1', seq: 3, status: 'success', output: { done: true }, error: null },
];
const run = { run_id: 'run_1', status: 'success', output: { done: true }, error: null };
const sealed = () => native.seal(events, { run, privateKey: SIGNER.privateKey });
const pinned = { expectedPublicKey: SIGNER.publicKey };

/** The failures of a record that was changed after it was sealed. */
function failuresOf(change, keys = pinned) {
  const record = sealed();
  change(record);
  const result = native.verify(record, undefined, keys);
  assert.deepEqual(native.verifyJson(JSON.stringify(record), undefined, keys), result);
  return result.failures;
}

describe('failures', () => {
  const { hashes, digest } = native.computeEventChain(events);
  const { digest: cassette } = native.computeCassetteDigest(events);

  it('none for a record as it was sealed', () =>
    assert.deepEqual(
      failuresOf(() => {}),
      [],
    ));

  it('name the first event at which the chain breaks', () => {
    const [chain] = failuresOf(record => {
      record.events[1].response.text = 'other';
    });
    const changed = structuredClone(events);
    changed[1].response.text = 'other';
    const expected = native.computeEventChain(changed).hashes[1];
    assert.deepEqual(chain, { check: 'chain', index: 1, pointer: '/events/1/_hash', expected, actual: hashes[1] });
  });

  it('say when a hash is missing', () => {
    const [chain] = failuresOf(record => {
      delete record.events[2]._hash;
    });
    assert.deepEqual(chain, { check: 'chain', index: 2, pointer: '/events/2/_hash', expected: hashes[2] });
  });

  it('give both digests', () => {
    const failures = failuresOf(record => {
      record.manifest.content_digest = 'x';
      record.manifest.replay.cassette_digest = null;
    });
    assert.deepEqual(failures, [
      { check: 'digest', pointer: '/manifest/content_digest', expected: digest, actual: 'x' },
      { check: 'cassette', pointer: '/manifest/replay/cassette_digest', expected: cassette, actual: null },
      { check: 'signature', pointer: '/manifest/signature' },
    ]);
  });

  it('name the event whose seq is no number', () => {
    const failures = failuresOf(record => {
      record.events[2].seq = '2';
    });
    assert.deepEqual(failures.at(-1), { check: 'cassette', index: 2, pointer: '/events/2/seq' });
  });

  it('give the pointers of both sides of a contradiction', () => {
    const failures = failuresOf(record => {
      record.manifest.run_id = 'run_2';
      Object.assign(record.run, { status: 'error', output: null, error: 'e' });
    });
    assert.deepEqual(failures, [
      { check: 'consistent', pointer: '/manifest/run_id', evidence: '/events/0/run_id' },
      { check: 'consistent', pointer: '/run/status', evidence: '/events/3/status' },
      { check: 'consistent', pointer: '/run/output', evidence: '/events/3/output' },
      { check: 'consistent', pointer: '/run/error', evidence: '/events/3/error' },
    ]);
  });

  it('give the schema that is not known', () => {
    const failures = failuresOf(record => {
      record.$schema = 'runback.audit/v1';
    });
    assert.deepEqual(failures, [{ check: 'schema', pointer: '/$schema', actual: 'runback.audit/v1' }]);
  });
});

describe('keys', () => {
  const record = sealed();
  const verdict = options => native.verify(record, undefined, options).checks.signature;

  for (const [name, options, expected] of [
    ['none given: the published ones', undefined, 'valid-unpinned'],
    ['null options', null, 'valid-unpinned'],
    ['one', pinned, 'valid'],
    ['a rotation', { expectedPublicKey: [STRANGER.publicKey, SIGNER.publicKey] }, 'valid'],
    ['another', { expectedPublicKey: STRANGER.publicKey }, 'valid-unpinned'],
    ['pinned and revoked', { ...pinned, revokedPublicKeys: [SIGNER.publicKey] }, 'revoked'],
  ]) {
    it(name, () => assert.equal(verdict(options), expected));
  }

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048, publicKeyEncoding: { type: 'spki', format: 'pem' } });
  for (const [name, options] of [
    ['not a PEM', { expectedPublicKey: 'x' }],
    ['not text', { expectedPublicKey: [5] }],
    ['a private key', { expectedPublicKey: SIGNER.privateKey }],
    ['an RSA key', { expectedPublicKey: rsa.publicKey }],
    ['a revoked key that is none', { revokedPublicKeys: ['x'] }],
    ['null as revoked keys', { revokedPublicKeys: null }],
  ]) {
    it(`${name} is misuse`, () => {
      assert.throws(() => verdict(options), { name: 'TypeError', code: 'ERR_TAPEPROOF_PUBLIC_KEY' });
    });
  }

  // A line ends as in ECMAScript; behind the first marker a line feed has to.
  const { publicKey } = SIGNER;
  for (const [name, pem, expected] of [
    ['CRLF', publicKey.replaceAll('\n', '\r\n'), 'valid'],
    ['CR before the markers', `a\r${publicKey.replace('\n-----E', '\r-----E')}`, 'valid'],
    ['CR behind the last', publicKey.trimEnd().concat('\rx'), 'valid'],
    ['separators', `a\u2028${publicKey.replace('\n-----E', '\u2029-----E').trimEnd()}\u2028x`, 'valid'],
    ['CR behind the first', publicKey.replace('\n', '\r'), 'invalid'],
    ['two CR behind the first', publicKey.replace('\n', '\r\r\n'), 'invalid'],
    ['text behind the last', publicKey.trimEnd().concat('x'), 'invalid'],
  ]) {
    it(`line ends of a key: ${name}`, () => {
      const signature = { ...record.manifest.signature, pubkey: pem };
      const other = { ...record, manifest: { ...record.manifest, signature } };
      for (const { H } of readings) assert.equal(H.verify(other, undefined, pinned).checks.signature, expected);
    });
  }

  const hmac = native.seal(events, { run, hmacKey: HMAC_KEY });
  const bytes = new TextEncoder().encode(HMAC_KEY);
  const shared = ({ length }) => {
    const buffer = new SharedArrayBuffer(length);
    new Uint8Array(buffer).set(bytes);
    return buffer;
  };
  for (const [name, key, expected] of [
    ['text', HMAC_KEY, 'valid'],
    ['bytes', bytes, 'valid'],
    ['a view into bytes', new DataView(new Uint8Array([0, ...bytes]).buffer, 1), 'valid'],
    ['an ArrayBuffer', bytes.buffer, 'valid'],
    ['an ArrayBuffer of another realm', vm.runInNewContext('Uint8Array.from(bytes).buffer', { bytes }), 'valid'],
    ['a SharedArrayBuffer', shared(bytes), 'valid'],
    ['another text', 'x', 'invalid'],
    ['no bytes', new Uint8Array(), 'invalid'],
    ['no text', '', 'no-key'],
    ['null', null, 'no-key'],
    ['nothing', undefined, 'no-key'],
  ]) {
    it(`HMAC with ${name}`, () => assert.equal(native.verify(hmac, key).checks.signature, expected));
  }
  it('HMAC with what is no key is misuse', () => {
    assert.throws(() => native.verify(hmac, 5), { name: 'TypeError', code: 'ERR_TAPEPROOF_SIGNING_KEY' });
  });
});

describe('what is no record', () => {
  for (const [name, value, code] of [
    ['null', null, 'RECORD'],
    ['undefined', undefined, 'RECORD'],
    ['a string', 'x', 'RECORD'],
    ['no manifest', { events: [] }, 'RECORD'],
    ['a falsy manifest', { manifest: 0, events: [] }, 'RECORD'],
    ['events that are no array', { manifest: {}, events: {} }, 'RECORD'],
    ['a null event', { manifest: {}, events: [{}, null] }, 'EVENT'],
    ['a hole among the events', { manifest: {}, events: Array(1) }, 'EVENT'],
    ['a projection', { manifest: {}, events: [{ type: 'llm', key_projection: { keep: 'a' } }] }, 'PROJECTION'],
    ['a BigInt', { manifest: {}, events: [{ n: 1n }] }, 'BIGINT'],
  ]) {
    it(name, () => assert.throws(() => native.verify(value), { name: 'TypeError', code: `ERR_TAPEPROOF_${code}` }));
  }

  it('a cycle', () => {
    const record = sealed();
    record.events[1].request.self = record;
    assert.throws(() => native.verify(record), { name: 'RangeError', code: 'ERR_TAPEPROOF_DEPTH' });
  });

  it('points at the event', () => {
    assert.throws(() => native.verifyJson('{"manifest":{},"events":[{},null]}'), { pointer: '/events/1' });
  });

  for (const [name, source, error] of [
    ['truncated', JSON.stringify(sealed()).slice(0, -1), { name: 'SyntaxError', code: 'ERR_TAPEPROOF_SYNTAX' }],
    [
      'a byte order mark',
      `\ufeff${JSON.stringify(sealed())}`,
      { name: 'SyntaxError', code: 'ERR_TAPEPROOF_SYNTAX', offset: 0 },
    ],
    ['not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), { name: 'SyntaxError', code: 'ERR_TAPEPROOF_UTF8', offset: 1 }],
    [
      'a surrogate in UTF-8',
      new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]),
      { name: 'SyntaxError', code: 'ERR_TAPEPROOF_UTF8' },
    ],
    ['no text', 5, { name: 'TypeError', code: 'ERR_TAPEPROOF_TEXT' }],
    [
      '100,000 levels',
      `{"manifest":{},"events":${'['.repeat(1e5)}${']'.repeat(1e5)}}`,
      { name: 'RangeError', code: 'ERR_TAPEPROOF_DEPTH' },
    ],
    ['empty', '', { name: 'SyntaxError', code: 'ERR_TAPEPROOF_SYNTAX', offset: 0 }],
  ]) {
    it(`${name}, as text`, async () => {
      assert.throws(() => native.verifyJson(source), error);
      await assert.rejects(native.verifyJsonAsync(source), error);
    });
  }

  it('messages hold no values', () => {
    for (const text of [
      '{"secret-value',
      '{"manifest":{},"events":[{"type":"tool","key_projection":{"drop":["a",{"b":"secret-value"}]}}]}',
    ]) {
      assert.throws(
        () => native.verifyJson(text),
        ({ message }) => !message.includes('secret'),
      );
    }
  });
});

describe('sizes and shapes', () => {
  it('events that are many are walked in two threads, with the same verdict', () => {
    const many = Array.from({ length: 3000 }, (_, seq) => ({ ...events[1 + (seq % 2)], seq, pad: 'é'.repeat(100) }));
    const record = native.seal(many, { run: { run_id: 'run_1' }, privateKey: SIGNER.privateKey });
    const text = JSON.stringify(record);
    assert.ok(text.length > 2 ** 18);
    for (const shuffled of [text, JSON.stringify({ ...record, events: record.events.toReversed() })]) {
      const { failures, ...result } = native.verifyJson(shuffled, undefined, pinned);
      assert.deepEqual(result, twin.verifyJson(shuffled, undefined, pinned));
    }
  });

  it('nesting costs no stack, on the main thread or on a worker with a small one', async () => {
    const expected = verdicts();
    assert.deepEqual(new Set(Object.values(expected)), new Set(['invalid']));
    const worker = new Worker(new URL('workers/records.mjs', import.meta.url), { resourceLimits: { stackSizeMb: 1 } });
    const [found] = await once(worker, 'message');
    assert.deepEqual(found, expected);
  });

  it('ten million elements', () => {
    const text = `{"manifest":{},"events":[[${'0,'.repeat(1e7)}0]]}`;
    assert.equal(native.verifyJson(text).verdict, 'invalid');
  });

  it('many projections of many members', () => {
    const drop = Array.from({ length: 20_000 }, (_, at) => `a.b${at}`);
    const input = { a: Array.from({ length: 20_000 }, (_, at) => ({ [`b${at}`]: 1, c: 1 })) };
    const result = native.computeCassetteDigest([{ type: 'tool', input, key_projection: { drop } }]);
    const bare = { a: input.a.map(() => ({ c: 1 })) };
    assert.deepEqual(result, native.computeCassetteDigest([{ type: 'tool', input: bare }]));
  });
});

/** The pointers to all values of a value. */
function pointers(value, path = []) {
  const below = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [path, ...below.flatMap(([key, member]) => pointers(member, [...path, key]))];
}

describe('every member as every type', () => {
  const whole = native.seal(
    events.map(event => ({ ...event, key_projection: { keep: ['messages'], drop: ['a.b'] } })),
    { run, privateKey: SIGNER.privateKey },
  );
  const values = [undefined, null, true, false, 0, 1, '1e400', '', 'x', [], ['x'], {}, { x: 1 }];

  for (const path of pointers(whole).slice(1)) {
    it(`/${path.join('/')}`, () => {
      for (const value of values) {
        const record = structuredClone(whole);
        const parent = path.slice(0, -1).reduce((container, key) => container[key], record);
        parent[path.at(-1)] = value;
        const text = JSON.stringify(record).replaceAll('"1e400"', '1e400');
        for (const form of ['text', 'object']) {
          const words = difference({ expression: { value: text }, form, signingKey: HMAC_KEY, options: pinned });
          assert.equal(words, undefined, text);
        }
      }
    });
  }
});

describe('digests', () => {
  it('of nothing', () => {
    const digest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    assert.deepEqual(native.computeEventChain([]), { hashes: [], digest });
    assert.deepEqual(native.computeCassetteDigest([]), { digest, entry_count: 0 });
  });

  it('of JavaScript values that JSON has not', () => {
    const odd = [
      {
        undefined: undefined,
        hole: Object.assign([1], { length: 3 }),
        f() {},
        symbol: Symbol('s'),
        nan: Number.NaN,
        date: new Date(0),
      },
      'text',
      [],
      Object.assign(Object.create({ inherited: 1 }), { own: 1, request_id: 'kept', timestamp: 1 }),
    ];
    const { hashes } = native.computeEventChain(odd);
    assert.deepEqual(hashes, twin.computeEventChain(odd).hashes);
  });

  it('agree with the twin', () => {
    for (let index = 0; index < 50; index += 1) {
      const record = sealedRecord(new Random(7, index));
      assert.deepEqual(native.computeEventChain(record.events), twin.computeEventChain(record.events));
      assert.deepEqual(native.computeCassetteDigest(record.events), twin.computeCassetteDigest(record.events));
    }
  });
});
