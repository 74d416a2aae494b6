// tapeproof seal --run-id
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sealRun } from 'tapeproof/evidence';
import { generateKeyPair, verifyJson } from 'tapeproof/verify';
import { recordRun, tool } from './evidence/runs.mjs';
import { temporaryFolder } from './recorder/folder.mjs';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const { privateKey, publicKey } = generateKeyPair();
const generatedAt = '2026-01-01T00:00:00.000Z';
const AT = ['--generated-at', generatedAt];

const root = temporaryFolder();
recordRun(root, '01A', [tool({ to: 'ann@example.org' }, 1), tool({ q: 1 }, 2)]);
recordRun(root, '01B', [tool({ q: 1 }, 1n)]);

function seal(args, env = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'seal', ...args], {
    env: { ...process.env, REWIND_DIR: root, ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('tapeproof seal --run-id', () => {
  const signed = `${JSON.stringify(sealRun(root, '01A', { privateKey, generatedAt }))}\n`;
  const env = { TAPEPROOF_ED25519_PRIVATE_KEY: privateKey };

  it('onto standard output, signed with the key of the environment', () => {
    assert.deepEqual(seal(['--run-id', '01A', ...AT], env), { status: 0, stdout: signed, stderr: '' });
    assert.equal(verifyJson(signed, null, { expectedPublicKey: publicKey }).verdict, 'valid');
  });

  it('into a file', () => {
    const file = join(temporaryFolder(), 'record.json');
    const args = ['--run-id', '01A', '--dir', root, ...AT, '-o', file];
    assert.deepEqual(seal(args, { ...env, REWIND_DIR: '/nonexistent' }), { status: 0, stdout: '', stderr: '' });
    assert.equal(readFileSync(file, 'utf8'), signed);
  });

  it('by the beginning of an id, with an HMAC key, and unsigned', () => {
    const { stdout } = seal(['--run-id', '01A', ...AT], { TAPEPROOF_HMAC_KEY: 'k' });
    assert.equal(stdout, `${JSON.stringify(sealRun(root, '01A', { hmacKey: 'k', generatedAt }))}\n`);
    assert.equal(JSON.parse(seal(['--run-id', '01A']).stdout).manifest.signed, false);
  });

  it('--with-req-hash', () => {
    const hashes = args =>
      JSON.parse(seal(['--run-id', '01A', ...args]).stdout).events.map(({ req_hash }) => !!req_hash);
    assert.deepEqual(hashes([]), [false, false, true, false]);
    assert.deepEqual(hashes(['--with-req-hash']), [false, true, true, false]);
  });

  it('--allow-partial', () => {
    const refused = seal(['--run-id', '01B']);
    assert.deepEqual([refused.status, refused.stdout], [2, '']);
    assert.match(refused.stderr, /^tapeproof seal: 01B: .*--allow-partial \[ERR_TAPEPROOF_PARTIAL\]\n$/);
    const { status, stdout } = seal(['--run-id', '01B', '--allow-partial']);
    assert.equal(status, 0);
    assert.equal(JSON.parse(stdout).run.error.name, 'PartialRecording');
  });

  const output = temporaryFolder();
  for (const [name, args, message, env] of [
    ['a run that is not there', ['--run-id', 'x'], /no run of this id/],
    ['an id that several begin with', ['--run-id', '01'], /2 runs begin like this/],
    ['events too', ['events.json', '--run-id', '01A'], /EVENTS or --run-id/],
    ['a summary too', ['--run', 'run.json', '--run-id', '01A'], /EVENTS or --run-id/],
    [
      'options of a run beside events',
      ['events.json', '--run', 'run.json', '--allow-partial'],
      /expected --run-id beside/,
    ],
    [
      'a key that is none',
      ['--run-id', '01A', '-o', join(output, 'x')],
      /PRIVATE_KEY/,
      { TAPEPROOF_ED25519_PRIVATE_KEY: 'x' },
    ],
    ['a folder as the file', ['--run-id', '01A', '-o', output], /cannot be written \[E\w+\]/],
    ['a folder that is not there', ['--run-id', '01A', '-o', join(output, 'no', 'x')], /cannot be written \[ENOENT\]/],
  ]) {
    it(name, () => {
      const { status, stdout, stderr } = seal(args, env);
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(stderr, message);
      assert.deepEqual(readdirSync(output), []);
    });
  }
});
