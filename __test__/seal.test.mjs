// Sealing: what comes of it verifies, everywhere; what cannot be sealed is refused with a pointer.
import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import vm from 'node:vm';
import { generateKeyPair, KNOWN_SCHEMAS, seal, verify, verifyJson } from 'tapeproof/verify';
import { Random, runSeed } from './random/prng.mjs';
import { sealedRecord } from './random/record.mjs';
import * as twin from './reference/records.mjs';
import { sharedFolder } from './shared.mjs';

const folder = sharedFolder('baseline');
const baseline = folder && (await import(new URL('records.mjs', folder).href));
const { privateKey, publicKey } = generateKeyPair();
const pinned = { expectedPublicKey: publicKey };
const run = { run_id: 'r', name: 'n', status: 'success', started_at: null, ended_at: null };
const events = [
  { type: 'run', phase: 'start', run_id: 'r', seq: 0 },
  { type: 'env', run_id: 'r', seq: 1, kind: 'uuid', key: 'k', output: 'u' },
  { type: 'run', phase: 'end', run_id: 'r', seq: 2, status: 'success' },
];

function isTooDeep(record) {
  try {
    twin.verify(record);
    return false;
  } catch (error) {
    assert.equal(error.name, 'RangeError');
    return true;
  }
}

const seed = runSeed();
describe(`random events (seed ${seed})`, () => {
  for (const [name, keys, verdict, signingKey] of [
    ['Ed25519', { privateKey }, 'valid'],
    ['HMAC', { hmacKey: 'clé' }, 'valid', 'clé'],
    ['Ed25519 before HMAC', { privateKey, hmacKey: 'x' }, 'valid'],
    ['unsigned', {}, 'unverified'],
  ]) {
    it(name, () => {
      for (let index = 0; index < 200; index += 1) {
        const record = sealedRecord(new Random(seed, index));
        const { events, run } = record;
        if (isTooDeep(record)) {
          assert.throws(() => seal(events, { run, ...keys }), { name: 'RangeError' });
          continue;
        }
        const sealed = seal(events, { run, ...keys });
        const text = JSON.stringify(sealed);
        for (const verified of [verifyJson, twin.verifyJson, baseline?.verifyJson]) {
          const result = verified?.(text, signingKey, pinned);
          if (result) assert.equal(result.verdict, verdict, `case ${index}`);
        }
        assert.equal(verify(sealed, signingKey, pinned).verdict, verdict);
      }
    });
  }
});

describe('the record', () => {
  const sealed = seal(events, { run, privateKey, generatedAt: '2026-01-01T00:00:00.000Z' });

  it('has the members that are promised', () => {
    assert.deepEqual(Object.keys(sealed), ['$schema', 'manifest', 'run', 'events']);
    assert.equal(sealed.$schema, KNOWN_SCHEMAS[0]);
    const { content_digest, signature, replay, note, verify, ...manifest } = sealed.manifest;
    assert.deepEqual(manifest, {
      run_id: 'r',
      generated_at: '2026-01-01T00:00:00.000Z',
      event_count: 3,
      algorithm: 'sha256-chain',
      signed: true,
      spec_url: 'https://runback.dev/spec',
      verifier_url: 'https://runback.dev/verify',
    });
    assert.equal(content_digest, sealed.events[2]._hash);
    assert.equal(replay.entry_count, 1);
    assert.equal(replay.algorithm, 'oracle-chain/sha256');
    assert.equal(signature.pubkey, publicKey);
  });

  it('is the same for events that were sealed before', () => {
    assert.deepEqual(seal(sealed.events, { run, privateKey, generatedAt: sealed.manifest.generated_at }), sealed);
  });

  it('shares nothing with its arguments', () => {
    const event = { nested: { value: 1 } };
    const record = seal([event], { run });
    event.nested.value = 2;
    assert.equal(record.events[0].nested.value, 1);
    assert.deepEqual(event, { nested: { value: 2 } });
  });

  it('is generated now by default', () => {
    const before = new Date().toISOString();
    const { generated_at } = seal([], { run }).manifest;
    assert.ok(before <= generated_at && generated_at <= new Date().toISOString());
  });

  it('takes its run_id from the first that has one', () => {
    assert.equal(seal(events, { run, runId: 'r' }).manifest.run_id, 'r');
    assert.equal(seal(events, { run: {} }).manifest.run_id, 'r');
    assert.equal(seal([], { run: {} }).manifest.run_id, null);
  });

  it('holds JSON values of every kind', () => {
    const value = JSON.parse('{"__proto__":{"a":-0},"toString":null,"b":[1e21,"\\ud800",{}],"":true,"1":{}}');
    const foreign = vm.runInNewContext('({ a: [1] })');
    const bare = Object.assign(Object.create(null), { b: 1 });
    const record = seal([{ value, foreign, bare }], { run, privateKey });
    assert.equal(verifyJson(JSON.stringify(record), undefined, pinned).verdict, 'valid');
  });
});

