import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { diffRequests, reqHash } from 'tapeproof/hash';

const model = changes => ({
  kind: 'model',
  provider: 'anthropic',
  model_id: 'claude-sonnet-5',
  messages: [{ role: 'user', content: 'summarise this' }],
  ...changes,
});
const tool = args => ({ kind: 'tool', tool_name: 't', args });
// An array with a hole in the middle.
const holed = Object.assign([1], { 2: 3 });

const nested = (depth, leaf) => {
  let value = leaf;
  for (let at = 0; at < depth; at += 1) value = [value];
  return value;
};

const same = [
  ['one request twice', model(), model()],
  ['key order', { b: 1, ...model() }, model()],
  ['ids', tool([{ id: 'x' }, { id: 'y' }]), tool([{ id: 'p' }, { id: 'q' }])],
  ['a dropped key', tool({ timestamp: 1, a: 1 }), tool({ a: 1 })],
  ['null and a missing key', tool({ a: null }), tool({})],
  ['-0 and 0', tool({ a: -0 }), tool({ a: 0 })],
  ['undefined and null in an array', tool([undefined]), tool([null])],
  ['undefined and a missing property', model({ provider: undefined }), { ...model(), provider: undefined }],
  ['trailing space', tool('a \n'), tool('a')],
  ['two functions', tool({ f: () => 1 }), tool({ f: () => 2 })],
  ['a hole and nothing', tool(holed), tool([1, 3])],
  ['toJSON in a raw position', { kind: 'clock', counter: { toJSON: () => 7 } }, { kind: 'clock', counter: 7 }],
];

const different = [
  ['a string', tool({ a: 'x' }), tool({ a: 'y' }), [{ pointer: '/args/a', a: 'x', b: 'y' }]],
  ['only in the first', tool({ a: 1 }), tool({}), [{ pointer: '/args/a', a: 1 }]],
  ['only in the second', tool({}), tool({ a: 1 }), [{ pointer: '/args/a', b: 1 }]],
  ['null against a value', tool([null]), tool([0]), [{ pointer: '/args/0', a: null, b: 0 }]],
  ['a longer array', tool([1]), tool([1, 2, 3]), [2, 3].map(b => ({ pointer: `/args/${b - 1}`, b }))],
  ['an array against an object', tool([]), tool({}), [{ pointer: '/args', a: [], b: {} }]],
  ['an object against null', tool([{}]), tool([null]), [{ pointer: '/args/0', a: {}, b: null }]],
  ['a number against its text', tool({ a: 1 }), tool({ a: '1' }), [{ pointer: '/args/a', a: 1, b: '1' }]],
  [
    'keys that need escapes',
    tool({ 'a/b': { '~1': 1 } }),
    tool({ 'a/b': { '~1': 2 } }),
    [{ pointer: '/args/a~1b/~01', a: 1, b: 2 }],
  ],
  ['an empty key', tool({ '': 1 }), tool({ '': 2 }), [{ pointer: '/args/', a: 1, b: 2 }]],
  [
    'text order by UTF-16',
    tool({ '\uFB33': 1, '😀': 1, a: 1 }),
    tool({}),
    ['a', '😀', '\uFB33'].map(key => ({ pointer: `/args/${key}`, a: 1 })),
  ],
  [
    'one id used twice',
    tool([{ id: 'x' }, { id: 'x' }]),
    tool([{ id: 'x' }, { id: 'y' }]),
    [{ pointer: '/args/1/id', a: 'call_0', b: 'call_1' }],
  ],
  ['inside normalized text', tool('a  b'), tool('a  c'), [{ pointer: '/args', a: 'a b', b: 'a c' }]],
  ['a number that is equal but not -0', tool([-0, 1]), tool([0, 2]), [{ pointer: '/args/1', a: 1, b: 2 }]],
  [
    'another kind',
    { kind: 'clock', counter: 1 },
    { kind: 'timer', counter: 1 },
    [{ pointer: '/kind', a: 'clock', b: 'timer' }],
  ],
  ['deep below', tool(nested(1900, 1)), tool(nested(1900, 2)), [{ pointer: `/args${'/0'.repeat(1900)}`, a: 1, b: 2 }]],
  ['a hole and null', tool(holed), tool([1, null, 3]), undefined],
];

describe('diffRequests', () => {
  for (const [name, a, b] of same) {
    it(`same: ${name}`, () => {
      assert.equal(reqHash(a), reqHash(b));
      assert.deepEqual(diffRequests(a, b), []);
    });
  }

  for (const [name, a, b, expected] of different) {
    it(`different: ${name}`, () => {
      assert.notEqual(reqHash(a), reqHash(b));
      const found = diffRequests(a, b);
      assert.notEqual(found.length, 0);
      if (expected) assert.deepEqual(found, expected);
    });

    it(`different, the other way round: ${name}`, () => {
      const swapped = diffRequests(b, a).map(({ pointer, ...sides }) => ({
        pointer,
        ...('a' in sides && { b: sides.a }),
        ...('b' in sides && { a: sides.b }),
      }));
      assert.deepEqual(swapped, diffRequests(a, b));
    });
  }

  it('leaves its arguments as they are', () => {
    const request = model({ tool_schemas: [{ name: 'b' }, { name: 'a' }] });
    const before = structuredClone(request);
    diffRequests(request, model());
    assert.deepEqual(request, before);
  });

  it('refuses what reqHash refuses', () => {
    assert.throws(() => diffRequests(tool({ a: 1n }), tool({})), TypeError);
    assert.throws(() => diffRequests(tool({}), tool({ a: Number.NaN })), /NaN/);
  });
});
