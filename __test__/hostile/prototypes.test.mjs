// What prototypes say of JSON counts as it always did, and what they are given in the middle of a walk does not.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { redact } from 'tapeproof/redact';
import { readings } from '../readings.mjs';

const [{ H: native }, ...others] = readings;
const tool = args => ({ kind: 'tool', tool_name: 't', args });
const clock = counter => ({ kind: 'clock', counter });
const speaking = () => Object.assign(() => {}, { toJSON: () => 5 });

/** Name, the prototype that has a `toJSON`, a request. */
const ASKED = [
  ['a BigInt', BigInt.prototype, tool({ a: 1n, b: [2n] })],
  ['a BigInt that counts as it is', BigInt.prototype, clock(1n)],
  ['a BigInt in what counts as it is', BigInt.prototype, clock({ a: [1n] })],
  ['every function', Function.prototype, tool({ a() {}, b: [() => {}] })],
  ['every object', Object.prototype, tool({ a: {}, b: [1] })],
  ['every array', Array.prototype, tool({ a: {}, b: [1] })],
  ['no string, boolean, symbol', String.prototype, tool({ a: 'x', b: true, c: [Symbol('s')] })],
];

function during(prototype, key, value, action) {
  Object.defineProperty(prototype, key, { value, configurable: true, writable: true, enumerable: false });
  try {
    return action();
  } finally {
    delete prototype[key];
  }
}

describe('toJSON', () => {
  for (const [name, prototype, request] of ASKED) {
    for (const { name: reading, H } of others) {
      it(`of ${name}, as the ${reading}`, () => {
        const [found, expected] = during(
          prototype,
          'toJSON',
          () => 'J',
          () => [native.reqHash(request), H.reqHash(request)],
        );
        assert.equal(found, expected);
      });
    }
  }

  for (const { name: reading, H } of others) {
    for (const [name, request] of [
      ['a member', tool({ a: speaking() })],
      ['an element', tool([speaking(), 1])],
      ['the arguments', tool(speaking())],
      ['what counts as it is', clock(speaking())],
    ]) {
      it(`of a function, ${name}, as the ${reading}`, () => assert.equal(native.reqHash(request), H.reqHash(request)));
    }
  }

  it('a BigInt without one stays an error', () => {
    assert.throws(() => native.reqHash(tool({ a: 1n })), { code: 'ERR_TAPEPROOF_BIGINT', pointer: '/args/a' });
    const odd = () => native.reqHash(clock(1n));
    during(BigInt.prototype, 'toJSON', 'no function', () => assert.throws(odd, { code: 'ERR_TAPEPROOF_BIGINT' }));
  });

  it('what it throws comes through', () => {
    const own = new Error('own');
    const fail = () => {
      throw own;
    };
    const thrown = error => error === own;
    during(BigInt.prototype, 'toJSON', fail, () => assert.throws(() => native.reqHash(tool([1n])), thrown));
  });

  it('of every object counts for text, too', () => {
    const request = tool({ a: {} });
    const text = JSON.stringify(request);
    during(
      Object.prototype,
      'toJSON',
      () => 'J',
      () => {
        assert.equal(native.reqHashJson(text), native.reqHash(request));
        assert.equal(native.stateHashJson('[{}]'), native.stateHash([{}]));
        assert.throws(() => native.reqHashJson('{"SECRET'), { code: 'ERR_TAPEPROOF_SYNTAX', message: /^(?!.*SECRET)/ });
        assert.throws(() => native.reqHashJson(5), { code: 'ERR_TAPEPROOF_TEXT' });
      },
    );
  });
});

describe('a getter that gives every object a member', () => {
  const polluting = () => {
    Object.prototype.SECRET = 'a@b.co';
    return { b: 1 };
  };
  const later = {
    'the object after it': () => ({
      get a() {
        return polluting();
      },
      b: { c: 1 },
    }),
    'the next element': () => [
      {
        get a() {
          return polluting();
        },
      },
      { b: 1 },
    ],
    'its own value': () => ({
      get a() {
        return polluting();
      },
    }),
  };
  const clean = action => {
    try {
      return action();
    } finally {
      delete Object.prototype.SECRET;
    }
  };

  for (const [name, make] of Object.entries(later)) {
    for (const { name: reading, H } of others) {
      it(`${name}, hashed as the ${reading}`, () => {
        const expected = clean(() => H.reqHash(tool(make())));
        assert.equal(
          clean(() => native.reqHash(tool(make()))),
          expected,
        );
      });
    }

    it(`${name}, redacted`, () => {
      const { value, map } = clean(() => redact(make()));
      assert.doesNotMatch(JSON.stringify(value), /SECRET|redacted/);
      assert.deepEqual(map, {});
    });
  }
});
