// Bad input: the class that the specification names, a stable code, the place, no input value in the message, and a
// next call that works.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anchor, ours } from './readings.mjs';

// Enough to see the caller below the frames of the implementation.
Error.stackTraceLimit = 50;

const tool = args => ({ kind: 'tool', tool_name: 't', args });
const model = fields => ({ kind: 'model', provider: 'p', model_id: 'm', messages: [], ...fields });
const sparse = (length, elements) => Object.assign(new Array(length), elements);
const secret = 73173173173;

const REQUEST = [TypeError, 'REQUEST'];
const TOOL_SCHEMAS = [TypeError, 'TOOL_SCHEMAS'];
const TEXT = [TypeError, 'TEXT'];
const BIGINT = [TypeError, 'BIGINT'];
const NAN = [Error, 'NAN'];
const INFINITY = [Error, 'INFINITY'];
const NOT_JSON = [Error, 'NOT_JSON'];
const SYNTAX = [SyntaxError, 'SYNTAX'];

const CASES = [
  ['a request that is null', H => H.reqHash(null), REQUEST, ''],
  ['a request that is undefined', H => H.reqHash(undefined), REQUEST, ''],
  ['no request', H => H.reqHash(), REQUEST, ''],
  ['canonical of null', H => H.canonical(null), REQUEST, ''],
  ['a text that holds null', H => H.reqHashJson('null'), REQUEST, ''],
  ['a request of many that is null', H => H.reqHashMany([anchor.request, null]), REQUEST],

  ['NaN in args', H => H.reqHash(tool({ a: [1, { b: NaN }] })), NAN, '/args/a/1/b'],
  ['NaN as args', H => H.reqHash(tool(NaN)), NAN, '/args'],
  [
    'NaN in messages',
    H => H.reqHash(model({ messages: [{ content: 'a' }, { content: NaN }] })),
    NAN,
    '/messages/1/content',
  ],
  ['NaN after holes', H => H.reqHash(tool(sparse(9, { 7: NaN }))), NAN, '/args/7'],
  ['NaN after dropped members', H => H.reqHash(tool({ id: 'a', stream: 1, none: null, z: NaN })), NAN, '/args/z'],
  ['NaN as an option', H => H.reqHash(model({ temperature: NaN })), NAN, '/temperature'],
  ['NaN in a raw value', H => H.reqHash(model({ provider: { a: [NaN] } })), NAN, '/provider/a/0'],
  ['NaN as a counter', H => H.reqHash({ kind: 'clock', counter: NaN }), NAN, '/counter'],
  ['NaN as the kind', H => H.reqHash({ kind: NaN }), NAN, '/kind'],
  ['NaN as a state', H => H.stateHash(NaN), NAN, ''],
  ['NaN in a state', H => H.stateHash([[], [{ a: NaN }]]), NAN, '/1/0/a'],
  ['Infinity', H => H.reqHash(tool({ a: Infinity })), INFINITY, '/args/a'],
  ['-Infinity', H => H.stateHash({ a: -Infinity }), INFINITY, '/a'],
  ['Infinity by its text', H => H.stateHashJson('{"a": [0, 1e400]}'), INFINITY, '/a/1'],
  ['Infinity in the text of a request', H => H.reqHashJson('{"kind":"tool","args":{"a":-1e999}}'), INFINITY, '/args/a'],
  ['a BigInt', H => H.reqHash(tool({ a: BigInt(secret) })), BIGINT, '/args/a'],
  ['a BigInt in a raw value', H => H.reqHash({ kind: 'clock', counter: [1n] }), BIGINT, '/counter/0'],
  ['a BigInt as a state', H => H.stateHash(1n), BIGINT, ''],

  [
    'keys that a pointer escapes',
    H => H.stateHash({ 'a/b': { '~1': { '': { 'ü ~/': NaN } } } }),
    NAN,
    '/a~1b/~01//ü ~0~1',
  ],
  ['integer-like keys', H => H.stateHash({ 7: { '-1': NaN } }), NAN, '/7/-1'],
  ['a key in another case', H => H.stateHash({ ID: { Call_Id: NaN } }), NAN, '/ID/Call_Id'],
  ['a key that is long', H => H.stateHash({ ['k'.repeat(1000)]: NaN }), NAN, `/${'k'.repeat(1000)}`],
  ['a key that is a lone surrogate', H => H.stateHash({ '\ud800': NaN }), NAN],

  ['of two errors the first in canonical order', H => H.stateHash({ b: NaN, a: 1n }), BIGINT, '/a'],
  [
    'of two errors the first in canonical order, deeper',
    H => H.stateHash({ b: [NaN], a: { z: Infinity, y: 1n } }),
    BIGINT,
    '/a/y',
  ],
  [
    'of two fields the first in canonical order',
    H => H.reqHash({ kind: 'tool', tool_name: 1n, args: NaN }),
    NAN,
    '/args',
  ],
  [
    'a raw field before a normalized one',
    H => H.reqHash(model({ provider: 1n, temperature: NaN })),
    BIGINT,
    '/provider',
  ],
  [
    'what is no tool list before what is no number',
    H => H.reqHash(model({ messages: [NaN], tool_schemas: null })),
    TOOL_SCHEMAS,
  ],

  ['tool_schemas: null', H => H.reqHash(model({ tool_schemas: null })), TOOL_SCHEMAS, '/tool_schemas'],
  ['tool_schemas: false', H => H.reqHash(model({ tool_schemas: false })), TOOL_SCHEMAS, '/tool_schemas'],
  ['tool_schemas: a number', H => H.canonical(model({ tool_schemas: secret })), TOOL_SCHEMAS, '/tool_schemas'],
  ['tool_schemas: an object', H => H.reqHash(model({ tool_schemas: { length: 0 } })), TOOL_SCHEMAS, '/tool_schemas'],
  [
    'tool_schemas: null, as text',
    H => H.reqHashJson('{"kind":"model","tool_schemas":null}'),
    TOOL_SCHEMAS,
    '/tool_schemas',
  ],
  [
    'tool_schemas: {}, as text',
    H => H.reqHashJson('{"kind":"model","tool_schemas":{}}'),
    TOOL_SCHEMAS,
    '/tool_schemas',
  ],
  ['NaN in a tool', H => H.reqHash(model({ tool_schemas: [{ name: 'a', n: NaN }] })), NAN, '/tool_schemas/0/n'],

  ['a state that is undefined', H => H.stateHash(undefined), NOT_JSON, ''],
  ['a state that is a function', H => H.stateHash(() => 1), NOT_JSON, ''],
  ['a state that is a symbol', H => H.stateHash(Symbol('s')), NOT_JSON, ''],
  ['a state whose toJSON gives nothing', H => H.stateHash({ toJSON() {} }), NOT_JSON, ''],

  ['normalizeText of a number', H => H.normalizeText(secret), TEXT],
  ['normalizeText of nothing', H => H.normalizeText(), TEXT],
  ['normalizeText of null', H => H.normalizeText(null), TEXT],
  ['normalizeText of an array', H => H.normalizeText(['a']), TEXT],
  ['normalizeText of a symbol', H => H.normalizeText(Symbol('s')), TEXT],
  ['reqHashJson of an object', H => H.reqHashJson({}), TEXT],
  ['stateHashJson of undefined', H => H.stateHashJson(undefined), TEXT],

  ['a text that is empty', H => H.reqHashJson(''), SYNTAX],
  ['a text that ends early', H => H.reqHashJson(`{"a": "${secret}`), SYNTAX],
  ['a text with a tail', H => H.stateHashJson(`{"a": "x"} ${secret}`), SYNTAX],
  ['a text with a trailing comma', H => H.stateHashJson('[1,]'), SYNTAX],
  ['a text with single quotes', H => H.stateHashJson(`{'a': ${secret}}`), SYNTAX],
  ['a text with a leading zero', H => H.stateHashJson('[01]'), SYNTAX],
  ['a text with a bare control character', H => H.stateHashJson('"\n"'), SYNTAX],
  ['a text with a wrong escape', H => H.stateHashJson('"\\x41"'), SYNTAX],
  ['a text with a byte order mark', H => H.stateHashJson('\ufeff{}'), SYNTAX],
  ['a text that says NaN', H => H.stateHashJson('NaN'), SYNTAX],
  ['a text that is broken after a value that is no state', H => H.stateHashJson('[1e400, '), SYNTAX],
];

