// What others did to the built-in prototypes does not leak into a hash, and hashing does nothing to them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { canonical, reqHash, reqHashJson, stateHash } from 'tapeproof/hash';

const request = () => ({
  kind: 'model',
  provider: 'p',
  model_id: 'm',
  messages: [{ role: 'user', content: 'some words', nested: { a: [{}, { b: 1 }] } }],
  tool_schemas: [{ name: 'b', parameters: { type: 'object' } }, { name: 'a' }],
});
const all = () => [
  reqHash(request()),
  reqHash({ kind: 'tool', tool_name: 't', args: { a: {}, id: 'x' } }),
  stateHash({ list: [1, {}], d: new Date(0) }),
  reqHashJson(JSON.stringify(request())),
  JSON.stringify(canonical(request())),
];

const POLLUTIONS = [
  ['a value on Object.prototype', Object.prototype, 'polluted', { value: { id: 'x' }, enumerable: true }],
  ['an optional field on Array.prototype', Array.prototype, 'temperature', { value: 1, enumerable: true }],
  ['a getter that throws', Object.prototype, 'polluted', { get: () => assert.fail(), enumerable: true }],
  [
    'a setter on a key in use',
    Object.prototype,
    'role',
    { set: () => assert.fail(), get: () => 'x', enumerable: true },
  ],
  ['a setter that is hidden', Object.prototype, 'content', { set: () => assert.fail() }],
  ['a constant on a key in use', Object.prototype, 'type', { value: 'x', writable: false }],
  ['a method of arrays', Array.prototype, 'extra', { value: () => 1, enumerable: true }],
];

describe('prototype pollution', () => {
  const expected = all();

  for (const [name, prototype, key, descriptor] of POLLUTIONS) {
    it(name, () => {
      Object.defineProperty(prototype, key, { configurable: true, ...descriptor });
      let found;
      try {
        found = all();
      } finally {
        delete prototype[key];
      }
      assert.deepEqual(found, expected);
    });
  }

  it('an own __proto__ changes no prototype', () => {
    const text =
      '{"kind":"tool","tool_name":"t","args":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}';
    const form = canonical(JSON.parse(text));
    assert.equal(reqHash(JSON.parse(text)), reqHashJson(text));
    assert.equal({}.polluted, undefined);
    assert.equal(Object.getPrototypeOf(form.args), Object.prototype);
    assert.deepEqual(Object.keys(form.args), ['constructor']);
    assert.equal(form.args.polluted, undefined);
  });

  it('frozen built-ins', () => {
    const script = `
      import { canonical, reqHash } from 'tapeproof/hash';
      for (const builtIn of [Object, Array, String, Number, Map, Function, Error]) {
        Object.freeze(builtIn.prototype);
        Object.freeze(builtIn);
      }
      const request = { kind: 'tool', tool_name: 't', args: { toString: 1, constructor: 'x  y', list: [{ valueOf: 2 }] } };
      console.log(JSON.stringify([reqHash(request), canonical(request)]));`;
    const cwd = fileURLToPath(new URL('.', import.meta.url));
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd, encoding: 'utf8' });
    const args = { toString: 1, constructor: 'x y', list: [{ valueOf: 2 }] };
    const plain = { kind: 'tool', tool_name: 't', args };
    assert.deepEqual(JSON.parse(output), [reqHash(plain), plain]);
  });
});
