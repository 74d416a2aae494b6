// What the package shows. A name here is a promise: adding one is a decision, removing one breaks somebody.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const names = text => text.trim().split(/\s+/);

const HASH = names(`HASH_VERSION canonical diffRequests normalizeText reqHash reqHashJson reqHashMany stateHash
  stateHashJson`);
const SCHEMA = names('MATCH_TIERS STEP_KINDS');
const VERIFY = names(`KNOWN_SCHEMAS RUNBACK_AUDIT_PUBKEYS_PEM RUNBACK_AUDIT_PUBKEY_PEM RUNBACK_AUDIT_REVOKED_PUBKEYS_PEM
  computeCassetteDigest computeEventChain generateKeyPair seal verify verifyFile verifyJson
  verifyJsonAsync`);
const REDACT = names('findSensitive redact redactText');

const EXPORTS = {
  '.': [...HASH, ...SCHEMA, ...VERIFY, ...REDACT, 'ERROR_CODES', 'isNative'],
  './hash': HASH,
  './schema': SCHEMA,
  './request': [],
  './verify': VERIFY,
  './evidence': names('compareRuns sealRun sealRunToFile'),
  './redact': REDACT,
  './middleware': ['withRewind'],
  './recorder': ['Recorder'],
  './store': names('fileStore findRecording listRuns readCassette readRun readSteps readTrace'),
  './emitter': ['bufferedStore'],
  './http': ['httpStore'],
  './config': names('DEFAULT_DIR defineConfig'),
  './env': names(`ENV_CONFIG ENV_DIR ENV_ENABLED ENV_ENV_FILE ENV_SERVER ENV_TOKEN loadEnvFile recorderFromEnv
    resetRecorder`),
};

/** Codes are only ever added. */
const CODES =
  names(`REQUEST TOOL_SCHEMAS TEXT BIGINT NAN INFINITY NOT_JSON DEPTH MEMORY SYNTAX UTF8 TOOL_ORDER ADDON PANIC
  FRAME RECORD EVENT PROJECTION CONVERSION PUBLIC_KEY PRIVATE_KEY SIGNING_KEY SEAL CONFIG PRESET FIELDS CUSTOM
  HASH_VERSION RECORDING NAME INGEST RUN PARTIAL CASSETTE FILE CHANGED`).map(code => `ERR_TAPEPROOF_${code}`);

const ADDON =
  names(`canonicalRequest canonicalState cassetteDigest digest error eventChain findSensitive finishSeal forgetKeys
  intern
  matcherName matchers normalizeText pointer reqHash reqHashJson seal sealPart stateHash stateHashJson verify verifyFile verifyJson
  verifyJsonAsync version`);

const read = path => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const manifest = JSON.parse(read('package.json'));
const sorted = list => [...list].sort();

describe('surface', () => {
  it('subpaths', () => assert.deepEqual(Object.keys(manifest.exports), [...Object.keys(EXPORTS), './package.json']));

  for (const [subpath, expected] of Object.entries(EXPORTS)) {
    it(`exports of ${subpath}`, async () => {
      assert.deepEqual(sorted(Object.keys(await import(`tapeproof${subpath.slice(1)}`))), sorted(expected));
    });
  }

  it('no other module can be imported', async () => {
    for (const path of ['dist/hash.js', 'hash.js', 'native', 'frame', 'errors']) {
      await assert.rejects(import(`tapeproof/${path}`), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' });
    }
  });

  it('values', async () => {
    const { HASH_VERSION, MATCH_TIERS, STEP_KINDS } = await import('tapeproof');
    assert.equal(HASH_VERSION, 3);
    assert.deepEqual(STEP_KINDS, ['model', 'tool', 'clock', 'rng', 'human', 'env']);
    assert.deepEqual(MATCH_TIERS, ['exact', 'miss', 'recorded']);
  });

  it('error codes: the list, its mirror in Rust, and this snapshot', async () => {
    const { ERROR_CODES } = await import('tapeproof');
    const kinds = [...read('src/error.rs').matchAll(/^ {4}\w+ => "(\w+)", (?:Error|Type|Range|Syntax), /gm)];
    assert.deepEqual(sorted(ERROR_CODES), sorted(CODES));
    assert.deepEqual(sorted(kinds.map(([, code]) => `ERR_TAPEPROOF_${code}`)), sorted(CODES));
    assert.equal(new Set(ERROR_CODES).size, ERROR_CODES.length);
  });

  it('exports of the addon: no way to make it panic', async () => {
    const require = createRequire(import.meta.url);
    const { reqHash } = await import('tapeproof/hash');
    reqHash({});
    const loaded = Object.keys(require.cache).filter(path => path.endsWith('.node'));
    assert.equal(loaded.length, 1);
    assert.deepEqual(sorted(Object.keys(require(loaded[0]))), sorted(ADDON));
  });

  it('tapeproof/hash is six modules', () => {
    const seen = new Set();
    const visit = path => {
      if (seen.has(path)) return;
      seen.add(path);
      for (const [, next] of read(path).matchAll(/^(?:import|export) [^;]*'(\.[^']+)';$/gm)) {
        visit(join(dirname(path), next));
      }
    };
    visit('dist/hash.js');
    assert.equal(seen.size, 6, [...seen].join());
  });

  it('verifying a file starts without what node:fs and node:util could load', () => {
    const script = `process.on('exit', () => console.log(process.moduleLoadList.join()))`;
    const args = [
      '--import',
      `data:text/javascript,${script}`,
      'dist/cli/main.js',
      'verify',
      '--quiet',
      'package.json',
    ];
    const cwd = fileURLToPath(new URL('..', import.meta.url));
    const { stdout, status } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
    const loaded = stdout.split(/,|\n/);
    assert.deepEqual([status, loaded.includes('NativeModule fs')], [1, true]);
    assert.ok(!loaded.includes('NativeModule worker_threads'));
    // Node 20 fetches every export of node:fs, however one asks for it.
    if (!process.version.startsWith('v20.')) assert.ok(!loaded.includes('NativeModule internal/readline/interface'));
  });

  it('importing loads no addon, hashing loads that and no fallback', () => {
    const script = `
      import { createRequire } from 'node:module';
      const addons = () => Object.keys(createRequire(import.meta.url).cache).length;
      const { reqHash } = await import('tapeproof/hash');
      const before = addons();
      reqHash({});
      console.log(JSON.stringify([before, addons()]));`;
    const cwd = fileURLToPath(new URL('.', import.meta.url));
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd, encoding: 'utf8' });
    assert.deepEqual(JSON.parse(output), [0, 1]);
  });
});