const NO_ERROR = [
  ['NaN under a dropped key', { timestamp: NaN, a: 1 }, { a: 1 }],
  ['a BigInt under a dropped key', { Stream: 1n, a: 1 }, { a: 1 }],
  ['NaN under __proto__', { ['__proto__']: { a: NaN, b: 1n }, a: 1 }, { a: 1 }],
  ['NaN in a field of another kind', { a: 1 }, { a: 1 }, { messages: NaN, counter: NaN, temperature: NaN }],
  ['a symbol', { s: Symbol('s'), a: 1 }, { a: 1 }],
  ['undefined', { u: undefined, a: 1 }, { a: 1 }],
];

for (const { name: reading, H } of ours) {
  describe(`errors: ${reading}`, () => {
    for (const [name, run, [ErrorClass, code], pointer] of CASES) {
      it(name, () => {
        assert.throws(
          () => run(H),
          error => {
            assert.equal(Object.getPrototypeOf(error), ErrorClass.prototype);
            assert.equal(error.code, `ERR_TAPEPROOF_${code}`);
            if (pointer !== undefined) assert.equal(error.pointer ?? '', pointer);
            assert.doesNotMatch(error.message, new RegExp(secret));
            assert.ok(error.stack.includes('errors.test.mjs'));
            return true;
          },
        );
        assert.equal(H.reqHash(anchor.request), anchor.hash);
      });
    }

    for (const [name, args, same, fields] of NO_ERROR) {
      it(`no error: ${name}`, () => assert.equal(H.reqHash({ ...tool(args), ...fields }), H.reqHash(tool(same))));
    }
  });
}
