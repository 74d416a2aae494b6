// The addon past the SDK, called as nobody should call it: an exception, or an answer, and a next call that works.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import * as f from './addon/frames.mjs';
import { Random, runSeed } from './random/prng.mjs';

const { addon, frame } = f;
const NORMALIZE = String.prototype.normalize;
const text = 'a text e\u0301, long enough to cross beside the frame';
const id = addon.intern('content');
/** A good frame, with all that needs the list. */
const good = frame(f.object(id, f.listed(1, text.length), 'a', f.array(f.holes(2), f.double(0.5), f.string('x'))));
const list = [NORMALIZE, text];
const expected = addon.stateHash(...good, list);

const works = () => assert.equal(addon.stateHash(...good, list), expected);

/** What a call gives or throws: an exception of ours, or V8's own for a list that cannot be asked. */
function outcome(call) {
  try {
    return call();
  } catch (error) {
    assert.ok(error instanceof Error);
    if (/^Cannot (?:convert undefined or null to object|perform 'get' on a proxy)/.test(error.message)) return error;
    assert.match(`${error.code}`, /^ERR_TAPEPROOF_/);
    assert.notEqual(error.code, 'ERR_TAPEPROOF_PANIC');
    return error;
  }
}

const throws = (code, call) => {
  assert.throws(call, { code: `ERR_TAPEPROOF_${code}` });
  works();
};

const detached = Elements => {
  const elements = Elements.from(good[0]);
  structuredClone(elements.buffer, { transfer: [elements.buffer] });
  return elements;
};
const shrunk = Elements => {
  const elements = new Elements(new ArrayBuffer(64, { maxByteLength: 64 }), 32);
  elements.buffer.resize(8);
  return elements;
};
const shared = Elements => {
  const elements = new Elements(new SharedArrayBuffer(good[0].byteLength));
  elements.set(good[0]);
  return elements;
};
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  return proxy;
};

/** Values that are the wrong ones nearly everywhere. */
const VALUES = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  NaN: () => NaN,
  '-1': () => -1,
  1.5: () => 1.5,
  '2^32': () => 2 ** 32,
  Infinity: () => Infinity,
  'a BigInt': () => 1n,
  'a symbol': () => Symbol('s'),
  'an empty string': () => '',
  'a string': () => 'x',
  'a lone surrogate': () => '\ud800',
  'a long string': () => 'QUJD'.repeat(5000),
  'a function': () => () => 1,
  'an object': () => ({}),
  'an object without prototype': () => Object.create(null),
  'an empty array': () => [],
  'an array of numbers': () => [1, 2, 3],
  'a sparse array': () => new Array(2 ** 32 - 1),
  'a boxed string': () => Object('x'),
  'a boxed number': () => Object(7),
  'a Proxy of an array': () => new Proxy(list, {}),
  'a revoked Proxy': revoked,
  'an ArrayBuffer': () => new ArrayBuffer(8),
  'a DataView': () => new DataView(new ArrayBuffer(8)),
  'a Uint16Array': () => new Uint16Array(8),
  'a Uint8ClampedArray': () => new Uint8ClampedArray(8),
  'a Buffer': () => Buffer.from(good[0]),
  'an empty Uint8Array': () => new Uint8Array(),
  'an empty Int32Array': () => new Int32Array(),
  'a Uint32Array': () => Uint32Array.from(good[0]),
  ...Object.fromEntries(
    [Uint8Array, Int32Array].flatMap(Elements => [
      [`a detached ${Elements.name}`, () => detached(Elements)],
      [`a ${Elements.name} out of bounds`, () => shrunk(Elements)],
      [`shared memory as ${Elements.name}`, () => shared(Elements)],
    ]),
  ),
};

