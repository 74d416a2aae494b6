// The deepest nesting is one number: on the main thread, in a worker, in the text forms, and in the twin.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { anchor, ours } from './readings.mjs';
import { CASES, LIMIT, outcomes } from './workers/depth-cases.mjs';

const expected = Object.fromEntries(
  CASES.flatMap(({ name }) => [
    [`${name}: ${LIMIT}`, 'fits'],
    [`${name}: ${LIMIT + 1}`, 'RangeError ERR_TAPEPROOF_DEPTH'],
  ]),
);

function inWorker(reading, options) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./workers/depth.mjs', import.meta.url), { workerData: reading, ...options });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

const endless = value => Object.defineProperty(value, 'a', { enumerable: true, get: () => endless({}) });

/** What `run` gives with little stack left: 10 KB at most, found by running out. */
function nearTheEndOfTheStack(run) {
  let result;
  const dive = () => {
    try {
      dive();
    } catch {
      result ??= run();
    }
  };
  dive();
  return result;
}

for (const { name: reading, H } of ours) {
  describe(`depth: ${reading}`, () => {
    it('on the main thread', () => assert.deepEqual(outcomes(H), expected));

    it('a million levels', () => {
      for (const { name, run } of CASES.filter(({ far }) => far)) {
        assert.throws(() => run(H, 1_000_000), { name: 'RangeError', code: 'ERR_TAPEPROOF_DEPTH' }, name);
        assert.equal(H.reqHash(anchor.request), anchor.hash);
      }
    });

    it('in a worker with its default stack', async () => assert.deepEqual(await inWorker(reading), expected));

    it('in a worker with a small stack', async () => {
      const found = await inWorker(reading, { resourceLimits: { stackSizeMb: 1 } });
      assert.deepEqual(Object.keys(found).sort(), Object.keys(expected).sort());
      // Below its default a stack may end before the limit: with V8's own error, which is of the same class.
      for (const [name, outcome] of Object.entries(found)) {
        if (outcome !== expected[name]) assert.match(outcome, /^RangeError /, name);
      }
    });

    const cycles = {
      'an object in itself': value => Object.assign(value, { a: value }),
      'an array in itself': value => Object.assign(value, { a: [value] }),
      'a long cycle': value => Object.assign(value, { a: { b: [{ c: { value } }] } }),
      'a cycle through toJSON': value => Object.assign(value, { toJSON: () => value }),
      'a getter without end': endless,
    };
    for (const [name, tie] of Object.entries(cycles)) {
      it(name, () => {
        const tooDeep = { name: 'RangeError', code: 'ERR_TAPEPROOF_DEPTH' };
        assert.throws(() => H.stateHash(tie({})), tooDeep);
        assert.throws(() => H.reqHash({ kind: 'tool', args: tie({}) }), tooDeep);
        assert.throws(() => H.reqHash({ kind: 'model', provider: tie({}) }), tooDeep);
        assert.equal(H.reqHash(anchor.request), anchor.hash);
      });
    }

    it('a value that occurs twice is no cycle', () => {
      const twice = { id: 'x', list: [1] };
      assert.equal(
        H.stateHash({ a: twice, b: twice }),
        H.stateHash({ a: structuredClone(twice), b: structuredClone(twice) }),
      );
    });

    it('what is left out may be as deep as it likes', () => {
      const deep = JSON.parse('['.repeat(10_000) + ']'.repeat(10_000));
      assert.equal(H.stateHash({ timestamp: deep, a: 1 }), H.stateHash({ a: 1 }));
      assert.equal(H.reqHash({ ...anchor.request, other: deep }), anchor.hash);
    });
  });
}

it('little stack is an error, not a crash', () => {
  const { H } = ours[0];
  const value = { a: [{ b: { c: ['e\u0301', new Date(0), { id: 'x' }] } }] };
  const hash = H.stateHash(value);
  const run = () => {
    try {
      return H.stateHash(value);
    } catch (error) {
      return error.name;
    }
  };
  assert.match(String(nearTheEndOfTheStack(run)), /^(sha256:|RangeError$)/);
  assert.equal(H.stateHash(value), hash);
});
