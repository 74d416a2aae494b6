// `tapeproof verify` and `runback-verify`: verdicts as exit codes, the report, and what a hostile record can do to it.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { generateKeyPair, seal, verifyJson } from 'tapeproof/verify';
import { bench } from './cli/tapeproof.mjs';

const { folder, file, tapeproof, runbackVerify } = bench();
const [pair, rotated, stranger] = [generateKeyPair(), generateKeyPair(), generateKeyPair()];
const isWindows = process.platform === 'win32';

const EVENTS = [
  { type: 'run', phase: 'start', run_id: 'run_1', seq: 0 },
  { type: 'llm', run_id: 'run_1', seq: 1, model: { model_id: 'm' }, request: { q: 1 }, response: { text: 'a' } },
  { type: 'run', phase: 'end', run_id: 'run_1', seq: 2, status: 'success', output: '4', error: null },
];
const RUN = { run_id: 'run_1', status: 'success', output: '4', error: null };
const sealed = keys => seal(EVENTS, { run: RUN, generatedAt: '2026-01-02T03:04:05.678Z', ...keys });
const changed = change => {
  const record = sealed({ privateKey: pair.privateKey });
  change(record);
  return JSON.stringify(record);
};
const json = JSON.stringify;
const torn = changed(record => {
  record.events[1].response.text = 'b';
});

file('pinned.pub', pair.publicKey);
file('two.pub', `${stranger.publicKey}${pair.publicKey}`);
file('stranger.pub', stranger.publicKey);
file('secret.key', pair.privateKey);
file('indented.pub', `${pair.publicKey} ${stranger.publicKey}`);
file('hmac.txt', 'clé\n');
file('valid.json', json(sealed({ privateKey: pair.privateKey })));
file('hmac.json', json(sealed({ hmacKey: 'clé' })));
file('unsigned.json', json(sealed({})));
file('torn.json', torn);
file('list.json', '[1, 2]');
file('SECRET.json', '{"SECRET": SECRET}');
file('latin1.json', Buffer.from([0x22, 0x53, 0xe9, 0x22]));
file('good/a.json', json(sealed({ privateKey: pair.privateKey })));
file('good/b/c.json', json(sealed({ privateKey: pair.privateKey })));
file('good/b/README.md', 'no record');
file('mixed/1.json', json(sealed({ privateKey: pair.privateKey })));
file('mixed/2.json', '{"manifest":');
file('mixed/3.json', json(sealed({})));
file('mixed/4.json', json(sealed({ privateKey: pair.privateKey })));
file('unproven/1.json', json(sealed({ privateKey: pair.privateKey })));
file('unproven/2.json', json(sealed({})));
mkdirSync(join(folder, 'empty'));
const pinned = ['--pubkey', 'pinned.pub'];

describe('exit codes', () => {
  const rows = [
    ['valid', [...pinned, 'valid.json'], 0],
    ['valid, one of two pinned keys in a file', ['--pubkey', 'two.pub', 'valid.json'], 0],
    ['valid, one of two files of pinned keys', ['--pubkey', 'stranger.pub', ...pinned, 'valid.json'], 0],
    ['valid, HMAC key in a file', ['--key-file', 'hmac.txt', 'hmac.json'], 0],
    ['valid, HMAC key given', ['--key', 'clé', 'hmac.json'], 0],
    ['a folder, all valid', [...pinned, 'good'], 0],
    ['unsigned', ['unsigned.json'], 2],
    ["by a key that is not Runback's", ['valid.json'], 2],
    ['by a key that is not pinned', ['--pubkey', 'stranger.pub', 'valid.json'], 2],
    ['with no key pinned', ['--no-pin', 'valid.json'], 2],
    ['by a revoked key', [...pinned, '--revoked', 'pinned.pub', 'valid.json'], 2],
    ['HMAC without its key', ['hmac.json'], 2],
    ['a folder, one unsigned', [...pinned, 'unproven'], 2],
    ['changed', [...pinned, 'torn.json'], 1],
    ['HMAC by another key', ['--key', 'cle', 'hmac.json'], 1],
    ['several, the worst counts', [...pinned, 'unsigned.json', 'torn.json', 'valid.json'], 1],
    ['several, unverified is worse than valid', [...pinned, 'unsigned.json', 'valid.json'], 2],
    ['the same file twice', [...pinned, 'valid.json', 'valid.json'], 0],
  ];
  for (const [name, args, status] of rows) {
    it(name, () => {
      const full = tapeproof(['verify', ...args]);
      assert.deepEqual([full.status, full.stderr], [status, '']);
      const quiet = tapeproof(['verify', '--quiet', ...args]);
      assert.deepEqual(quiet, { status, stdout: '', stderr: '' });
    });
  }
});

