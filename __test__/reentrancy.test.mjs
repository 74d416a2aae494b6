// Code that runs in the middle of a call may call us, and may throw; neither is felt by the outer or the next call.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anchor, ours } from './readings.mjs';

const tool = args => ({ kind: 'tool', tool_name: 't', args });
const many = n => Object.fromEntries(Array.from({ length: n }, (_, i) => [`re_entrant_${n}_${i}`, { id: `x${i}`, i }]));
const INNER = [
  ['reqHash', H => H.reqHash(anchor.request)],
  ['stateHash', H => H.stateHash({ id: 'other', a: ['x  y', 'é'] })],
  ['canonical', H => H.canonical(anchor.request)],
  ['normalizeText', H => H.normalizeText('e\u0301  x')],
  ['reqHashJson', H => H.reqHashJson('{"kind":"tool","args":{"id":"inner"}}')],
  ['a long text', H => H.stateHash('word  '.repeat(1e6))],
  [
    'a great many texts',
    H => H.stateHash(Array.from({ length: 50_000 }, (_, i) => `a text of some length, number ${i}`)),
  ],
  ['a great many keys', H => H.stateHash(many(70_000))],
  ['a failure', H => assert.throws(() => H.stateHash({ a: [NaN] }))],
];

const boom = new RangeError('boom');
const THROWING = [
  [
    'a field',
    (H, fail) =>
      H.reqHash({
        kind: 'tool',
        get args() {
          return fail();
        },
      }),
  ],
  [
    'the kind',
    (H, fail) =>
      H.reqHash({
        get kind() {
          return fail();
        },
      }),
  ],
  [
    'a member',
    (H, fail) =>
      H.stateHash({
        a: [
          'x',
          {
            b: 'long enough to stay out of the frame, by far',
            get c() {
              return fail();
            },
          },
        ],
      }),
  ],
  [
    'a member of a raw value',
    (H, fail) =>
      H.reqHash({
        kind: 'model',
        provider: {
          get a() {
            return fail();
          },
        },
      }),
  ],
  ['toJSON', (H, fail) => H.reqHash({ kind: 'clock', counter: { toJSON: fail } })],
  ['a copied toJSON', (H, fail) => H.stateHash({ a: { toJSON: fail } })],
  ['an element', (H, fail) => H.stateHash(Object.defineProperty(['a', 'b'], 1, { get: fail }))],
  [
    'an iterator',
    (H, fail) =>
      H.reqHash({
        kind: 'model',
        tool_schemas: {
          *[Symbol.iterator]() {
            yield { name: 'a' };
            fail();
          },
        },
      }),
  ],
  [
    'a comparison of names',
    (H, fail) => H.reqHash({ kind: 'model', tool_schemas: [{ name: { valueOf: fail } }, { name: 'a' }] }),
  ],
  ['the trap ownKeys', (H, fail) => H.stateHash({ a: new Proxy({}, { ownKeys: fail }) })],
  ['the trap get', (H, fail) => H.stateHash({ a: new Proxy({ b: 1 }, { get: fail }) })],
  [
    'the trap getOwnPropertyDescriptor',
    (H, fail) => H.stateHash({ a: new Proxy({ b: 1 }, { getOwnPropertyDescriptor: fail }) }),
  ],
  ['the trap get of an array', (H, fail) => H.stateHash([new Proxy([1], { get: fail })])],
  [
    'canonical',
    (H, fail) =>
      H.canonical({
        kind: 'tool',
        args: {
          get a() {
            return fail();
          },
        },
      }),
  ],
];

for (const { name: reading, H } of ours) {
  describe(`re-entrancy: ${reading}`, () => {
    describe('call us', () => {
      const before = { id: 'a', s: 'a text that is long enough to be kept outside of the frame', n: 1.5, seen: {} };
      const after = {
        id: 'b',
        again: { id: 'a' },
        list: ['x  y', 'e\u0301', 2, null],
        s: 'and another text that is long enough',
      };
      const expected = H.reqHash(tool({ before, at: 'result', after }));

      for (const [name, call] of INNER) {
        it(name, () => {
          const at = {
            enumerable: true,
            get() {
              call(H);
              return 'result';
            },
          };
          const args = Object.defineProperty({ before }, 'at', at);
          args.after = after;
          assert.equal(H.reqHash(tool(args)), expected);
        });
      }

      it('from an inner object, after its siblings were read', () => {
        const inner = {
          get at() {
            H.stateHash(many(3000));
            return 'result';
          },
        };
        const plain = { before, inner: { at: 'result' }, after };
        assert.equal(H.stateHash({ before, inner, after }), H.stateHash(plain));
      });

      it('to a depth of 40', () => {
        const nested = levels => ({
          get a() {
            return levels === 0 ? 'end' : H.stateHash(nested(levels - 1));
          },
          b: 'a text that is long enough to be kept outside of the frame',
        });
        const plain = levels => ({ ...nested(0), a: levels === 0 ? 'end' : H.stateHash(plain(levels - 1)) });
        assert.equal(H.stateHash(nested(40)), H.stateHash(plain(40)));
      });

      it('from toJSON of a raw value', () => {
        const provider = { toJSON: () => H.reqHash(anchor.request) };
        assert.equal(H.reqHash({ kind: 'model', provider }), H.reqHash({ kind: 'model', provider: anchor.hash }));
      });

      it('from a comparison of tool names', () => {
        const name = {
          valueOf() {
            H.stateHash(many(100));
            return 'b';
          },
        };
        const schemas = [
          { name, n: 1 },
          { name: 'a', n: 2 },
        ];
        assert.deepEqual(
          H.canonical({ kind: 'model', tool_schemas: schemas }).tool_schemas.map(({ n }) => n),
          [2, 1],
        );
      });
    });

    describe('throw', () => {
      for (const [name, run] of THROWING) {
        it(`${name}: the very exception, and the next call works`, () => {
          const fail = () => {
            throw boom;
          };
          for (let times = 0; times < 3; times++) {
            assert.throws(
              () => run(H, fail),
              error => error === boom,
            );
            assert.equal(H.reqHash(anchor.request), anchor.hash);
          }
        });
      }
    });
  });
}
