// `tapeproof seal` and `tapeproof keygen`.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { generateKeyPair, verifyJson } from 'tapeproof/verify';
import { bench } from './cli/tapeproof.mjs';

const { folder, file, tapeproof } = bench();
const { privateKey, publicKey } = generateKeyPair();
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const isWindows = process.platform === 'win32';
const read = name => readFileSync(join(folder, name), 'utf8');

const events = [
  { type: 'run', phase: 'start', run_id: 'run_1', seq: 0 },
  { type: 'run', phase: 'end', run_id: 'run_1', seq: 1, status: 'success', output: 'é', _hash: 'of old' },
];
const lines = events.map(event => JSON.stringify(event));
file('events.json', JSON.stringify(events));
file('events.jsonl', `${lines.join('\r\n')}\n\n`);
file('run.json', '{"run_id":"run_1","status":"success","output":"é"}');
file('other.json', '{"run_id":"run_1","status":"error"}');
file('bad.jsonl', `${lines[0]}\n{SECRET\n`);
file('object.json', '{}');
file('numbers.json', '[1]');
file('huge.json', '[{"n":1e400}]');
file('null.json', 'null');
const run = ['--run', 'run.json'];

describe('seal', () => {
  const ED25519 = { TAPEPROOF_ED25519_PRIVATE_KEY: privateKey };
  const HMAC = { TAPEPROOF_HMAC_KEY: 'clé' };
  const rows = [
    ['an array', ['events.json', ...run], '', {}, 'unsigned'],
    ['one event a line', ['events.jsonl', ...run], '', {}, 'unsigned'],
    ['standard input', ['-', ...run], JSON.stringify(events), {}, 'unsigned'],
    ['a summary from standard input', ['events.json', '--run', '-'], read('run.json'), {}, 'unsigned'],
    ['with an Ed25519 key', ['events.json', ...run], '', ED25519, 'valid'],
    ['with an HMAC key', ['events.json', ...run], '', HMAC, 'valid'],
    ['Ed25519 before HMAC', ['events.json', ...run], '', { ...ED25519, ...HMAC }, 'valid'],
    ['empty keys are none', ['events.json', ...run], '', { TAPEPROOF_HMAC_KEY: '' }, 'unsigned'],
  ];
  for (const [name, args, input, env, signature] of rows) {
    it(name, () => {
      const { status, stdout, stderr } = tapeproof(['seal', ...args], { input, env });
      assert.equal(status, 0);
      assert.match(stderr, signature === 'unsigned' ? /^tapeproof seal: unsigned, [^\n]+\n$/ : /^$/);
      const { integrity, checks } = verifyJson(stdout, 'clé', { expectedPublicKey: publicKey });
      assert.deepEqual([integrity, checks.signature], [true, signature]);
      assert.equal(JSON.parse(stdout).manifest.signature?.alg === 'Ed25519', 'TAPEPROOF_ED25519_PRIVATE_KEY' in env);
    });
  }

  it('into a file, whole, over what was there', () => {
    file('record.json', 'old');
    for (const option of ['-o', '--output']) {
      const { status, stdout } = tapeproof(['seal', 'events.json', ...run, option, 'record.json']);
      assert.deepEqual([status, stdout], [0, '']);
      assert.equal(verifyJson(read('record.json')).verdict, 'unverified');
    }
    assert.deepEqual(
      readdirSync(folder).filter(name => name.endsWith('.tmp')),
      [],
    );
  });

  it('at a given time, the same bytes', () => {
    const once = () =>
      tapeproof(['seal', 'events.json', ...run, '--generated-at', '2026-01-02T03:04:05.678Z'], { env: ED25519 }).stdout;
    assert.equal(once(), once());
    assert.equal(JSON.parse(once()).manifest.generated_at, '2026-01-02T03:04:05.678Z');
  });

  const refused = [
    ['no events', [], /expected one file of EVENTS/],
    ['two files', ['events.json', 'events.jsonl', ...run], /expected one file of EVENTS/],
    ['no summary', ['events.json'], /expected --run RUN\.json/],
    ['standard input twice', ['-', '--run', '-'], /only one of the two/],
    ['no such file', ['nowhere.json', ...run], /^tapeproof seal: nowhere\.json: no such file/],
    ['no such summary', ['events.json', '--run', 'nowhere.json'], /^tapeproof seal: nowhere\.json: no such file/],
    ['a bad line', ['bad.jsonl', ...run], /^tapeproof seal: bad\.jsonl:2: not JSON/],
    ['no array', ['object.json', ...run], /^tapeproof seal: object\.json: expected an array of events/],
    ['no event', ['numbers.json', ...run], /^tapeproof seal: numbers\.json: .*\(at \/events\/0\)/],
    ['a number beyond JSON', ['huge.json', ...run], /^tapeproof seal: huge\.json: .*\(at \/events\/0\/n\)/],
    ['no summary in its file', ['events.json', '--run', 'null.json'], /^tapeproof seal: null\.json: .*\(at \/run\)/],
    ['a contradiction', ['events.json', '--run', 'other.json'], /^tapeproof seal: other\.json: .*\(at \/run\/status\)/],
    ['no time', ['events.json', ...run, '--generated-at', 'soon'], /as a time in ISO 8601/],
    ['a number', ['events.json', ...run, '--generated-at', '1'], /as a time in ISO 8601/],
    [
      'a place that cannot be written',
      ['events.json', ...run, '-o', join('no', 'where')],
      /cannot be written \[ENOENT\]/,
    ],
    ['an unknown option', ['events.json', '--runs', 'run.json'], /Unknown option '--runs'/],
  ];
  for (const [name, args, stderr] of refused) {
    it(`refused: ${name}`, () => {
      const result = tapeproof(['seal', ...args]);
      assert.deepEqual([result.status, result.stdout], [2, '']);
      assert.match(result.stderr, stderr);
      assert.doesNotMatch(result.stderr, /SECRET/);
    });
  }
  it('refused: a key that is none', () => {
    const env = { TAPEPROOF_ED25519_PRIVATE_KEY: 'SECRET' };
    const { status, stderr } = tapeproof(['seal', 'events.json', ...run], { env });
    assert.equal(status, 2);
    assert.match(stderr, /\[ERR_TAPEPROOF_PRIVATE_KEY\]/);
    assert.doesNotMatch(stderr, /SECRET/);
  });
});