describe('keys of the environment', () => {
  const keys = `${rotated.publicKey}${pair.publicKey}`;
  const rows = [
    ['pinned together', ['valid.json'], { TAPEPROOF_ED25519_PUBLIC_KEYS: keys }, 0],
    ['not those', ['valid.json'], { TAPEPROOF_ED25519_PUBLIC_KEYS: stranger.publicKey }, 2],
    ['an option in their place', ['--no-pin', 'valid.json'], { TAPEPROOF_ED25519_PUBLIC_KEYS: keys }, 2],
    ['empty, as if not there', ['valid.json'], { TAPEPROOF_ED25519_PUBLIC_KEYS: '' }, 2],
    ['the HMAC key', ['hmac.json'], { TAPEPROOF_HMAC_KEY: 'clé' }, 0],
    ['the previous HMAC key', ['hmac.json'], { TAPEPROOF_HMAC_KEY: 'x', TAPEPROOF_HMAC_KEY_PREVIOUS: 'clé' }, 0],
    ['only the previous one', ['hmac.json'], { TAPEPROOF_HMAC_KEY_PREVIOUS: 'clé' }, 0],
    ['neither', ['hmac.json'], { TAPEPROOF_HMAC_KEY: 'x', TAPEPROOF_HMAC_KEY_PREVIOUS: 'y' }, 1],
    ['an HMAC key given', ['--key', 'x', 'hmac.json'], { TAPEPROOF_HMAC_KEY: 'clé' }, 1],
  ];
  for (const [name, args, env, status] of rows) {
    it(name, () => assert.equal(tapeproof(['verify', '--quiet', ...args], { env }).status, status));
  }

  it('unreadable', () => {
    const { status, stderr } = tapeproof(['verify', 'valid.json'], {
      env: { TAPEPROOF_ED25519_PUBLIC_KEYS: 'SECRET' },
    });
    assert.equal(status, 1);
    assert.match(stderr, /^tapeproof verify: TAPEPROOF_ED25519_PUBLIC_KEYS: .*\[ERR_TAPEPROOF_PUBLIC_KEY\]\n$/);
    assert.doesNotMatch(stderr, /SECRET/);
  });
});

