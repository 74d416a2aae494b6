// What a command writes to is not always a new file: nothing that was there may be lost by it.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, lstatSync, openSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Recorder } from 'tapeproof/recorder';
import { fileStore } from 'tapeproof/store';
import { verifyJson } from 'tapeproof/verify';
import { bench } from '../cli/tapeproof.mjs';

const { folder, file, tapeproof } = bench();
const read = name => readFileSync(join(folder, name), 'utf8');

describe('redact --map', () => {
  const value = '{"to":"a@b.co"}\n';
  const map = '{"[redacted:email:0]":"email"}\n';

  it('to the input is refused, and the input stays', () => {
    file('value.json', value);
    symlinkSync('value.json', join(folder, 'link.json'));
    for (const [input, name] of [
      ['value.json', 'value.json'],
      ['value.json', './value.json'],
      ['value.json', 'link.json'],
      ['link.json', 'value.json'],
    ]) {
      const { status, stdout, stderr } = tapeproof(['redact', input, '--map', name]);
      assert.deepEqual({ status, stdout }, { status: 2, stdout: '' });
      assert.match(stderr, /^tapeproof redact: expected --map as another file/);
      assert.equal(read('value.json'), value);
    }
  });

  it('leaves the map that is there when the input is none', () => {
    file('broken.json', '{"SECRET');
    for (const input of ['missing.json', 'broken.json']) {
      file('map.json', 'an earlier map');
      assert.equal(tapeproof(['redact', input, '--map', 'map.json']).status, 2);
      assert.equal(read('map.json'), 'an earlier map');
    }
  });

  it('takes the place of a longer one', () => {
    file('map.json', 'x'.repeat(1000));
    assert.equal(tapeproof(['redact', 'value.json', '--map', 'map.json']).status, 0);
    assert.equal(read('map.json'), map);
    assert.equal(tapeproof(['redact', '--lines', '-', '--map', 'map.json']).status, 0);
    assert.equal(read('map.json'), '');
  });

  it('has the maps of what came before a bad line', () => {
    const { status, stdout } = tapeproof(['redact', '--lines', '-', '--map', 'map.json'], {
      input: `${value}{"SECRET`,
    });
    assert.deepEqual({ status, stdout }, { status: 2, stdout: '{"to":"[redacted:email:0]"}\n' });
    assert.equal(read('map.json'), map);
  });

  it('says when the disk is full', { skip: process.platform !== 'linux' && 'no /dev/full' }, () => {
    const { status, stderr } = tapeproof(['redact', 'value.json', '--map', '/dev/full']);
    assert.equal(status, 2);
    assert.equal(stderr, 'tapeproof redact: /dev/full: cannot be written [ENOSPC]\n');
  });
});

describe('seal -o', () => {
  const recorder = new Recorder({ store: fileStore(join(folder, '.rewind')), run: { run_id: 'one' } });
  for (let at = 0; at < 3; at++) {
    const request = { kind: 'tool', tool_name: 't', args: { at } };
    recorder.record({ node: 'n', kind: 'tool', request, response: at, latency_ms: 1 });
  }
  recorder.finish(null);
  file('events.json', '[{"type":"tool"}]');
  file('run.json', '{"run_id":"one"}');

  for (const [name, args] of [
    ['of events', ['events.json', '--run', 'run.json']],
    ['of a recorded run', ['--run-id', 'one']],
  ]) {
    const sealTo = output =>
      tapeproof(['seal', ...args, '--generated-at', '2026-01-01', '-o', output], { env: { TAPEPROOF_HMAC_KEY: 'k' } });
    const isValid = text => verifyJson(text, 'k').verdict === 'valid';

    it(`${name}: a link stays, and what it leads to is replaced`, () => {
      file('target.json', 'before');
      spawnSync('rm', ['-f', join(folder, 'to-target.json')]);
      symlinkSync('target.json', join(folder, 'to-target.json'));
      assert.deepEqual(sealTo('to-target.json'), { status: 0, stdout: '', stderr: '' });
      assert.equal(readlinkSync(join(folder, 'to-target.json')), 'target.json');
      assert.ok(isValid(read('target.json')));
    });

    it(`${name}: a pipe stays one, and gets the bytes of the file`, {
      skip: process.platform === 'win32' && 'no pipes',
    }, async () => {
      const pipe = join(folder, `pipe-${args.length}`);
      assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
      const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] });
      const closed = once(reader, 'close');
      const chunks = [];
      reader.stdout.on('data', chunk => chunks.push(chunk));
      try {
        assert.deepEqual(sealTo(pipe), { status: 0, stdout: '', stderr: '' });
        assert.ok(lstatSync(pipe).isFIFO());
        await closed;
      } finally {
        reader.kill();
      }
      const text = Buffer.concat(chunks).toString();
      assert.ok(isValid(text));
      sealTo('whole.json');
      assert.equal(text, read('whole.json'));
    });

    it(`${name}: a folder is refused`, () => {
      const { status, stderr } = sealTo('.');
      assert.equal(status, 2);
      assert.match(stderr, /^tapeproof seal: \.: cannot be written \[EISDIR\]\n$/);
    });
  }
});

describe('standard output and standard error', { skip: process.platform !== 'linux' && 'no /dev/full' }, () => {
  const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
  file('request.json', '{"kind":"clock","counter":0}');
  file('found.jsonl', '{"to":"a@b.co"}\n'.repeat(5000));

  for (const [args, status] of [
    [['hash', 'request.json'], 2],
    [['verify', '--json', 'whole.json'], 1],
    [['--version'], 2],
  ]) {
    it(`a disk that is full: ${args[0]}`, () => {
      const full = openSync('/dev/full', 'w');
      const options = { cwd: folder, stdio: ['ignore', full, 'pipe'], encoding: 'utf8' };
      const result = spawnSync(process.execPath, [main, ...args], options);
      closeSync(full);
      assert.equal(result.status, status);
      assert.match(result.stderr, /^tapeproof[ a-z]*: standard output: cannot be written \[ENOSPC\]\n$/);
    });
  }

  for (const [args, status] of [
    [['hash', 'nowhere'], 2],
    [['verify', 'nowhere'], 1],
    [['redact', '--check', '--lines', 'found.jsonl'], 1],
    [['nothing'], 2],
  ]) {
    it(`nobody reads what goes wrong: ${args[0]}`, async () => {
      const child = spawn(process.execPath, [main, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
      child.stderr.destroy();
      assert.deepEqual(await once(child, 'exit'), [status, null]);
    });
  }

  it('nobody reads the log of a server: it goes on', async () => {
    const child = spawn(process.execPath, [main, 'serve', '--port', '0'], { stdio: ['ignore', 'pipe', 'pipe'] });
    try {
      const [line] = await once(child.stdout, 'data');
      const [url] = String(line).match(/http:\S+/);
      child.stderr.destroy();
      for (let request = 0; request < 3; request++) assert.equal((await fetch(`${url}/health`)).status, 200);
    } finally {
      child.kill();
    }
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });
});
