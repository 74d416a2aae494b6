import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import vm from 'node:vm';
import { readings } from './readings.mjs';
import { jcs } from './reference/hash.mjs';

const golden = name =>
  readFileSync(new URL(`goldens/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));

function check(run, expected) {
  if (expected?.throws) assert.throws(run, error => error.name === expected.throws.name);
  else assert.equal(run(), expected);
}

const published = golden('published');
const random = golden('hash.fuzz');
const normalizeTraps = golden('traps.normalize');
const hashTraps = golden('traps.hash');
const stateTraps = golden('traps.state');
const valueTraps = golden('traps.js-values').filter(({ area }) => area !== 'redact');

const evaluate = (js, H) => new Function('H', 'vm', 'crypto', `return (${js})`)(H, vm, crypto);

for (const { name: reading, H } of readings) {
  describe(`goldens: ${reading}`, () => {
    describe('published', () => {
      for (const { name, request, hash } of published) {
        it(name, () => assert.equal(H.reqHash(request), hash));
      }
    });

    describe('random', () => {
      for (const { seed, request, hash, state } of random) {
        it(`seed ${seed}`, () => {
          assert.equal(H.reqHash(request), hash);
          const part = request.messages ?? request.args ?? request.counter;
          if (state !== null) assert.equal(H.stateHash(part), state);
        });
      }
    });

    describe('normalizeText', () => {
      for (const { name, input, expected } of normalizeTraps) {
        it(name, () => check(() => H.normalizeText(input), expected));
      }
    });

    describe('reqHash', () => {
      for (const { name, input, expected, canonical } of hashTraps) {
        it(name, () => {
          if (canonical !== undefined) assert.equal(jcs(H.canonical(input)), canonical);
          check(() => H.reqHash(input), expected);
        });
      }
    });

    describe('stateHash', () => {
      for (const { name, input, expected } of stateTraps) {
        it(name, () => check(() => H.stateHash(input), expected));
      }
    });

    describe('JavaScript values', () => {
      for (const { area, name, js, expected } of valueTraps) {
        it(`${area}: ${name}`, () => check(() => evaluate(js, H), expected));
      }
    });
  });
}