/** Arguments that are right. */
const CALLS = {
  intern: ['a key'],
  pointer: good,
  error: ['ERR_TAPEPROOF_DEPTH', '/a'],
  reqHash: [...good, list],
  stateHash: [...good, list],
  canonicalRequest: [...good, list],
  canonicalState: [...good, list],
  reqHashJson: ['{"kind":"tool","args":["e\u0301"]}', list],
  stateHashJson: ['["e\u0301"]', list],
  normalizeText: ['e\u0301', list],
  digest: ['{}'],
  verify: [...good, list, [], [], []],
  verifyJson: ['{"manifest":{},"events":[]}', [], [], []],
  eventChain: [...frame(f.array(f.listed(1, text.length))), list],
  cassetteDigest: [...frame(f.array(f.object(id, f.NULL))), list],
  seal: ['{"manifest":{"run_id":null},"run":{},"events":[]}', undefined, undefined],
  sealPart: ['{"events":[{}]}', '', 'a'.repeat(64), 1],
  finishSeal: ['a'.repeat(64), '', 0, undefined, undefined],
  matchers: [0, 'email'],
  matcherName: [0],
  findSensitive: [['text'], 1],
};

describe('the wrong arguments', () => {
  it('for every export but these', () => {
    const others = Object.keys(addon).filter(name => !(name in CALLS));
    assert.deepEqual(others.sort(), ['forgetKeys', 'verifyFile', 'verifyJsonAsync', 'version']);
  });

  for (const [name, args] of Object.entries(CALLS)) {
    const call = addon[name];

    it(`${name}: each value in each place`, () => {
      outcome(() => call(...args));
      for (const value of Object.values(VALUES)) {
        for (let at = 0; at < args.length; at++) {
          outcome(() => call(...args.with(at, value())));
          works();
        }
      }
    });

    it(`${name}: too few, too many, another this, as a constructor`, () => {
      for (let count = 0; count < args.length; count++) outcome(() => call(...args.slice(0, count)));
      const given = outcome(() => call(...args));
      for (const receiver of [null, 1, {}, revoked()]) {
        assert.deepEqual(
          outcome(() => Reflect.apply(call, receiver, [...args, revoked(), Symbol('s')])),
          given,
        );
      }
      outcome(() => Reflect.construct(call, args));
      works();
    });
  }

  it('verifyJsonAsync: each value in each place', async () => {
    for (const value of Object.values(VALUES)) {
      for (let at = 0; at < 4; at++) {
        const promise = outcome(() => addon.verifyJsonAsync(...CALLS.verifyJson.with(at, value())));
        if (promise instanceof Promise) {
          await promise.catch(error => assert.match(error.code, /^ERR_TAPEPROOF_(?!PANIC)/));
        }
        works();
      }
    }
  });
});

describe('places in the words', () => {
  const [words, , length, beside] = good;
  const BOUNDS = [
    ['none', 0, 0],
    ['start after end', 5, 4],
    ['start behind the words', length + 1, length + 1],
    ['end behind the words', 0, length + 1],
    ['an end of 2^32 - 1', 0, 2 ** 32 - 1],
    ['a negative start', -1, length],
    ['an end that wraps to 1', 0, 2 ** 32 + 1],
  ];
  for (const [name, start, end] of BOUNDS)
    it(name, () => throws('FRAME', () => addon.stateHash(words, start, end, beside, list)));

  it('every start and every end', () => {
    for (let at = 1; at < length; at++) {
      throws('FRAME', () => addon.stateHash(words, at, length, beside, list));
      throws('FRAME', () => addon.stateHash(words, 0, at, beside, list));
      outcome(() => addon.pointer(words, 0, at, beside));
    }
  });
});

