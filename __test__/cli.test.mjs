import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { reqHash, stateHash } from 'tapeproof/hash';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const folder = mkdtempSync(join(tmpdir(), 'tapeproof-cli-'));
after(() => rmSync(folder, { recursive: true }));

const file = (name, content) => {
  writeFileSync(join(folder, name), content);
  return name;
};
const tapeproof = (args, input = '') => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { cwd: folder, input });
  return { status, stdout: stdout.toString(), stderr: stderr.toString() };
};

const request = {
  kind: 'model',
  provider: 'anthropic',
  model_id: 'claude-sonnet-5',
  messages: [{ role: 'user', content: 'summarise   this' }],
};
const json = JSON.stringify(request);
const clocks = Array.from({ length: 5 }, (_, counter) => ({ kind: 'clock', counter }));
const lines = clocks.map(clock => JSON.stringify(clock));
const hashes = clocks.map(clock => `${reqHash(clock)}\n`).join('');

file('request.json', json);
file('state.json', '{"b":"x  y","a":1}');
file('clocks.jsonl', lines.join('\n'));
file('mail.json', '{"to": ["a@b.co", "b"], "ssn": "1", "n": 1e1}');
file('secret.json', '{"SECRET": SECRET}');
file('latin1.json', Buffer.from([0x22, 0x53, 0x45, 0x43, 0x52, 0x45, 0x54, 0xe9, 0x22]));
file('bad.jsonl', [...lines.slice(0, 2), '{SECRET', lines[3]].join('\n'));
// At 64 KiB, where a stream is cut, stands a character of two bytes.
const long = { kind: 'clock', counter: 'é'.repeat(80_000) };
file('long.json', JSON.stringify(long));
file('changed.json', JSON.stringify({ ...request, temperature: 1, messages: [{ role: 'user', content: 'say this' }] }));
file('hostile.json', JSON.stringify({ ...request, messages: [{ role: 'user', content: '\u202egnp\u009b31m\u200b' }] }));
file('hostile-key.json', JSON.stringify({ kind: 'tool', args: { '\u202e\u001b[2J': 1 } }));
file('plain-key.json', JSON.stringify({ kind: 'tool', args: {} }));

const succeeding = [
  ['a file', ['hash', 'request.json'], '', `${reqHash(request)}\n`],
  ['standard input', ['hash', '-'], json, `${reqHash(request)}\n`],
  ['a state', ['hash', '--state', 'state.json'], '', `${stateHash({ a: 1, b: 'x y' })}\n`],
  [
    'canonical text',
    ['hash', '--canonical', '-'],
    '{"counter":-0,"kind":"clock","x":1}',
    '{"counter":0,"kind":"clock"}\n',
  ],
  ['canonical text of a state', ['hash', '--canonical', '--state', 'state.json'], '', '{"a":1,"b":"x y"}\n'],
  ['JSON Lines', ['hash', '--lines', 'clocks.jsonl'], '', hashes],
  ['JSON Lines that end with a line end', ['hash', '--lines', '-'], `${lines.join('\n')}\n`, hashes],
  ['JSON Lines with CRLF', ['hash', '--lines', '-'], lines.join('\r\n'), hashes],
  ['no lines', ['hash', '--lines', '-'], '', ''],
  ['a character across two chunks', ['hash', 'long.json'], '', `${reqHash(long)}\n`],
  ['a character across two chunks of lines', ['hash', '--lines', 'long.json'], '', `${reqHash(long)}\n`],
  ['a file named like an option', ['hash', '--', file('--state', json)], '', `${reqHash(request)}\n`],
  ['the version', ['--version'], '', `${version}\n`],
  ['no difference', ['diff', 'request.json', 'request.json'], '', ''],
  ['tokens', ['redact', 'mail.json'], '', '{"to":["[redacted:email:0]","b"],"ssn":"1","n":10}\n'],
  ['tokens of standard input', ['redact', '-'], '"x a@b.co"', '"x [redacted:email:0]"\n'],
  [
    'tokens line by line',
    ['redact', '--lines', '-'],
    '"a@b.co"\n1\n"b@b.co"',
    '"[redacted:email:0]"\n1\n"[redacted:email:0]"\n',
  ],
  ['tokens of a preset', ['redact', '--preset', 'iban,ipv4', '-'], '"10.0.0.1 a@b.co"', '"[redacted:ipv4:0] a@b.co"\n'],
  [
    'tokens of fields and patterns',
    [
      'redact',
      '--preset',
      'none',
      '--field',
      'ssn',
      '--field=to[1]',
      '--pattern',
      '/B/i',
      '--pattern=\\.',
      'mail.json',
    ],
    '',
    '{"to":["a@[redacted:custom:0:0][redacted:custom:1:0]co","[redacted:field:0]"],"ssn":"[redacted:field:1]","n":10}\n',
  ],
  ['nothing to find', ['redact', '--check', '-'], '{"a":["b"]}', ''],
];