describe('bad input', () => {
  const line = words => new RegExp(`^tapeproof verify: ${words}\n$`);
  const rows = [
    ['no path', [], line('expected a PATH, or - for standard input')],
    ['an unknown option', ['--jsno', 'valid.json'], line("Unknown option '--jsno'")],
    ['an option without its value', ['valid.json', '--pubkey'], line("Option '--pubkey <value>' argument missing")],
    ['two HMAC keys', ['--key', 'a', '--key-file', 'hmac.txt', 'x'], line('expected --key or --key-file, not both')],
    ['an empty HMAC key', ['--key=', 'valid.json'], line('expected a key, found nothing')],
    ['pinned and not pinned', [...pinned, '--no-pin', 'x'], line('expected --pubkey or --no-pin, not both')],
    ['standard input twice', ['-', '-'], line('standard input can be read once')],
    ['no such file', ['nowhere.json'], line('nowhere\\.json: no such file \\[ENOENT\\]')],
    ['a hostile name', ['\u001b[2J\r.json'], line('\\\\u001b\\[2J\\\\u000d\\.json: no such file \\[ENOENT\\]')],
    ['a folder without records', ['empty'], line('empty: no \\*\\.json in this folder')],
    ['no such key', ['--pubkey', 'nowhere.pub', 'valid.json'], line('nowhere\\.pub: no such file \\[ENOENT\\]')],
    ...[
      ['a private key', 'secret.key'],
      ['no key', 'hmac.txt'],
      ['a key that is overlooked', 'indented.pub'],
    ].flatMap(([name, key]) =>
      ['--pubkey', '--revoked'].map(option => [
        `${name} as ${option}`,
        [option, key, 'valid.json'],
        line(`${key}: .*\\[ERR_TAPEPROOF_PUBLIC_KEY\\]`),
      ]),
    ),
    ['no such HMAC key', ['--key-file', 'nowhere', 'hmac.json'], line('nowhere: no such file \\[ENOENT\\]')],
    ['not a record', ['list.json'], line('list\\.json: .*\\[ERR_TAPEPROOF_RECORD\\]')],
    ['not JSON', ['SECRET.json'], line('SECRET\\.json: not JSON \\(at byte 11\\) \\[ERR_TAPEPROOF_SYNTAX\\]')],
    ['not UTF-8', ['latin1.json'], line('latin1\\.json: .*\\[ERR_TAPEPROOF_UTF8\\]')],
  ];
  for (const [name, args, stderr] of rows) {
    it(name, () => {
      const result = tapeproof(['verify', ...args]);
      assert.deepEqual([result.status, result.stdout], [1, '']);
      assert.match(result.stderr, stderr);
    });
  }

  it('one that is no record among others: they are verified', () => {
    const { status, stdout, stderr } = tapeproof(['verify', ...pinned, 'mixed', 'nowhere', 'valid.json']);
    assert.equal(status, 1);
    const path = name => join('mixed', name);
    assert.deepEqual(
      stdout.split('\n').filter(line => /^[✓?✗]/.test(line)),
      [
        `✓ valid       ${path('1.json')}`,
        `? unverified  ${path('3.json')}`,
        `✓ valid       ${path('4.json')}`,
        '✓ valid       valid.json',
      ],
    );
    assert.match(stdout, /\n6 records: 3 valid, 1 unverified, 2 not read\n$/);
    assert.deepEqual(stderr.split('\n').length, 3);
    assert.match(stderr, /2\.json: not JSON/);
    assert.match(stderr, /nowhere: no such file/);
  });

  it('a FIFO', { skip: isWindows }, () => {
    execFileSync('mkfifo', [join(folder, 'fifo.json')]);
    const { status, stdout, stderr } = tapeproof(['verify', ...pinned, 'fifo.json', 'valid.json']);
    assert.equal(status, 1);
    assert.equal(stderr, 'tapeproof verify: fifo.json: not a file\n');
    assert.match(stdout, /^✓ valid {7}valid\.json$/m);
  });

  it('a loop of folders', { skip: isWindows }, () => {
    file('loop/inside/a.json', json(sealed({ privateKey: pair.privateKey })));
    symlinkSync('..', join(folder, 'loop', 'inside', 'back'));
    symlinkSync('self', join(folder, 'loop', 'self'));
    symlinkSync('inside', join(folder, 'loop', 'other'));
    const { status, stdout, stderr } = tapeproof(['verify', ...pinned, 'loop']);
    assert.equal(status, 1);
    assert.deepEqual(stderr.split('\n').sort(), [
      '',
      'tapeproof verify: loop/inside/back: a loop: this folder is inside of itself',
      'tapeproof verify: loop/self: a loop of links',
    ]);
    assert.equal(stdout.match(/✓ valid/g).length, 1, 'a folder with two names is looked at once');
  });

  it('links to records and folders are followed', { skip: isWindows }, () => {
    mkdirSync(join(folder, 'links'));
    symlinkSync('../good', join(folder, 'links', 'good'));
    symlinkSync('../torn.json', join(folder, 'links', 'torn.json'));
    symlinkSync('nowhere', join(folder, 'links', 'gone.json'));
    const { status, stdout, stderr } = tapeproof(['verify', ...pinned, 'links']);
    assert.equal(status, 1);
    assert.match(stdout, /4 records: 2 valid, 1 invalid, 1 not read\n$/);
    assert.match(stderr, /gone\.json: a link to nothing/);
  });

  // Node 20 has begun its four threads by then, and threads have names on Linux.
  const isCounted = process.platform === 'linux' && !process.version.startsWith('v20.');
  for (const [name, env, threads] of [
    ['as many as there are cores', {}, 9],
    ['as many as the environment says', { UV_THREADPOOL_SIZE: '3' }, 3],
  ]) {
    it(`threads: ${isCounted ? name : 'the verdicts are the same'}`, () => {
      const script = `
        import fs from 'node:fs';
        import os from 'node:os';
        os.availableParallelism = () => 9;
        process.on('exit', () => {
          const names = fs.readdirSync('/proc/self/task').map(task => fs.readFileSync('/proc/self/task/' + task + '/comm', 'utf8'));
          console.log(names.filter(name => name.trim() === 'libuv-worker').length);
        });`;
      const counting = isCounted && { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
      const { status, stdout } = tapeproof(['verify', ...pinned, 'good'], { env: { ...env, ...counting } });
      assert.equal(status, 0);
      if (isCounted) assert.equal(stdout.trim().split('\n').at(-1), String(threads));
    });
  }

  it('a reader that stops does not make it valid', async () => {
    const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
    const child = spawn(process.execPath, [main, 'verify', 'torn.json'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    assert.deepEqual(await once(child, 'exit'), [1, null]);
  });
});

describe('the report', () => {
  const whole = args => tapeproof(['verify', ...args]).stdout;

  it('of a valid record', () => {
    assert.equal(
      whole([...pinned, 'valid.json']),
      `✓ valid       valid.json
  ✓ schema      a schema that is known
  ✓ consistent  the summary says what the events say
  ✓ chain       every event is what its hash says
  ✓ digest      the chain ends where the manifest says
  ✓ cassette    the oracle stream is what its digest says
  ✓ signature   Ed25519, by a pinned key: its owner signed these events

  3 events. The record says of itself:
    schema        "runback.audit/v2"
    run_id        "run_1"
    generated_at  "2026-01-02T03:04:05.678Z"
`,
    );
  });

  const signatures = [
    ['HMAC', ['--key', 'clé', 'hmac.json'], '✓ signature   HMAC, made with the given key: by someone who has it'],
    ['HMAC without a key', ['hmac.json'], '? signature   HMAC, not checked without its key: nothing is proven'],
    ['HMAC, wrong', ['--key', 'x', 'hmac.json'], '✗ signature   HMAC, wrong'],
    ['unsigned', ['unsigned.json'], '? signature   none: anyone may have made this record'],
    ['not pinned', ['valid.json'], '? signature   Ed25519, by the key in the record, which is not pinned'],
    ['revoked', ['--revoked', 'pinned.pub', 'valid.json'], '? signature   Ed25519, by a revoked key'],
    [
      'sound, but for other events',
      [...pinned, 'torn.json'],
      '✓ signature   Ed25519, by a pinned key, but for digests that are not those of the events',
    ],
  ];
  for (const [name, args, line] of signatures) {
    it(`a signature: ${name}`, () => assert.ok(whole(args).includes(`\n  ${line}`)));
  }

  const failures = [
    ['schema', record => Object.assign(record, { $schema: 'x' }), 'schema      $schema names none'],
    ['run_id', record => Object.assign(record.manifest, { run_id: 'x' }), 'consistent  manifest.run_id is'],
    ['status', record => Object.assign(record.run, { status: 'error' }), 'consistent  run.status contradicts'],
    ['output', record => Object.assign(record.run, { output: 5 }), 'consistent  run.output contradicts'],
    ['error', record => Object.assign(record.run, { error: 5 }), 'consistent  run.error contradicts'],
    ['chain', record => Object.assign(record.events[1], { x: 1 }), 'chain       broken at event 1 (/events/1/_hash)'],
    ['digest', record => record.events.pop(), 'digest      the chain ends elsewhere'],
    ['cassette', record => Object.assign(record.manifest, { replay: {} }), 'cassette    the oracle stream is not'],
    ['seq', record => Object.assign(record.events[2], { seq: 'x' }), 'cassette    event 2 has a seq'],
    ['signature', record => Object.assign(record.manifest.signature, { value: 'x' }), 'signature   Ed25519, wrong'],
  ];
  for (const [name, change, line] of failures) {
    it(`a failure: ${name}`, () => {
      file('changed.json', changed(change));
      assert.ok(whole([...pinned, 'changed.json']).includes(`\n  ✗ ${line}`));
      assert.ok(whole([...pinned, 'changed.json', 'valid.json']).includes(`\n  ✗ ${line}`));
    });
  }
});

describe('hostile text', () => {
  const FORGED = [
    ['escape sequences', '\u001b[2J\u001b[1;1H✓ valid'],
    ['a carriage return', 'x\r✓ valid       valid.json'],
    ['line ends', 'x\n✓ valid       valid.json\u2028\u2029\u0085\u000b'],
    ['bidirectional controls', '\u202edilav ✓\u2066\u2069\u200f'],
    ['C1 controls and zero-width marks', '\u009b2J\u200b\ufeff\u00ad'],
    ['white space up to the next line of the terminal', `x${' '.repeat(500)}✓ valid`],
    ['a long text', '\u{1f600}'.repeat(10_000)],
    ['backspaces and a bell', '\b\b\b\u0007\u007f'],
    ['a lone surrogate', '\ud800'],
  ];
  const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
  const hostile = text => ({
    $schema: text,
    manifest: {
      run_id: text,
      generated_at: text,
      spec_url: text,
      content_digest: text,
      signature: { alg: text, value: text },
    },
    run: { status: text, output: text },
    events: [{ type: 'run', phase: 'end', run_id: text, status: `${text}.`, seq: text, _hash: text }],
  });
  for (const [name, text] of FORGED) {
    it(`${name}: in the report`, () => {
      file('hostile.json', json(hostile(text)));
      for (const args of [['hostile.json'], ['hostile.json', 'valid.json']]) {
        const { status, stdout } = tapeproof(['verify', ...pinned, ...args]);
        assert.equal(status, 1);
        for (const line of stdout.split('\n')) {
          assert.doesNotMatch(line, HIDDEN);
          assert.match(
            line,
            /^(|[✓✗?] \w+ +(hostile|valid)\.json| {2}[✓✗?] \w+ .*| {2}1 event\. .*| {4}\w+ +".*"…?|\d records: .*)$/,
          );
        }
        assert.doesNotMatch(stdout, /^[^"]*✓ (signature|chain)/m);
        assert.equal(stdout.match(/^✓ valid/gm)?.length ?? 0, args.length - 1);
      }
    });
    it(`${name}: in JSON`, () => {
      file('hostile.json', json(hostile(text)));
      const { stdout } = tapeproof(['verify', '--json', 'hostile.json']);
      assert.doesNotMatch(stdout.replace(/\n$/, ''), HIDDEN);
      assert.deepEqual(JSON.parse(stdout), verifyJson(json(hostile(text))));
    });
  }

  it('in the name of a file', { skip: isWindows }, () => {
    file('names/\u001b[2J\r\u202e.json', torn);
    const { stdout } = tapeproof(['verify', 'names']);
    assert.doesNotMatch(stdout.replaceAll('\n', ''), HIDDEN);
    assert.match(stdout, /^✗ invalid {5}names\/\\u001b\[2J\\u000d\\u202e\.json$/m);
  });
});

describe('JSON', () => {
  const options = { expectedPublicKey: pair.publicKey };
  it('of one file: the result, unchanged', () => {
    const { stdout } = tapeproof(['verify', '--json', ...pinned, 'torn.json']);
    assert.equal(stdout, `${json(verifyJson(torn, null, options))}\n`);
  });
  it('of several: a line each, in their order, with the file', () => {
    const { status, stdout } = tapeproof(['verify', '--json', ...pinned, 'mixed']);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    assert.equal(status, 1);
    assert.deepEqual(
      lines.map(({ file }) => file),
      ['1', '2', '3', '4'].map(name => join('mixed', `${name}.json`)),
    );
    assert.deepEqual(
      lines.map(({ verdict }) => verdict),
      ['valid', undefined, 'unverified', 'valid'],
    );
    assert.deepEqual(lines[0], {
      file: join('mixed', '1.json'),
      ...verifyJson(json(sealed({ privateKey: pair.privateKey })), null, options),
    });
    assert.match(lines[1].error, /ERR_TAPEPROOF_SYNTAX/);
  });
  it('of a folder with one record: a line with the file', () => {
    const { stdout } = tapeproof(['verify', '--json', ...pinned, join('good', 'b')]);
    assert.equal(JSON.parse(stdout).file, join('good', 'b', 'c.json'));
  });
});

describe('standard input', () => {
  it('is named so', () => {
    const { status, stdout } = tapeproof(['verify', ...pinned, '-'], { input: torn });
    assert.equal(status, 1);
    assert.match(stdout, /^✗ invalid {5}standard input\n/);
  });
  it('beside files', () => {
    const { status, stdout } = tapeproof(['verify', '--json', ...pinned, 'valid.json', '-'], { input: torn });
    assert.equal(status, 1);
    assert.deepEqual(
      stdout
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line).file),
      ['valid.json', '-'],
    );
  });
});

describe('on a terminal', () => {
  const ESC = '\u001b';
  const CLEAR = `\r${ESC}[K`;
  const colourful = env =>
    tapeproof(['verify', ...pinned, 'torn.json'], { env, onTerminal: true }).stdout.includes(ESC);
  it('colours', () => assert.ok(colourful({})));
  it('none with NO_COLOR', () => assert.ok(!colourful({ NO_COLOR: '1' })));
  it('an empty NO_COLOR is none', () => assert.ok(colourful({ NO_COLOR: '' })));
  it('none on a dumb one', () => assert.ok(!colourful({ TERM: 'dumb' })));
  it('none elsewhere', () => assert.ok(!tapeproof(['verify', 'torn.json']).stdout.includes(ESC)));
  it('a line of progress over several files, and it is cleared', () => {
    const { stderr } = tapeproof(['verify', ...pinned, 'good'], { onTerminal: true });
    assert.ok(stderr.startsWith(`${CLEAR}1 verified`));
    assert.ok(stderr.endsWith(CLEAR));
  });
  it('none over one file, and none elsewhere', () => {
    assert.equal(tapeproof(['verify', ...pinned, 'valid.json'], { onTerminal: true }).stderr, '');
    assert.equal(tapeproof(['verify', ...pinned, 'good']).stderr, '');
  });
});

describe('runback-verify', () => {
  const valid = json(sealed({ privateKey: pair.privateKey }));
  const rows = [
    ['a file', ['torn.json'], '', 1],
    ['standard input', ['-'], valid, 2],
    ['standard input by name', ['--stdin'], valid, 2],
    ['a key', ['hmac.json', '--key', 'clé'], '', 0],
    ['no such file', ['nowhere.json'], '', 1],
    ['no file', [], '', 1],
    ['two files', ['valid.json', 'torn.json'], '', 1],
    ['an unknown option', ['--pubkey', 'pinned.pub', 'valid.json'], '', 1],
    ['help', ['--help'], '', 0],
  ];
  for (const [name, args, input, status] of rows) {
    it(name, () => assert.equal(runbackVerify(args, { input }).status, status));
  }
  it('JSON', () => {
    const { stdout } = runbackVerify(['--json', 'torn.json']);
    assert.deepEqual(JSON.parse(stdout), verifyJson(torn));
  });
  it('speaks in its own name', () => {
    assert.match(
      runbackVerify(['nowhere.json']).stderr,
      /^(runback-verify|tapeproof verify): nowhere\.json: no such file/,
    );
  });
});