describe('malformed frames', () => {
  const sized = length => addon.canonicalState(...frame(f.listed(1, length)), list);
  const beside = (words, text) => addon.canonicalState(Int32Array.from(words), 0, words.length, text, list);
  const FRAMES = [
    ['an id that no key has', () => addon.stateHash(...frame(f.object(4095, f.NULL)), list)],
    ['an id beyond the table', () => addon.stateHash(...frame(f.object(0xfffd, f.NULL)), list)],
    ['an element that is only JavaScript’s', () => addon.stateHash(...frame(f.array(f.foreign(1))), list)],
    ['a string that is longer', () => sized(text.length + 1)],
    ['a string that is much longer', () => sized(2 ** 31)],
    ['a string that is 2^32 - 1 long', () => sized(-1)],
    ['more text than is said', () => beside([2, 1, 7, 2], 'ab')],
    ['more text than there is', () => beside([2, 2, 7, 2], 'a')],
    ['much more text than there is', () => beside([2, 2 ** 30, 7, 2], 'a')],
    ['a text that is 2^32 - 1 long', () => beside([2, -1, 7, -1], 'a')],
    ['holes that add up to too much', () => addon.canonicalState(...frame(f.array(f.holes(-1), f.holes(-1))), list)],
    ['holes and an element too much', () => addon.canonicalState(...frame(f.array(f.holes(-1), f.NULL)), list)],
    [
      'tools that are holes',
      () => addon.reqHash(...frame(f.object(0, f.string('model'), 8, f.array(f.holes(3)))), list),
    ],
  ];
  for (const [name, call] of FRAMES) it(name, () => throws('FRAME', call));

  const TEXTS = [
    ['a place behind the list', () => addon.stateHash(...frame(f.listed(2, 50)), list)],
    ['the last place there is', () => addon.stateHash(...frame(f.listed(-2, 50)), list)],
    ['a place that holds no string', () => addon.stateHash(...frame(f.listed(0, 50)), list)],
  ];
  for (const [name, call] of TEXTS) it(name, () => throws('TEXT', call));

  it('a depth of 100,000, with the place', () => {
    const deep = frame(new Array(100_000).fill(13));
    assert.throws(() => addon.stateHash(...deep, list), { name: 'RangeError', code: 'ERR_TAPEPROOF_DEPTH' });
    assert.equal(addon.pointer(...deep), '/0'.repeat(2048));
    works();
  });

  it('an array of 2^32 - 1 holes', () => {
    const built = addon.canonicalState(...frame(f.array(f.holes(-2), f.TRUE)), list);
    assert.equal(built.length, 2 ** 32 - 1);
    assert.deepEqual(Object.entries(built), [['4294967294', true]]);
  });

  it('values that are no JSON are given back as they are', () => {
    const others = [NORMALIZE, () => 1, Symbol('s'), 7n, { a: 1 }];
    const built = addon.canonicalState(...frame(f.array(f.func(1), f.symbol(2), f.bigint(3), f.foreign(4))), others);
    assert.deepEqual(built, others.slice(1));
  });

  const seed = runSeed();
  it(`20,000 frames with random damage (seed ${seed})`, () => {
    const random = new Random(seed);
    const base = Array.from(good[0]);
    const lists = [list, [NORMALIZE], [], undefined, new Proxy(list, {}), [7, {}], [NORMALIZE, 'x'.repeat(2000)]];
    for (let times = 0; times < 20_000; times++) {
      const words = Int32Array.from(base);
      for (let damage = random.below(4); damage >= 0; damage--) {
        const [high, low] = [random.below(4) === 0 ? random.below(2 ** 16) : 0, random.below(18)];
        words[random.below(words.length)] = random.below(4) === 0 ? random.below(2 ** 32) : (high << 16) | low;
      }
      const given = lists[random.below(lists.length)];
      for (const name of ['stateHash', 'reqHash', 'eventChain']) {
        outcome(() => addon[name](words, 0, words.length, good[3], given));
      }
      outcome(() => addon.pointer(words, 0, random.below(words.length), good[3]));
    }
    works();
  });
});

