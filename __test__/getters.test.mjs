// Getters run once, in the reference's order, and what they change counts as it does there.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ours } from './readings.mjs';

/** An object whose getters note their names, in the order given. */
function noting(log, members) {
  const object = {};
  for (const [key, value] of Object.entries(members)) {
    const get = () => {
      log.push(key);
      return typeof value === 'function' ? value() : value;
    };
    Object.defineProperty(object, key, { get, enumerable: true });
  }
  return object;
}

const sparse = (length, elements) => Object.assign(new Array(length), elements);
const tool = args => ({ kind: 'tool', tool_name: 't', args });

const ORDERS = [
  {
    name: 'the fields of a model request, each walked before the next is read',
    run: (H, log) => {
      const content = () => noting(log, { text: 'x', id: 'a' });
      const message = () => noting(log, { role: 'user', content, name: 'n' });
      H.reqHash(
        noting(log, {
          tool_choice: 'auto',
          max_tokens: 1,
          seed: 1,
          other: 1,
          top_k: 1,
          top_p: 1,
          temperature: 1,
          response_format: () => noting(log, { type: 'json' }),
          tool_schemas: () => [],
          system_prompt_sha: 'sha256:x',
          messages: () => [message()],
          model_id: 'm',
          provider: 'p',
          args: 1,
          kind: 'model',
        }),
      );
    },
    reads:
      'kind provider model_id messages role content name text id system_prompt_sha tool_schemas response_format type ' +
      'temperature top_p top_k seed max_tokens tool_choice',
  },
  {
    name: 'the fields of a tool request',
    run: (H, log) => H.reqHash(noting(log, { counter: 1, args: 1, messages: 1, tool_name: 't', kind: 'tool' })),
    reads: 'kind tool_name args',
  },
  {
    name: 'the fields of another request',
    run: (H, log) => H.reqHash(noting(log, { counter: 1, args: 1, kind: 'clock' })),
    reads: 'kind counter',
  },
  {
    name: 'all members of an object before what is inside them',
    run: (H, log) =>
      H.stateHash(
        noting(log, {
          b: () => noting(log, { y: () => noting(log, { deep: 1 }), x: 1 }),
          a: () => noting(log, { z: 1 }),
        }),
      ),
    reads: 'b a y x deep z',
  },
  {
    name: 'elements of an array one by one, each walked before the next is read',
    run: (H, log) => {
      const elements = noting(log, { 0: () => noting(log, { a: 1 }), 1: () => noting(log, { b: 1 }) });
      H.stateHash(Object.defineProperties([], Object.getOwnPropertyDescriptors(elements)));
    },
    reads: '0 a 1 b',
  },
  {
    name: 'members under keys that are dropped',
    run: (H, log) => H.stateHash(noting(log, { timestamp: () => noting(log, { unseen: 1 }), api_key: 'k', b: 1 })),
    reads: 'timestamp api_key b',
  },
  {
    name: 'members among plain data',
    run: (H, log) =>
      H.stateHash({ a: [1, { b: 'x', ...{ c: [] } }], d: noting(log, { e: 1, f: 2 }), g: noting(log, { h: 1 }) }),
    reads: 'e f h',
  },
  {
    name: 'integer-like keys first',
    run: (H, log) => H.stateHash(noting(log, { b: 1, 2: 1, 1: 1 })),
    reads: '1 2 b',
  },
  {
    name: 'canonical as reqHash',
    run: (H, log) =>
      H.canonical(noting(log, { args: () => noting(log, { b: 1, a: 1 }), tool_name: 't', kind: 'tool' })),
    reads: 'kind tool_name args b a',
  },
];

const CHANGES = [
  {
    name: 'a getter that deletes a later member',
    make: () => ({
      get a() {
        delete this.b;
        return 1;
      },
      b: 2,
      c: 3,
    }),
    same: { a: 1, c: 3 },
  },
  {
    name: 'a getter that adds a member',
    make: () => ({
      get a() {
        this.z = 9;
        return 1;
      },
      b: 2,
    }),
    same: { a: 1, b: 2 },
  },
  {
    name: 'a getter that changes a later member',
    make: () => ({
      get a() {
        this.b = 'new';
        return 1;
      },
      b: 'old',
    }),
    same: { a: 1, b: 'new' },
  },
  {
    name: 'a getter that changes an earlier member',
    make: () => ({
      a: 'old',
      get b() {
        this.a = 'new';
        return 1;
      },
    }),
    same: { a: 'old', b: 1 },
  },
  {
    name: 'a getter that hides a later member',
    make: () => ({
      get a() {
        Object.defineProperty(this, 'b', { enumerable: false });
        return 1;
      },
      b: 2,
    }),
    same: { a: 1 },
    // The one known difference, in docs/compatibility.md: `for … in` does not ask again.
    native: { a: 1, b: 2 },
  },
  {
    name: 'a nested getter that changes what was already read',
    make: () => {
      const root = { a: { id: 'old' }, b: 1 };
      Object.defineProperty(root.a, 'get', {
        enumerable: true,
        get() {
          root.b = 2;
          return 1;
        },
      });
      return root;
    },
    same: { a: { id: 'x', get: 1 }, b: 1 },
  },
  {
    name: 'an element that cuts its array short',
    make: () => {
      const array = [0, 1, 2];
      Object.defineProperty(array, 0, {
        get() {
          array.length = 1;
          return 'a';
        },
      });
      return array;
    },
    same: sparse(3, { 0: 'a' }),
  },
  {
    name: 'an element that lengthens its array',
    make: () => {
      const array = [0, 1];
      Object.defineProperty(array, 0, {
        get() {
          array.push('late');
          return 'a';
        },
      });
      return array;
    },
    same: ['a', 1],
  },
  {
    name: 'an element that fills a later hole',
    make: () => {
      const array = sparse(3, { 0: 0, 2: 2 });
      Object.defineProperty(array, 0, {
        get() {
          array[1] = 'filled';
          return 'a';
        },
      });
      return array;
    },
    same: ['a', 'filled', 2],
  },
  {
    name: 'an element whose getter changes the object after it',
    make: () => {
      const later = { n: 'old' };
      return [
        {
          get a() {
            later.n = 'new';
            later.m = 1;
            return 1;
          },
        },
        later,
      ];
    },
    same: [{ a: 1 }, { n: 'new', m: 1 }],
  },
];

for (const { name: reading, H } of ours) {
  describe(`getters: ${reading}`, () => {
    describe('run once, in order', () => {
      for (const { name, run, reads } of ORDERS) {
        it(name, () => {
          const log = [];
          run(H, log);
          assert.equal(log.join(' '), reads);
        });
      }
    });

    describe('change the value that is walked', () => {
      for (const { name, make, same, [reading]: own = same } of CHANGES) {
        it(name, () => assert.equal(H.reqHash(tool(make())), H.reqHash(tool(own))));
      }
    });
  });
}
