// The package without a binary: the same hashes and the same redaction in plain JavaScript, one warning, no records.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ERROR_CODES, isNative } from 'tapeproof';
import * as nativeRecorder from 'tapeproof/recorder';
import * as nativeRedact from 'tapeproof/redact';
import * as nativeStore from 'tapeproof/store';
import errors from '../dist/fallback/errors.cjs';
import { native } from '../dist/native.js';
import { outcome, sameOutcome, sameStructure, show } from './differential/outcome.mjs';
import { generate as anyRedaction } from './differential/redact.mjs';
import { packageWithoutAddon } from './fallback/package.mjs';
import { build } from './random/expression.mjs';
import { Random, runSeed } from './random/prng.mjs';
import { anchor } from './readings.mjs';

// That it warns is looked at in processes of their own.
process.removeAllListeners('warning');

const home = packageWithoutAddon();
const load = name => import(new URL(`dist/${name}.js`, home).href);
const [hash, redaction, recording, store, verification, all] = await Promise.all(
  ['hash', 'redact', 'recorder', 'store', 'verify', 'index'].map(load),
);
const golden = name =>
  readFileSync(new URL(`goldens/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));

/** Runs a script in a process of its own, in an empty folder. */
function run(script, env = {}) {
  const cwd = mkdtempSync(join(tmpdir(), 'tapeproof-fallback-run-'));
  const args = ['--input-type=module', '-e', script];
  const result = spawnSync(process.execPath, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '', NODE_NO_WARNINGS: '', ...env },
  });
  return { ...result, cwd };
}

describe('goldens without a binary', () => {
  for (const file of ['published', 'hash.fuzz', 'traps.hash']) {
    it(file, () => {
      for (const { name, seed, request, hash: expected, input = request, expected: other } of golden(file)) {
        const wanted = expected ?? other;
        if (wanted?.throws) assert.throws(() => hash.reqHash(input), { name: wanted.throws.name }, name);
        else assert.equal(hash.reqHash(input), wanted, name ?? seed);
      }
    });
  }

  it('traps.state', () => {
    for (const { name, input, expected } of golden('traps.state')) {
      if (expected?.throws) assert.throws(() => hash.stateHash(input), { name: expected.throws.name }, name);
      else assert.equal(hash.stateHash(input), expected, name);
    }
  });

  it('traps.normalize', () => {
    for (const { name, input, expected } of golden('traps.normalize')) {
      assert.equal(hash.normalizeText(input), expected, name);
    }
  });

  it('redact.fuzz', () => {
    for (const { value, config, expected } of golden('redact.fuzz')) {
      assert.equal(JSON.stringify(redaction.redact(value, config)), JSON.stringify(expected));
    }
  });

  it('traps.redact', () => {
    for (const { name, input, expected, expected_text } of golden('traps.redact')) {
      const run = () => redaction.redact(input.value, input.config);
      if (expected?.throws) assert.throws(run, { name: expected.throws.name }, name);
      else assert.equal(JSON.stringify(run()), expected_text ?? JSON.stringify(expected), name);
    }
  });
});

describe('redaction without a binary', () => {
  const seed = runSeed();

  for (const name of ['redact', 'findSensitive']) {
    it(`${name} gives what the native one does (seed ${seed})`, () => {
      for (let index = 0; index < 3000; index++) {
        const { expression, config } = anyRedaction(new Random(seed, index));
        const [expected, actual] = [nativeRedact, redaction].map(package_ =>
          outcome(() => package_[name](build(expression), config)),
        );
        const isSame = expected.error ? sameOutcome(expected, actual) : sameStructure(expected.value, actual.value);
        assert.ok(isSame, `case ${index}: expected ${show(expected)}, found ${show(actual)}`);
      }
    });
  }

  for (const preset of ['extended', ['iban'], ['default', 'ipv4']]) {
    it(`the preset ${JSON.stringify(preset)} is refused, not skipped`, () => {
      assert.throws(() => redaction.redact('a', { preset }), { code: 'ERR_TAPEPROOF_ADDON' });
    });
  }

  for (const [preset, pointer] of [
    [7, '/preset'],
    [['default', null], '/preset/1'],
  ]) {
    it(`no name: ${JSON.stringify(preset)}`, () => {
      assert.throws(() => redaction.redact('a', { preset }), { code: 'ERR_TAPEPROOF_PRESET', pointer });
    });
  }

  it('lists of names', () => {
    assert.equal(redaction.redactText('a@b.co', { preset: ['none', 'default'] }).value, '[redacted:email:0]');
    assert.equal(redaction.redactText('a@b.co', { preset: [] }).value, 'a@b.co');
  });
});

describe('hashing without a binary', () => {
  it('the text forms, many, and differences', () => {
    const text = JSON.stringify(anchor.request);
    assert.equal(hash.reqHashJson(text), anchor.hash);
    assert.equal(hash.stateHashJson(text), hash.stateHash(anchor.request));
    assert.deepEqual(hash.reqHashMany([anchor.request, anchor.request]), [anchor.hash, anchor.hash]);
    assert.throws(() => hash.reqHashMany([anchor.request, null]), { code: 'ERR_TAPEPROOF_REQUEST', pointer: '/1' });
    assert.deepEqual(hash.diffRequests(anchor.request, { ...anchor.request, top_k: 4 }), [{ pointer: '/top_k', b: 4 }]);
  });

  it('a length that no array has', () => {
    const endless = new Proxy([], { get: (_, key) => (key === 'length' ? Number.MAX_SAFE_INTEGER : undefined) });
    assert.throws(() => hash.stateHash({ a: endless }), { code: 'ERR_TAPEPROOF_MEMORY', pointer: '/a' });
  });
});

describe('errors without a binary', () => {
  const thrown = new Set(
    ['', 'redact/', 'store/', 'evidence/', 'fallback/'].flatMap(folder =>
      readdirSync(new URL(`../sdk/${folder}`, import.meta.url))
        .filter(name => /\.c?ts$/.test(name))
        .flatMap(name => [
          ...readFileSync(new URL(`../sdk/${folder}${name}`, import.meta.url), 'utf8').matchAll(
            /\b(?:failure|error|fail)\('(ERR_TAPEPROOF_\w+)'/g,
          ),
        ])
        .map(([, code]) => code),
    ),
  );

  for (const code of ERROR_CODES.filter(code => errors.error(code).message !== code)) {
    it(`${code} is the native one`, () => {
      for (const pointer of ['', '/a/0']) {
        const [expected, actual] = [native().error(code, pointer), errors.error(code, pointer)];
        for (const key of ['name', 'code', 'message', 'pointer']) assert.equal(actual[key], expected[key], key);
      }
    });
  }

  it('what JavaScript throws has a text', () => {
    // Records are made and verified by the addon alone.
    for (const code of ['SEAL', 'PRIVATE_KEY', 'PARTIAL', 'PANIC']) thrown.delete(`ERR_TAPEPROOF_${code}`);
    for (const code of thrown) assert.notEqual(errors.error(code).message, code);
    assert.ok(thrown.size > 10);
  });
});

describe('recording without a binary', () => {
  /** Records two calls, and gives the files without what belongs to one run. */
  function recorded({ Recorder }, { fileStore, listRuns, readTrace }) {
    const folder = mkdtempSync(join(tmpdir(), 'tapeproof-fallback-store-'));
    const recorder = new Recorder({ store: fileStore(folder) });
    for (const response of [{ text: 'write to a@b.co' }, { text: 'or to c@d.co' }]) {
      recorder.record({ node: 'agent', kind: 'model', request: anchor.request, response, latency_ms: 1 });
    }
    recorder.finish({ final_state_hash: 'x' });
    assert.deepEqual(recorder.stats, { dropped: 0, steps: 2 });
    const { run, steps } = readTrace(folder, listRuns(folder)[0]);
    const own = { run_id: '', started_at: '', ended_at: '', recorded_at: '' };
    const cassettes = readdirSync(join(folder, 'cassettes'))
      .sort()
      .map(file => [file, { ...JSON.parse(readFileSync(join(folder, 'cassettes', file), 'utf8')), ...own }]);
    return { run: { ...run, ...own }, steps: steps.map(step => ({ ...step, ...own })), cassettes };
  }

  it('the recorder writes what it writes with one', () => {
    assert.deepEqual(recorded(recording, store), recorded(nativeRecorder, nativeStore));
  });

  it('runs are compared', async () => {
    const { compareRuns } = await load('evidence');
    const dir = mkdtempSync(join(tmpdir(), 'tapeproof-fallback-store-'));
    const runIds = ['a', 'b'].map(answer => {
      const recorder = new recording.Recorder({ store: store.fileStore(dir) });
      recorder.record({ node: 'n', kind: 'model', request: anchor.request, response: { answer }, latency_ms: 1 });
      recorder.finish({ final_state_hash: '' });
      return recorder.run.run_id;
    });
    const { steps } = compareRuns(...runIds.map(runId => ({ dir, runId })));
    assert.deepEqual(steps, [{ result: 'answer', a: 0, b: 0, pointers: ['/response/answer'] }]);
    assert.throws(() => compareRuns({ dir, runId: 'c' }, { dir, runId: 'c' }), { code: 'ERR_TAPEPROOF_RUN' });
  });

  it('errors of the store keep their code', () => {
    const { putRun } = store.fileStore(mkdtempSync(join(tmpdir(), 'tapeproof-fallback-store-')));
    assert.throws(() => putRun({ run_id: '../x', hash_version: 3 }), { code: 'ERR_TAPEPROOF_NAME' });
  });

  it('the environment switches it on', () => {
    const script = `
      const { recorderFromEnv } = await import('${new URL('dist/env.js', home)}');
      const recorder = await recorderFromEnv();
      recorder.record({ node: 'n', kind: 'clock', request: { kind: 'clock', counter: 0 }, response: 1, latency_ms: 0 });
      recorder.finish(null);
      console.log(JSON.stringify([recorder.run.status, recorder.stats]));`;
    const { stdout } = run(script, { REWIND_ENABLED: '1' });
    assert.deepEqual(JSON.parse(stdout), ['complete', { dropped: 0, steps: 1 }]);
  });
});

describe('verification without a binary', () => {
  for (const [name, call] of [
    ['verify', () => verification.verify({ manifest: {}, events: [] })],
    ['verifyJson', () => verification.verifyJson('{}')],
    ['verifyJsonAsync', () => verification.verifyJsonAsync('{}')],
    ['computeEventChain', () => verification.computeEventChain([])],
    ['seal', () => verification.seal([{ seq: 1 }], { run: {} })],
  ]) {
    it(`${name} says what it needs and how to get it`, async () => {
      await assert.rejects(async () => call(), {
        code: 'ERR_TAPEPROOF_ADDON',
        message:
          /^expected the addon of tapeproof for \S+, which .* need, found none\. npm installs it .*`npm run build` in a clone/,
      });
    });
  }

  it('the cause says what was tried', async () => {
    const { error } = outcome(() => verification.verifyJson('{}'));
    assert.equal(error.code, 'ERR_TAPEPROOF_ADDON');
    await assert.rejects(verification.verifyJsonAsync('{}'), ({ cause }) => cause.errors.length >= 2);
  });
});

describe('one way to tell', () => {
  it('isNative', () => assert.deepEqual([isNative(), all.isNative()], [true, false]));

  it('one warning for a process, whatever the number of copies', () => {
    const other = packageWithoutAddon();
    const script = `
      const copies = await Promise.all([${[home, other].map(url => `import('${new URL('dist/index.js', url)}')`)}]);
      for (const { isNative, reqHash, redact } of copies) console.log(isNative(), reqHash({}), redact('a@b.co').value);`;
    const { stdout, stderr } = run(script);
    const line = `false ${hash.reqHash({})} [redacted:email:0]\n`;
    assert.equal(stdout, line + line);
    const warnings = stderr.split('\n').filter(text => /TapeproofWarning/.test(text));
    assert.equal(warnings.length, 1, stderr);
    assert.match(warnings[0], /\[TAPEPROOF_FALLBACK\] TapeproofWarning: expected the addon of tapeproof for/);
  });

  it('none for who only imports, or asks', () => {
    const { stdout, stderr } = run(`console.log((await import('${new URL('dist/index.js', home)}')).isNative());`);
    assert.deepEqual([stdout, stderr], ['false\n', '']);
  });

  const binary = readdirSync(new URL('..', import.meta.url)).find(name => name.endsWith('.node'));
  for (const [name, content, found] of [
    ['of another version', 'exports.version = "0.0.1";', 'another version'],
    ['that is none', 'exports.reqHash = 1;', 'another version'],
    ['that is damaged', undefined, 'ERR_DLOPEN_FAILED'],
  ]) {
    it(`an addon ${name} is told from none`, async () => {
      const other = packageWithoutAddon();
      const platform = binary.replace(/\.node$/, '').replace('.', '-');
      const place = new URL(content ? `node_modules/${platform}/index.js` : binary, other);
      mkdirSync(new URL('.', place), { recursive: true });
      writeFileSync(place, content ?? 'no addon');
      const { isNative, reqHash } = await import(new URL('dist/index.js', other).href);
      const { verifyJson } = await import(new URL('dist/verify.js', other).href);
      assert.deepEqual([isNative(), reqHash({})], [false, hash.reqHash({})]);
      const message = new RegExp(`found one that cannot be loaded \\[${found}\\]`);
      assert.throws(() => verifyJson('{}'), { code: 'ERR_TAPEPROOF_ADDON', message });
    });
  }

  it('a bundle, which has no fallback', async () => {
    const bundled = packageWithoutAddon();
    rmSync(new URL('dist/fallback', bundled), { recursive: true });
    const { isNative, reqHash } = await import(new URL('dist/index.js', bundled).href);
    assert.equal(isNative(), false);
    assert.throws(() => reqHash({}), { code: 'ERR_TAPEPROOF_ADDON', message: /not in a bundle, found none/ });
  });

  it('TAPEPROOF_REQUIRE_NATIVE=1 makes it an error', () => {
    const script = `
      const { isNative, reqHash, redact } = await import('${new URL('dist/index.js', home)}');
      const codes = [() => reqHash({}), () => redact('a')].map(call => {
        try { call(); } catch ({ code }) { return code; }
      });
      console.log(JSON.stringify([isNative(), ...codes]));`;
    const { stdout, stderr } = run(script, { TAPEPROOF_REQUIRE_NATIVE: '1' });
    assert.deepEqual(JSON.parse(stdout), [false, 'ERR_TAPEPROOF_ADDON', 'ERR_TAPEPROOF_ADDON']);
    assert.equal(stderr, '');
  });

  it('TAPEPROOF_REQUIRE_NATIVE=1 with a binary changes nothing', () => {
    const url = new URL('../dist/hash.js', import.meta.url);
    const { stdout } = run(`console.log((await import('${url}')).reqHash({}));`, { TAPEPROOF_REQUIRE_NATIVE: '1' });
    assert.equal(stdout.trim(), hash.reqHash({}));
  });

  it('the command line works', () => {
    const cli = fileURLToPath(new URL('dist/cli/main.js', home));
    const input = JSON.stringify(anchor.request);
    const { stdout } = spawnSync(process.execPath, [cli, 'hash', '-'], { input, encoding: 'utf8' });
    assert.equal(stdout.trim(), anchor.hash);
  });
});