const refused = [
  ['no command', [], '', /^Usage: tapeproof/],
  ['an unknown command', ['hsah'], '', /^tapeproof: unknown command hsah/],
  ['an unknown option before the command', ['--lines'], '', /^tapeproof: unknown option --lines/],
  ['a command from the prototype', ['toString'], '', /^tapeproof: unknown command toString/],
  ['an unknown option', ['hash', '--linse', 'request.json'], '', /^tapeproof hash: Unknown option '--linse'\n$/],
  ['an option that takes no value', ['hash', '--state=yes', 'request.json'], '', /^tapeproof hash: .*--state/],
  ['a hostile option', ['hash', '--\u001b[2J'], '', /^tapeproof hash: .*\\u001b\[2J/],
  ['no file', ['hash'], '', /^tapeproof hash: expected one FILE/],
  ['two files', ['hash', 'request.json', 'state.json'], '', /^tapeproof hash: expected one FILE/],
  [
    'a file that is not there',
    ['hash', 'nowhere.json'],
    '',
    /^tapeproof hash: nowhere\.json: no such file \[ENOENT\]\n$/,
  ],
  ['a folder', ['hash', '.'], '', /^tapeproof hash: \.: cannot be read \[EISDIR\]\n$/],
  ['not JSON', ['hash', 'secret.json'], '', /^tapeproof hash: secret\.json: .*\[ERR_TAPEPROOF_SYNTAX\]\n$/],
  [
    'not JSON, canonical',
    ['hash', '--canonical', 'secret.json'],
    '',
    /secret\.json: not JSON \[ERR_TAPEPROOF_SYNTAX\]\n$/,
  ],
  ['not UTF-8', ['hash', 'latin1.json'], '', /^tapeproof hash: latin1\.json: not UTF-8 \[ERR_TAPEPROOF_UTF8\]\n$/],
  ['nothing', ['hash', '-'], '', /^tapeproof hash: standard input: .*\[ERR_TAPEPROOF_SYNTAX\]\n$/],
  ['null', ['hash', '-'], 'null', /^tapeproof hash: standard input: .*\[ERR_TAPEPROOF_REQUEST\]\n$/],
  [
    'nesting without end',
    ['hash', '-'],
    `{"kind":"tool","args":${'['.repeat(1e5)}${']'.repeat(1e5)}}`,
    /\[ERR_TAPEPROOF_DEPTH\]\n$/,
  ],
  [
    'an empty line',
    ['hash', '--lines', '-'],
    `${lines[0]}\n\n${lines[1]}`,
    /standard input:2: .*\[ERR_TAPEPROOF_SYNTAX\]\n$/,
  ],
  ['one file to compare', ['diff', 'request.json'], '', /^tapeproof diff: expected two files/],
  ['standard input against itself', ['diff', '-', '-'], '', /^tapeproof diff: only one/],
  [
    'a bad file to compare',
    ['diff', 'request.json', 'secret.json'],
    '',
    /^tapeproof diff: secret\.json: not JSON \[ERR_TAPEPROOF_SYNTAX\]\n$/,
  ],
  ['no file to redact', ['redact'], '', /^tapeproof redact: expected one FILE/],
  [
    'an unknown preset',
    ['redact', '--preset', 'strict', 'mail.json'],
    '',
    /^tapeproof redact: .*ERR_TAPEPROOF_PRESET\]\n$/,
  ],
  [
    'a pattern that is none',
    ['redact', '--pattern', '(', 'mail.json'],
    '',
    /^tapeproof redact: not a regular expression: \(\n$/,
  ],
  [
    'a map that cannot be written',
    ['redact', '--map', '.', 'mail.json'],
    '',
    /^tapeproof redact: \.: cannot be written \[EISDIR\]\n$/,
  ],
  [
    'a map for a check',
    ['redact', '--check', '--map', 'map.json', 'mail.json'],
    '',
    /^tapeproof redact: expected --check or --map/,
  ],
  [
    'text to redact that is not JSON',
    ['redact', 'secret.json'],
    '',
    /^tapeproof redact: secret\.json: not JSON \[ERR_TAPEPROOF_SYNTAX\]\n$/,
  ],
  ['null to compare', ['diff', 'request.json', '-'], 'null', /^tapeproof diff: .*\[ERR_TAPEPROOF_REQUEST\]\n$/],
];

const differing = [
  [
    'changed and added values',
    ['diff', 'request.json', 'changed.json'],
    '/messages/0/content\n  - "summarise this"\n  + "say this"\n/temperature\n  + 1\n',
  ],
  [
    'hostile text',
    ['diff', 'request.json', 'hostile.json'],
    '/messages/0/content\n  - "summarise this"\n  + "\\u202egnp\\u009b31m\\u200b"\n',
  ],
  ['a hostile key', ['diff', 'hostile-key.json', 'plain-key.json'], '/args/\\u202e\\u001b[2J\n  - 1\n'],
];

describe('tapeproof', () => {
  for (const [name, args, input, stdout] of succeeding) {
    it(name, () => assert.deepEqual(tapeproof(args, input), { status: 0, stdout, stderr: '' }));
  }

  for (const [name, args, input, message] of refused) {
    it(`refuses ${name}`, () => {
      const { status, stderr } = tapeproof(args, input);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /SECRET/);
      assert.equal(status, 2);
    });
  }

  for (const [name, args, stdout] of differing) {
    it(`shows ${name}`, () => assert.deepEqual(tapeproof(args), { status: 1, stdout, stderr: '' }));
  }

  it('writes the maps beside the values', () => {
    const { status, stdout } = tapeproof(['redact', '--lines', '--map', 'map.jsonl', '-'], '"a@b.co"\n"none"\n');
    assert.deepEqual({ status, stdout }, { status: 0, stdout: '"[redacted:email:0]"\n"none"\n' });
    assert.equal(readFileSync(join(folder, 'map.jsonl'), 'utf8'), '{"[redacted:email:0]":"email"}\n{}\n');
  });

  it('names what is found, not what it is', () => {
    assert.deepEqual(tapeproof(['redact', '--check', '--field', 'ssn', 'mail.json']), {
      status: 1,
      stdout: '',
      stderr: '/to/0 email 0-6\n/ssn field 0-1\n',
    });
    const { status, stderr } = tapeproof(['redact', '--check', '--lines', '-'], '1\n{"\\u001b":"a@b.co"}\n');
    assert.deepEqual({ status, stderr }, { status: 1, stderr: '2:/\\u001b email 0-6\n' });
  });

  for (const args of [['--help'], ['-h'], ['help'], ['hash', '--help'], ['diff', '-h'], ['redact', '--help']]) {
    it(`${args.join(' ')} explains`, () => {
      const { status, stdout, stderr } = tapeproof(args);
      assert.match(stdout, /^Usage: tapeproof /);
      assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
    });
  }

  it('names the line that is bad, after the hashes of those before it', () => {
    const { status, stdout, stderr } = tapeproof(['hash', '--lines', 'bad.jsonl']);
    assert.equal(
      stdout,
      hashes
        .split('\n', 2)
        .map(hash => `${hash}\n`)
        .join(''),
    );
    assert.match(stderr, /^tapeproof hash: bad\.jsonl:3: .*\[ERR_TAPEPROOF_SYNTAX\]\n$/);
    assert.doesNotMatch(stderr, /SECRET/);
    assert.equal(status, 2);
  });

  it('shows the part of long values around their first difference, or with --full all of them', () => {
    const words = 'a word, '.repeat(300);
    file('long-a.json', JSON.stringify({ kind: 'tool', args: `${words}one ${words}` }));
    file('long-b.json', JSON.stringify({ kind: 'tool', args: `${words}two ${words}` }));
    const short = tapeproof(['diff', 'long-a.json', 'long-b.json']).stdout;
    assert.match(short, /^\/args\n {2}- ….*word, one a word.*…\n {2}\+ ….*word, two a word.*…\n$/);
    const full = tapeproof(['diff', '--full', 'long-a.json', 'long-b.json']).stdout;
    assert.equal(full, `/args\n  - "${words}one ${words.trim()}"\n  + "${words}two ${words.trim()}"\n`);
  });

  it('answers each line as it comes', async () => {
    const child = spawn(process.execPath, [main, 'hash', '--lines', '-'], { stdio: ['pipe', 'pipe', 'inherit'] });
    for (const clock of clocks) {
      child.stdin.write(`${JSON.stringify(clock)}\n`);
      const [answer] = await once(child.stdout, 'data');
      assert.equal(answer.toString(), `${reqHash(clock)}\n`);
    }
    child.stdin.end();
    assert.deepEqual(await once(child, 'close'), [0, null]);
  });

  it('ends quietly when its reader has seen enough', async () => {
    file('many.jsonl', `${lines[0]}\n`.repeat(20_000));
    const child = spawn(process.execPath, [main, 'hash', '--lines', 'many.jsonl'], { cwd: folder });
    let complaints = '';
    child.stderr.on('data', chunk => {
      complaints += chunk;
    });
    await once(child.stdout, 'data');
    child.stdout.destroy();
    assert.deepEqual(await once(child, 'close'), [0, null]);
    assert.equal(complaints, '');
  });
});