describe('keygen', () => {
  it('makes a pair that seals and verifies', () => {
    assert.deepEqual(tapeproof(['keygen', 'pair']), { status: 0, stdout: 'pair.key\npair.pub\n', stderr: '' });
    const env = { TAPEPROOF_ED25519_PRIVATE_KEY: read('pair.key') };
    file('signed.json', tapeproof(['seal', 'events.json', ...run], { env }).stdout);
    assert.equal(tapeproof(['verify', '--pubkey', 'pair.pub', 'signed.json']).status, 0);
  });
  it('only its owner can read the secret half', { skip: isWindows }, () => {
    tapeproof(['keygen', 'modes']);
    const mode = name => statSync(join(folder, name)).mode & 0o777;
    assert.deepEqual([mode('modes.key'), mode('modes.pub')], [0o600, 0o644 & ~process.umask()]);
  });
  it('names them tapeproof by default', () => {
    assert.equal(tapeproof(['keygen']).stdout, 'tapeproof.key\ntapeproof.pub\n');
  });
  for (const [name, there, gone] of [
    ['the secret half', 'one.key', 'one.pub'],
    ['the public half', 'two.pub', 'two.key'],
  ]) {
    it(`never writes over ${name}`, () => {
      file(there, 'kept');
      const { status, stderr } = tapeproof(['keygen', there.slice(0, 3)]);
      assert.equal(status, 2);
      assert.equal(stderr, `tapeproof keygen: ${there}: exists already [EEXIST]\n`);
      assert.equal(read(there), 'kept');
      assert.ok(!existsSync(join(folder, gone)));
    });
  }
  it('refused: a folder that is not there', () => {
    assert.match(tapeproof(['keygen', join('no', 'where')]).stderr, /cannot be written \[ENOENT\]/);
  });
  for (const [name, args] of [
    ['two names', ['a', 'b']],
    ['no name', ['']],
    ['a folder', ['keys/']],
  ]) {
    it(`refused: ${name}`, () => {
      const before = readdirSync(folder);
      assert.deepEqual(tapeproof(['keygen', ...args]), {
        status: 2,
        stdout: '',
        stderr: 'tapeproof keygen: expected one NAME\n',
      });
      assert.deepEqual(readdirSync(folder), before);
    });
  }
  it('leaves nothing behind when it cannot be written', { skip: isWindows && 'no limits' }, () => {
    // No file may have a byte.
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, main, 'keygen', 'half'],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
    assert.deepEqual([status, stderr], [2, 'tapeproof keygen: half.key: cannot be written [EFBIG]\n']);
    assert.deepEqual(
      readdirSync(folder).filter(name => name.startsWith('half')),
      [],
    );
  });
});
