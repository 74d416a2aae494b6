// Redaction: the goldens in all three readings, then what only the native one promises.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import crypto from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { Worker } from 'node:worker_threads';
import { findSensitive, redact, redactText } from 'tapeproof/redact';
import * as twin from './reference/redact.mjs';
import { sharedFolder } from './shared.mjs';

const baselineFolder = sharedFolder('baseline');
const baseline = baselineFolder && (await import(new URL('redact.mjs', baselineFolder).href));
const readings = [
  { name: 'native', redact },
  { name: 'twin', redact: twin.redact },
  ...(baseline ? [{ name: 'baseline', redact: baseline.redact }] : []),
];

const golden = name =>
  readFileSync(new URL(`goldens/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
const random = golden('redact.fuzz');
const traps = golden('traps.redact');
const valueTraps = golden('traps.js-values').filter(({ area }) => area === 'redact');

const evaluate = (js, redact) => new Function('redact', 'vm', 'crypto', `return (${js})`)(redact, vm, crypto);

for (const { name: reading, redact } of readings) {
  describe(`redact goldens: ${reading}`, () => {
    for (const { seed, value, config, expected } of random) {
      it(`seed ${seed}`, () => assert.equal(JSON.stringify(redact(value, config)), JSON.stringify(expected)));
    }

    for (const { name, input, expected, expected_text } of traps) {
      it(name, () => {
        const run = () => JSON.stringify(redact(input.value, input.config));
        if (expected.throws) assert.throws(run, { name: expected.throws.name });
        else assert.equal(run(), expected_text ?? JSON.stringify(expected));
      });
    }

    for (const { name, js, expected } of valueTraps) {
      it(`JavaScript values: ${name}`, () => {
        if (expected?.throws) assert.throws(() => evaluate(js, redact), { name: expected.throws.name });
        else assert.equal(evaluate(js, redact), expected);
      });
    }
  });
}

const secret = 'hunter2@example.com';
const unread = {
  get a() {
    return assert.fail('a value was read before the configuration');
  },
};

const CONFIGURATIONS = [
  ['null', null, 'CONFIG', ''],
  ['a text', secret, 'CONFIG', ''],
  ['an unknown preset', { preset: secret }, 'PRESET', '/preset'],
  ['a preset of another type', { preset: 7 }, 'PRESET', '/preset'],
  ['a preset from the prototype', { preset: 'toString' }, 'PRESET', '/preset'],
  ['one matcher without a list', { preset: 'iban' }, 'PRESET', '/preset'],
  ['an unknown matcher', { preset: ['iban', secret] }, 'PRESET', '/preset/1'],
  ['a matcher of the default preset alone', { preset: ['token'] }, 'PRESET', '/preset/0'],
  ['a matcher of another type', { preset: [null] }, 'PRESET', '/preset/0'],
  ['two presets that do not mix', { preset: ['default', 'extended'] }, 'PRESET', '/preset/1'],
  ['the same the other way round', { preset: ['extended', 'default'] }, 'PRESET', '/preset/1'],
  ['the default preset and a namesake', { preset: ['default', 'email'] }, 'PRESET', '/preset/1'],
  ['fields that are no list', { fields: { a: secret } }, 'FIELDS', '/fields'],
  ['fields that are a number', { fields: 7 }, 'FIELDS', '/fields'],
  ['custom that is no array', { custom: /x/ }, 'CUSTOM', '/custom'],
  ['custom that is a set', { custom: new Set([/x/]) }, 'CUSTOM', '/custom'],
  ['a pattern that is a text', { custom: [/x/, secret] }, 'CUSTOM', '/custom/1'],
  ['a pattern that is null', { custom: [null] }, 'CUSTOM', '/custom/0'],
];

describe('configurations', () => {
  for (const [name, config, code, pointer] of CONFIGURATIONS) {
    it(`refused: ${name}`, () => {
      for (const run of [redact, findSensitive]) {
        assert.throws(
          () => run(unread, config),
          error => {
            assert.equal(error.name, 'TypeError');
            assert.equal(error.code, `ERR_TAPEPROOF_${code}`);
            assert.equal(error.pointer, pointer);
            assert.doesNotMatch(error.message, /hunter2/);
            return true;
          },
        );
      }
    });
  }

  it('refused alike by the twin', () => {
    for (const [name, config, code, pointer] of CONFIGURATIONS) {
      // It knows no lists of matchers.
      if (Array.isArray(config?.preset)) continue;
      const refusal = { name: 'TypeError', code: `ERR_TAPEPROOF_${code}`, pointer };
      assert.throws(() => twin.redact(unread, config), refusal, name);
    }
  });

  it('a pattern that does not compile: its SyntaxError, before any work', () => {
    assert.throws(() => redact(unread, { custom: [/x/, { source: '(', flags: '' }] }), { name: 'SyntaxError' });
    assert.throws(() => redact(unread, { custom: [{ source: 'x', flags: 'zz' }] }), { name: 'SyntaxError' });
  });

  it('a pattern whose getter throws: that error, before any work', () => {
    const custom = [Object.defineProperty(/x/, 'flags', { get: () => assert.fail('by its author') })];
    assert.throws(() => redact(unread, { custom }), /by its author/);
  });

  it('a pattern is compiled anew: what a subclass does, and lastIndex, count for nothing', () => {
    class Liar extends RegExp {
      [Symbol.replace]() {
        return 'a lie';
      }
      exec() {
        return null;
      }
    }
    const pattern = new Liar('b', 'gy');
    pattern.lastIndex = 2;
    assert.equal(redact('bbab', { custom: [pattern] }).value, '[redacted:custom:0:0][redacted:custom:0:0]ab');
    assert.equal(pattern.lastIndex, 2);
  });

  it('nothing, null and undefined stand for the defaults', () => {
    for (const config of [undefined, {}, { preset: undefined }, { preset: null, fields: null, custom: null }]) {
      assert.equal(redact('a@b.co', config).value, '[redacted:email:0]');
    }
  });

  it('a list of matchers: their order does not matter, and an empty one finds nothing', () => {
    const text = 'DE89370400440532013000 from 10.0.0.1 by ada@example.com';
    const expected = '[redacted:iban:0] from [redacted:ipv4:0] by ada@example.com';
    assert.equal(redactText(text, { preset: ['iban', 'ipv4'] }).value, expected);
    assert.equal(redactText(text, { preset: ['ipv4', 'iban', 'iban'] }).value, expected);
    assert.equal(redactText(text, { preset: [] }).value, text);
    assert.equal(redactText(text, { preset: ['none'] }).value, text);
  });

  it('a preset beside matchers that it has not', () => {
    const text = 'Bearer abc-def, 10.0.0.1, ada@example.com';
    const expected = '[redacted:token:0], [redacted:ipv4:0], [redacted:email:0]';
    assert.equal(redactText(text, { preset: ['default', 'ipv4'] }).value, expected);
    assert.deepEqual(Object.values(redactText(text, { preset: ['extended', 'ipv4', 'email'] }).map), ['email', 'ipv4']);
  });

  it('without a preset the addon is not loaded', () => {
    const script = `
      import { createRequire } from 'node:module';
      const { redact } = await import('tapeproof/redact');
      redact({ a: 'a@b.co', b: 1 }, { preset: 'none', fields: ['b'], custom: [/a/g] });
      console.log(Object.keys(createRequire(import.meta.url).cache).length);`;
    const cwd = fileURLToPath(new URL('.', import.meta.url));
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd, encoding: 'utf8' });
    assert.equal(output.trim(), '0');
  });
});

const deepFrozen = value => {
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) deepFrozen(member);
  return Object.freeze(value);
};
const nest = (levels, link) => {
  let value = 'a@b.co';
  for (let i = 0; i < levels; i++) value = link === undefined ? [value] : { [link]: value };
  return value;
};

describe('values', () => {
  it('the input is not changed, and shares no container with the result', () => {
    const value = deepFrozen({ list: ['a@b.co', { empty: {} }], date: new Date(0) });
    const { value: copy } = redact(value);
    assert.deepEqual(copy, { list: ['[redacted:email:0]', { empty: {} }], date: {} });
    assert.notEqual(copy.list[1].empty, value.list[1].empty);
  });

  it('texts do not run together, however they cross the boundary', () => {
    const key = 'AKIAIOSFODNN7EXAMPLE';
    for (const length of [0, 200, 255, 256, 257, 1000]) {
      const padding = ' '.repeat(length);
      const texts = [
        '4111 1111',
        '1111 1111',
        `a@b.co${padding}`,
        'Bearer',
        'abcdef',
        padding,
        'a',
        '@b.co',
        `${key} `,
      ];
      const { value } = redact([...texts, 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'], { preset: 'extended' });
      assert.deepEqual(value.slice(0, 8), [...texts.slice(0, 2), `[redacted:email:0]${padding}`, ...texts.slice(3, 8)]);
      assert.deepEqual(value.slice(8), ['[redacted:aws-key-id:0] ', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY']);
    }
  });

  it('one token for one original, across fields, matchers and patterns', () => {
    const value = { a: 1, url: 'https://a:1@example.com', text: 'x a:1 y' };
    const { value: copy, map } = redact(value, { preset: 'extended', fields: ['a'], custom: [/a:1/] });
    assert.deepEqual(copy, {
      a: '[redacted:field:0]',
      url: 'https://[redacted:field:0]@example.com',
      text: 'x [redacted:field:0] y',
    });
    assert.deepEqual(map, { '[redacted:field:0]': 'field' });
  });

  it('members under symbols are left out', () => {
    assert.deepEqual(Reflect.ownKeys(redact({ [Symbol('s')]: 'a@b.co', a: 1 }).value), ['a']);
    const unread = {
      get [Symbol('s')]() {
        throw new Error('was read');
      },
      a: 'a@b.co',
      ['__proto__']: 'c@d.co',
    };
    for (const { redact } of readings) {
      const { value, map } = redact(unread);
      assert.deepEqual(value, { a: '[redacted:email:0]' });
      assert.equal(Object.keys(map).length, 2);
    }
  });

  it('a prototype with a setter, a constant or something to enumerate changes nothing', () => {
    const value = () => ({ role: 'user', content: 'a@b.co', nested: { type: 'x', list: [{ role: 'y' }] } });
    const expected = JSON.stringify(redact(value()));
    for (const descriptor of [
      { set: () => assert.fail('asked') },
      { value: 'x', writable: false },
      { value: 'x', enumerable: true },
      { get: () => assert.fail('asked'), enumerable: true },
    ]) {
      for (const key of ['role', 'content', 'nested', 'polluted']) {
        Object.defineProperty(Object.prototype, key, { ...descriptor, configurable: true });
        try {
          assert.equal(JSON.stringify(redact(value())), expected);
        } finally {
          delete Object.prototype[key];
        }
      }
    }
  });

  it('a getter that redacts', () => {
    const inner = {
      get text() {
        return redact(['b@b.co', 'a@b.co']).value.join();
      },
    };
    const { value } = redact({ a: 'a@b.co', inner, b: 'b@b.co' });
    assert.deepEqual(value, {
      a: '[redacted:email:0]',
      inner: { text: '[redacted:email:0],[redacted:email:1]' },
      b: '[redacted:email:1]',
    });
  });

  it('nesting up to 2048 containers, no further, on every thread', async () => {
    const tooDeep = { name: 'RangeError', code: 'ERR_TAPEPROOF_DEPTH' };
    for (const run of [redact, twin.redact]) {
      for (const link of [undefined, 'a']) {
        assert.match(JSON.stringify(run(nest(2048, link))), /redacted:email:0/);
        assert.throws(() => run(nest(2049, link)), tooDeep);
        assert.throws(() => run(nest(1_000_000, link)), tooDeep);
      }
    }
    const cyclic = { a: [{}] };
    cyclic.a[0].b = cyclic;
    assert.throws(() => redact(cyclic), tooDeep);
    assert.throws(() => findSensitive(cyclic), tooDeep);
    const worker = new Worker(new URL('workers/redact.mjs', import.meta.url), { resourceLimits: { stackSizeMb: 1 } });
    const outcomes = await new Promise((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
    });
    assert.deepEqual(outcomes, ['[redacted:email:0]', 'ERR_TAPEPROOF_DEPTH']);
  });

  it('a field with a value that has no JSON text: the place, and no key of it', () => {
    const cyclic = { hunter2: {} };
    cyclic.hunter2.hunter2 = cyclic;
    for (const [value, name, code] of [
      [cyclic, 'RangeError', 'DEPTH'],
      [nest(100_000), 'RangeError', 'DEPTH'],
      // Three containers stand around it.
      [nest(2046), 'RangeError', 'DEPTH'],
      [{ hunter2: 1n }, 'TypeError', 'BIGINT'],
    ]) {
      for (const run of [redact, twin.redact]) {
        assert.throws(
          () => run({ list: [{ 'a/b': value }] }, { fields: ['a/b'] }),
          error => {
            assert.deepEqual([error.name, error.code], [name, `ERR_TAPEPROOF_${code}`]);
            assert.equal(error.pointer, '/list/0/a~1b');
            assert.doesNotMatch(error.message, /hunter2/);
            return true;
          },
        );
      }
    }
    for (const run of [redact, twin.redact]) {
      const { value } = run({ list: [{ 'a/b': [nest(2044), '[["\\'] }] }, { fields: ['a/b'] });
      assert.deepEqual(value, { list: [{ 'a/b': '[redacted:field:0]' }] });
    }
    const toJSON = () => assert.fail('by its author');
    assert.throws(() => redact({ a: { toJSON } }, { fields: ['a'] }), /by its author/);
  });
});

describe('redactText', () => {
  it('gives the text and the map', () => {
    assert.deepEqual(redactText('to a@b.co'), {
      value: 'to [redacted:email:0]',
      map: { '[redacted:email:0]': 'email' },
    });
  });

  for (const value of [undefined, null, 7, {}, ['a@b.co'], new String('a@b.co')]) {
    it(`refuses ${typeof value}`, () => {
      assert.throws(() => redactText(value), { name: 'TypeError', code: 'ERR_TAPEPROOF_TEXT' });
    });
  }
});

describe('findSensitive', () => {
  const rows = [
    ['a text', 'to a@b.co', {}, [['', 'email', 3, 9]]],
    ['nothing', { a: ['x', 1, null] }, {}, []],
    [
      'pointers',
      { 'a/b': ['x', { '~': 'a@b.co' }], '': 'b@b.co' },
      {},
      [
        ['/a~1b/1/~0', 'email', 0, 6],
        ['/', 'email', 0, 6],
      ],
    ],
    [
      'the order of tokens: matcher by matcher',
      '555-123-4567 a@b.co',
      {},
      [
        ['', 'email', 13, 19],
        ['', 'phone', 0, 12],
      ],
    ],
    [
      'fields: from 0 to the length of their text',
      { ssn: '123', list: [{ ssn: { deep: 1 } }], none: undefined },
      { fields: ['ssn', 'none'] },
      [
        ['/ssn', 'field', 0, 3],
        ['/list/0/ssn', 'field', 0, 0],
      ],
    ],
    ['the whole value as a field', 'abc', { fields: [''] }, [['', 'field', 0, 3]]],
    [
      'a pattern behind a finding, in places of the original',
      'a@b.co is 42',
      { custom: [/\d+/g] },
      [
        ['', 'email', 0, 6],
        ['', 'custom:0', 10, 12],
      ],
    ],
    [
      'a pattern that takes a token and more: all that the token stands for',
      'x a@b.co y',
      { custom: [/\[.*y/] },
      [
        ['', 'email', 2, 8],
        ['', 'custom:0', 2, 10],
      ],
    ],
    ['a pattern that matches within a token only', 'a@b.co', { custom: [/redacted/] }, [['', 'email', 0, 6]]],
    ['the same at the start of a text', 'a@b.co', { custom: [/\[/] }, [['', 'email', 0, 6]]],
    [
      'a pattern over what another left of a token',
      'a@b.co z',
      { custom: [/acted:email/, /red.*/] },
      [
        ['', 'email', 0, 6],
        ['', 'custom:1', 0, 8],
      ],
    ],
    [
      'groups with names, and empty matches',
      'ab',
      { preset: 'none', custom: [/(?<first>a)|$/g] },
      [
        ['', 'custom:0', 0, 1],
        ['', 'custom:0', 2, 2],
      ],
    ],
    ['the extended preset', 'x https://ada:q7@example.com', { preset: 'extended' }, [['', 'url-credentials', 10, 16]]],
  ];
  for (const [name, value, config, expected] of rows) {
    it(name, () => {
      const places = findSensitive(value, config);
      assert.deepEqual(
        places.map(({ pointer, matcher, start, end }) => [pointer, matcher, start, end]),
        expected,
      );
      for (const place of places) assert.deepEqual(Object.keys(place), ['pointer', 'matcher', 'start', 'end']);
    });
  }
});