describe('a list that runs code', () => {
  const boom = new RangeError('boom');
  const fail = () => {
    throw boom;
  };
  const withGetter = (at, get) => Object.defineProperty([...list], at, { get });

  for (const name of ['stateHash', 'canonicalState', 'eventChain']) {
    const args = name === 'eventChain' ? CALLS.eventChain.slice(0, 4) : good;
    const call = given => addon[name](...args, given);

    it(`${name}: what a getter throws is thrown`, () => {
      for (const given of [withGetter(1, fail), new Proxy(list, { get: fail })]) {
        assert.throws(
          () => call(given),
          error => error === boom,
        );
        works();
      }
    });

    it(`${name}: a getter that calls the addon gets an exception, the outer call goes on`, () => {
      const inner = [];
      const get = () => {
        for (const other of ['stateHash', 'canonicalState', 'forgetKeys', 'intern']) {
          inner.push(outcome(() => addon[other](...good, list)).code);
        }
        return text;
      };
      assert.deepEqual(call(withGetter(1, get)), call(list));
      assert.deepEqual(new Set(inner), new Set(['ERR_TAPEPROOF_FRAME']));
      works();
    });

    it(`${name}: a getter that takes the words away`, () => {
      const own = Int32Array.from(args[0]);
      const get = () => {
        if (own.length > 0) structuredClone(own.buffer, { transfer: [own.buffer] });
        return text;
      };
      assert.deepEqual(addon[name](own, 0, own.length, args[3], withGetter(1, get)), call(list));
      assert.equal(own.length, 0);
    });
  }

  const NORMALIZERS = [
    ['is missing', undefined, 'MEMORY'],
    ['is no function', 7, 'MEMORY'],
    ['throws', fail, 'MEMORY'],
    ['gives no string', () => 7, 'TEXT'],
    ['is a class', class {}, 'MEMORY'],
  ];
  for (const [name, normalize, code] of NORMALIZERS) {
    it(`a normalize that ${name}`, () => {
      throws(code, () => addon.stateHash(...good, [normalize, text]));
      throws(code, () => addon.normalizeText(text, [normalize]));
    });
  }

  it('a normalize that calls the addon, and gives what is not normalized', () => {
    const inner = [];
    const normalize = () => {
      inner.push(outcome(() => addon.normalizeText(text, list)).code);
      return `${text}\ud800\ufeff`;
    };
    assert.match(addon.stateHash(...good, [normalize, text]), /^sha256:[0-9a-f]{64}$/);
    assert.deepEqual(inner, ['ERR_TAPEPROOF_FRAME']);
    works();
  });
});

describe('errors by code', () => {
  it('a code that there is not', () => assert.equal(addon.error('ERR_OTHER', '').code, 'ERR_TAPEPROOF_FRAME'));
  it('a pointer with a lone surrogate', () => {
    assert.equal(addon.error('ERR_TAPEPROOF_NAN', '/\ud800').pointer, '/\ufffd');
  });
});

describe('sessions', () => {
  it('ids of another thread’s session mean nothing here', async () => {
    const script = `
      const { parentPort, workerData } = require('node:worker_threads');
      const addon = require(workerData);
      for (let n = 0; n < 500; n++) addon.intern('a key of the worker ' + n);
      parentPort.postMessage(addon.intern('the last key of the worker'));`;
    const worker = new Worker(script, { eval: true, workerData: f.addonFile });
    const foreignId = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    throws('FRAME', () => addon.stateHash(...frame(f.object(foreignId, f.NULL)), list));
  });

  it('keys that were forgotten get new ids', () => {
    addon.intern('a new key');
    addon.forgetKeys();
    assert.equal(addon.intern('content'), id);
    throws('FRAME', () => addon.stateHash(...frame(f.object(id + 1, f.NULL)), list));
  });

  it('are full after some thousand keys, and go on', () => {
    const ids = new Set();
    for (let n = 0; n < 10_000; n++) ids.add(addon.intern(`key ${n}`));
    assert.ok(ids.size <= 4096);
    assert.equal(addon.intern('one more'), 0xfffe);
    assert.equal(addon.intern('Timestamp'), 0x1fffe);
    addon.forgetKeys();
    assert.equal(addon.intern('content'), id);
    works();
  });
});

describe('two copies of the SDK over one addon', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapeproof-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  cpSync(f.addonFile, join(folder, basename(f.addonFile)));
  for (const copy of ['one', 'two']) {
    cpSync(fileURLToPath(new URL('../dist', import.meta.url)), join(folder, copy), { recursive: true });
  }
  const load = copy => import(pathToFileURL(join(folder, copy, 'hash.js')).href);
  const value = { zeta: 1, alpha: 2 };
  const many = prefix => Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`${prefix} ${n}`, n]));

  it('one forgets the keys, the other does not go on with their ids', async () => {
    const [one, two] = [await load('one'), await load('two')];
    const hash = one.stateHash(value);
    assert.equal(two.stateHash(value), hash);
    one.stateHash(many('a'));
    one.stateHash({ other: 1, keys: 2 });
    assert.equal(two.stateHash(value), hash);
  });

  it('one forgets no keys while the other writes a frame', async () => {
    const [one, two] = [await load('one'), await load('two')];
    const calling = {
      ...value,
      get inner() {
        two.stateHash(many('b'));
        two.stateHash({ another: 1, pair: 2 });
        return 1;
      },
      last: 2,
    };
    assert.equal(one.stateHash(calling), one.stateHash({ ...value, inner: 1, last: 2 }));
  });
});