describe('what cannot be sealed', () => {
  const at = (value, pointer) => [{ ok: 1 }, { 'a/b': [0, value] }, pointer ?? '/events/1/a~1b/1'];
  for (const [name, value, pointer] of [
    ['a Date', new Date(0)],
    ['undefined', undefined],
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['a function', () => {}],
    ['a symbol', Symbol('s')],
    ['a BigInt', 1n],
    ['a hole', Array(1)],
    ['an array with a member', Object.assign([], { x: 1 })],
    ['a hole and a member beside it', Object.assign(Array(1), { x: 2 })],
    [
      'an array with an inherited toJSON',
      new (class extends Array {
        toJSON() {
          return 1;
        }
      })(),
    ],
    ['an inherited toJSON', Object.create(Object.assign(Object.create(null), { toJSON: () => 1 }))],
    ['a hidden toJSON', Object.defineProperty({}, 'toJSON', { value: () => 1 })],
    ['toJSON', { toJSON: () => 1 }, '/events/1/a~1b/1/toJSON'],
    ['an undefined member', { x: undefined }, '/events/1/a~1b/1/x'],
    ['a class instance', new (class A {})()],
    ['a Map', new Map()],
    ['a boxed string', new String('x')],
    ['a symbol key', { [Symbol('s')]: 1 }],
  ]) {
    it(name, () => {
      const [first, second, where] = at(value, pointer);
      assert.throws(() => seal([first, second], { run }), {
        name: 'TypeError',
        code: 'ERR_TAPEPROOF_SEAL',
        pointer: where,
      });
    });
  }

  for (const [name, list, options, pointer] of [
    ['a null event', [null], { run }, '/events/0'],
    ['an event that is an array', [[]], { run }, '/events/0'],
    ['events that are no array', {}, { run }, '/events'],
    ['no run', [], {}, '/run'],
    ['a run that is none', [], { run: [] }, '/run'],
    ['a seq that is no number', [{}, { seq: '1' }], { run }, '/events/1/seq'],
    ['a status that contradicts', events, { run: { ...run, status: 'error' } }, '/run/status'],
    ['an output that contradicts', events, { run: { ...run, output: 1 } }, '/run/output'],
    ['a run id that is none of theirs', events, { run, runId: 'other' }, '/manifest/run_id'],
  ]) {
    it(name, () => {
      assert.throws(() => seal(list, options), { name: 'TypeError', code: 'ERR_TAPEPROOF_SEAL', pointer });
    });
  }

  it('a cycle', () => {
    const event = {};
    event.event = event;
    assert.throws(() => seal([event], { run }), { name: 'RangeError', code: 'ERR_TAPEPROOF_DEPTH' });
  });

  it('nesting beyond the limit, which is that of verify', () => {
    const nested = depth => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
    const record = seal([{ nested: nested(2045) }], { run, privateKey });
    assert.equal(verifyJson(JSON.stringify(record), undefined, pinned).verdict, 'valid');
    assert.throws(() => seal([{ nested: nested(2046) }], { run }), { name: 'RangeError', code: 'ERR_TAPEPROOF_DEPTH' });
  });

  const pem = key => createPrivateKey(key).export({ type: 'pkcs8', format: 'pem' });
  const { privateKey: ec } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  for (const [name, keys, code] of [
    ['a public key', { privateKey: publicKey }, 'PRIVATE_KEY'],
    ['a key of another type', { privateKey: pem(ec.export({ type: 'pkcs8', format: 'pem' })) }, 'PRIVATE_KEY'],
    ['a key object', { privateKey: createPrivateKey(privateKey) }, 'PRIVATE_KEY'],
    ['an empty HMAC key', { hmacKey: '' }, 'SIGNING_KEY'],
    ['a number as HMAC key', { hmacKey: 5 }, 'SIGNING_KEY'],
  ]) {
    it(`with ${name}`, () => {
      assert.throws(() => seal([], { run, ...keys }), { name: 'TypeError', code: `ERR_TAPEPROOF_${code}` });
    });
  }
});

it('generateKeyPair gives PEMs of one new pair', () => {
  const pair = generateKeyPair();
  assert.equal(createPublicKey(pair.privateKey).export({ type: 'spki', format: 'pem' }), pair.publicKey);
  assert.notEqual(pair.privateKey, privateKey);
});
