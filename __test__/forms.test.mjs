// The text forms and the batch form: the same hashes by other ways in.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anchor, ours } from './readings.mjs';

const tool = args => ({ kind: 'tool', tool_name: 't', args });

const TEXTS = [
  ['white space everywhere', ' \n{\t"kind" :\r"tool" , "args" : [ 1 , { } , [ ] ] }\n '],
  ['escapes', '{"kind":"to\\u006fl","\\u0061rgs":{"a\\/b":"\\b\\f\\n\\r\\t\\"\\\\\\/\\u00e9\\ud83d\\ude00"}}'],
  ['a lone surrogate, escaped', '{"kind":"tool","args":["\\ud800","\\uDC00x","\\ud800\\ud800\\udc00"]}'],
  ['a lone surrogate, bare', '{"kind":"tool","args":["\ud800","\udc00","\\ud83d\ude00","\ud83d\\ude00"],"\udfff":1}'],
  ['characters that text may hold bare', '{"kind":"tool","args":"\u2028\u2029\u007f\u0085\ufeff\uffff"}'],
  [
    'numbers',
    '{"kind":"tool","args":[-0,0.0,1E2,1e-7,9007199254740993,123456789012345678901234567890,5e-324,1e-400,0.1]}',
  ],
  ['a key twice', '{"kind":"tool","args":{"a":{"id":"x"},"b":{"id":"y"},"a":{"id":"z"}}}'],
  ['a key twice, once escaped', '{"kind":"tool","args":{"a":1,"\\u0061":2}}'],
  ['a field twice', '{"kind":"model","kind":"tool","args":1,"args":{"a":2}}'],
  ['a key twice, then null', '{"kind":"tool","args":{"a":{"id":"x"},"a":null,"b":{"id":"y"}}}'],
  [
    'integer-like keys',
    '{"kind":"tool","args":{"b":{"id":"b"},"10":{"id":"ten"},"9":{"id":"nine"},"-1":{"id":"minus"},"01":{"id":"lead"}}}',
  ],
  ['__proto__', '{"kind":"tool","args":{"__proto__":{"id":"p"},"id":"q","a":{"__proto__":null}}}'],
  [
    'fields in any order',
    '{"temperature":1,"tool_schemas":[{"name":"b"},{"name":"a"}],"messages":[{"id":"x"}],"kind":"model"}',
  ],
  [
    'tool names that only JavaScript sorts',
    '{"kind":"model","tool_schemas":[{"name":"b"},{"name":5},{"name":"a"},{"name":"10"},{"name":7},{"name":null}]}',
  ],
  [
    'tool names after ids',
    '{"kind":"model","messages":[{"id":"x"}],"tool_schemas":[{"name":2,"id":"y"},{"name":1,"id":"x"}]}',
  ],
  ['tools that are a text', '{"kind":"model","tool_schemas":"b😀a\\ud800"}'],
  ['tools that are no objects', '{"kind":"model","tool_schemas":[[1],"b",3,true]}'],
  ['one tool that is null', '{"kind":"model","tool_schemas":[null]}'],
  ['another kind', '{"kind":["tool",{"a":null}],"counter":{"b":1,"a":-0}}'],
  ['no object', '[{"kind":"tool"}]'],
  ['a text', '"tool"'],
  ['a number', '-0'],
  ['true', 'true'],
  ['an empty object', '{}'],
];

const strange = {
  'a rope': text => text.slice(0, text.length >> 1) + text.slice(text.length >> 1),
  'a slice': text => `<${text}>`.slice(1, -1),
  'of two-byte units': text => `\u2028${text}`.slice(1),
};

for (const { name: reading, H } of ours) {
  describe(`text forms: ${reading}`, () => {
    for (const [name, text] of TEXTS) {
      it(name, () => {
        assert.equal(H.reqHashJson(text), H.reqHash(JSON.parse(text)));
        assert.equal(H.stateHashJson(text), H.stateHash(JSON.parse(text)));
        for (const form of Object.values(strange)) assert.equal(H.reqHashJson(form(text)), H.reqHash(JSON.parse(text)));
      });
    }

    it('null is a state', () => assert.equal(H.stateHashJson('null'), H.stateHash(null)));
  });

  describe(`batch: ${reading}`, () => {
    const requests = [anchor.request, tool({ id: 'x' }), tool({ id: 'y' }), { kind: 'clock', counter: 1 }];
    const hashes = requests.map(request => H.reqHash(request));

    it('hashes each on its own', () => assert.deepEqual(H.reqHashMany(requests), hashes));
    it('takes any iterable', () => assert.deepEqual(H.reqHashMany(new Set(requests).values()), hashes));
    it('of nothing is nothing', () => assert.deepEqual(H.reqHashMany([]), []));
    it('a generator may hash too', () => {
      function* hashing() {
        for (const request of requests) {
          H.stateHash(request);
          yield request;
        }
      }
      assert.deepEqual(H.reqHashMany(hashing()), hashes);
    });
    it('what cannot be iterated', () => {
      for (const value of [undefined, null, 5, anchor.request]) assert.throws(() => H.reqHashMany(value), TypeError);
    });
    it('an error says in which request it is', () => {
      const failing = [anchor.request, tool({ a: [NaN] })];
      assert.throws(() => H.reqHashMany(failing), { code: 'ERR_TAPEPROOF_NAN', pointer: '/1/args/a/0' });
    });
    it('an error closes the iterator', () => {
      let closed = false;
      function* failing() {
        try {
          yield null;
        } finally {
          closed = true;
        }
      }
      assert.throws(() => H.reqHashMany(failing()), { code: 'ERR_TAPEPROOF_REQUEST', pointer: '/0' });
      assert.ok(closed);
    });
    it('an exception of the caller comes through', () => {
      const boom = Object.freeze(new Error('boom'));
      const failing = [
        {
          get kind() {
            throw boom;
          },
        },
      ];
      assert.throws(
        () => H.reqHashMany(failing),
        error => error === boom,
      );
    });
  });
}
