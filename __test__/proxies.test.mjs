// A Proxy is asked like any object, also when it lies; a revoked one is an error and nothing worse.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anchor, ours } from './readings.mjs';

const sparse = (length, elements) => Object.assign(new Array(length), elements);
const ofLength = length => new Proxy(['a', 'b'], { get: (target, key) => (key === 'length' ? length : target[key]) });
const revoked = target => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};

/** Each is hashed like the plain value beside it. */
const SAME = [
  ['no traps', new Proxy({ b: 1, a: 'x  y' }, {}), { b: 1, a: 'x y' }],
  ['an array', new Proxy([1, { a: 2 }], {}), [1, { a: 2 }]],
  ['an array with holes', new Proxy(sparse(3, { 1: 'a' }), {}), sparse(3, { 1: 'a' })],
  ['a Proxy of a Proxy', new Proxy(new Proxy([1], {}), {}), [1]],
  ['keys that are not there', new Proxy({}, { ownKeys: () => ['a', 'b'] }), {}],
  [
    'keys that are invented',
    new Proxy(
      {},
      {
        ownKeys: () => ['a', 'b'],
        getOwnPropertyDescriptor: () => ({ value: 0, enumerable: true, configurable: true }),
        get: (_, key) => `got ${String(key)}`,
      },
    ),
    { a: 'got a', b: 'got b' },
  ],
  ['keys that are hidden', new Proxy({ a: 1, b: 2 }, { ownKeys: () => ['b'] }), { b: 2 }],
  ['a descriptor that says no', new Proxy({ a: 1 }, { getOwnPropertyDescriptor: () => undefined }), {}],
  ['elements that are denied', new Proxy([1, 2], { has: () => false }), sparse(2, {})],
  ['another value than the descriptor has', new Proxy({ id: 'x' }, { get: () => ({ id: 'y' }) }), { id: { id: 'y' } }],
  ['a prototype that lies', new Proxy({ a: 1 }, { getPrototypeOf: () => Array.prototype }), { a: 1 }],
  ['a length of 0', ofLength(0), []],
  ['a length beyond the end', ofLength(4), sparse(4, { 0: 'a', 1: 'b' })],
  ['a length that is a fraction', ofLength(1.9), ['a']],
  ['a length below 0', ofLength(-1), []],
  ['a length that is NaN', ofLength(NaN), []],
  ['a length that is a text', ofLength('2'), ['a', 'b']],
  ['a length that is nothing', ofLength(undefined), []],
];

const THROWS = [
  ['a revoked object', () => revoked({}), TypeError],
  ['a revoked array', () => [revoked([])], TypeError],
  ['a revoked function under a key', () => ({ a: revoked(() => 1), b: revoked({}) }), TypeError],
  [
    'one that is revoked on the way',
    () => {
      const { proxy, revoke } = Proxy.revocable({ a: 1 }, {});
      return [
        {
          get a() {
            return revoke();
          },
        },
        { proxy },
      ];
    },
    TypeError,
  ],
  ['a trap that breaks an invariant', () => new Proxy(Object.freeze({ a: 1 }), { get: () => 2 }), TypeError],
  ['a key twice', () => new Proxy({}, { ownKeys: () => ['a', 'a'] }), TypeError],
  ['keys that are no keys', () => new Proxy({}, { ownKeys: () => [1] }), TypeError],
  ['a length that no array has', () => ofLength(2 ** 32), RangeError],
  ['a length without end', () => ofLength(Infinity), RangeError],
  ['a length that is a BigInt', () => ofLength(1n), TypeError],
];

for (const { name: reading, H } of ours) {
  describe(`proxies: ${reading}`, () => {
    for (const [name, proxy, plain] of SAME) {
      it(name, () => {
        assert.equal(H.stateHash({ proxy }), H.stateHash({ proxy: plain }));
        assert.equal(H.stateHash(proxy), H.stateHash(plain));
        assert.equal(H.reqHash({ kind: 'tool', args: [proxy] }), H.reqHash({ kind: 'tool', args: [plain] }));
      });
    }

    for (const [name, make, ErrorClass] of THROWS) {
      it(`throws: ${name}`, () => {
        for (const run of [
          () => H.stateHash(make()),
          () => H.reqHash({ kind: 'tool', args: make() }),
          () => H.canonical({ kind: 'model', messages: [make()] }),
        ]) {
          assert.throws(run, error => error instanceof ErrorClass);
          assert.equal(H.reqHash(anchor.request), anchor.hash);
        }
      });
    }

    it('a request that is a Proxy', () => {
      const asked = [];
      const get = (target, key) => {
        asked.push(key);
        return target[key];
      };
      assert.equal(H.reqHash(new Proxy(anchor.request, { get })), anchor.hash);
      assert.deepEqual(asked.slice(0, 4), ['kind', 'provider', 'model_id', 'messages']);
      assert.throws(() => H.reqHash(revoked({})), TypeError);
      assert.equal(H.reqHash(anchor.request), anchor.hash);
    });

    it('tool schemas that are a Proxy', () => {
      const tool_schemas = new Proxy([{ name: 'b' }, { name: 'a' }], {});
      const names = H.canonical({ kind: 'model', tool_schemas }).tool_schemas.map(({ name }) => name);
      assert.deepEqual(names, ['a', 'b']);
    });
  });
}
