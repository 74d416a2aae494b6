// Threads and processes that end in the middle of a call, and two of everything in one process.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { reqHash } from 'tapeproof/hash';
import { seal, verifyJsonAsync } from 'tapeproof/verify';
import { anchor } from '../readings.mjs';
import { temporaryFolder } from '../recorder/folder.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cwd = fileURLToPath(new URL('.', import.meta.url));
const folder = temporaryFolder();
const events = Array.from({ length: 5000 }, (_, seq) => ({
  seq,
  type: 'tool',
  input: { seq },
  output: 'x'.repeat(100),
}));
const text = JSON.stringify(seal(events, { run: {}, hmacKey: 'k' }));
const file = join(folder, 'record.json');
writeFileSync(file, text);

const node = (script, flags = []) => {
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [...flags, '--input-type=module', '-e', script],
    {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, RECORD: file },
    },
  );
  return { status, signal, stdout, stderr };
};
const verifying = `
  import { readFileSync } from 'node:fs';
  import { verifyJsonAsync } from 'tapeproof/verify';
  const text = readFileSync(process.env.RECORD, 'utf8');
  const verify = () => { for (let times = 0; times < 6; times++) verifyJsonAsync(text, 'k'); };`;

describe('a process that ends while records are verified', () => {
  for (const [name, script, expected] of [
    ['at once', 'verify(); process.exit(7);', 7],
    ['a microtask later', 'verify(); queueMicrotask(() => process.exit(7));', 7],
    ['a turn later', 'verify(); setImmediate(() => process.exit(7));', 7],
    ['at the first verdict', "verifyJsonAsync(text, 'k').then(() => process.exit(7)); verify();", 7],
    ['from its exit hook', "process.on('exit', verify);", 0],
    [
      'of an exception',
      'verify(); process.exitCode = 7; process.on("uncaughtException", () => process.exit(7)); throw 1;',
      7,
    ],
  ]) {
    it(name, () => {
      assert.deepEqual(node(verifying + script), { status: expected, signal: null, stdout: '', stderr: '' });
    });
  }
});

it('a worker that is stopped while records are verified harms nobody', async () => {
  for (let times = 0; times < 8; times++) {
    const worker = new Worker(new URL('../workers/verifying.mjs', import.meta.url), { workerData: text });
    await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    assert.equal(await worker.terminate(), 1);
  }
  assert.equal((await verifyJsonAsync(text, 'k')).verdict, 'valid');
});

describe('two packages from two folders', () => {
  const copies = ['a', 'b'].map(name => {
    const home = join(folder, name);
    mkdirSync(home);
    writeFileSync(join(home, 'package.json'), '{"type":"module"}');
    cpSync(join(root, 'dist'), join(home, 'dist'), { recursive: true });
    for (const addon of readdirSync(root).filter(name => name.endsWith('.node')))
      cpSync(join(root, addon), join(home, addon));
    return pathToFileURL(join(home, 'dist', 'hash.js')).href;
  });

  it('hash within each other, also when their tables of keys are full', async () => {
    const [one, other] = await Promise.all(copies.map(copy => import(copy)));
    const request = at => ({
      kind: 'tool',
      args: {
        get [`outer-${at}`]() {
          return other.reqHash({ kind: 'tool', args: { [`inner-${at}`]: 'a  b', id: 'x' } });
        },
        [`last-${at}`]: ['a  b'],
      },
    });
    for (let at = 0; at < 5000; at++) assert.equal(one.reqHash(request(at)), reqHash(request(at)));
  });
});

describe('another context', () => {
  const context = createContext({ reqHash });
  const inside = code => runInContext(code, context);

  it('has its own Object and Array', () => {
    const list = Object.assign(new Array(3), { 0: 1, 2: { id: 'x' } });
    const args = { list, date: {}, nested: { text: 'a  b' } };
    const code =
      "reqHash({ kind: 'tool', args: { list: [1, , { id: 'x' }], date: new Date(0), nested: { text: 'a  b' } } })";
    assert.equal(inside(code), reqHash({ kind: 'tool', args }));
  });

  it('has prototypes of its own', () => {
    inside("Object.prototype.evil = { id: 'x' }");
    assert.equal(inside(`reqHash(${JSON.stringify(anchor.request)})`), anchor.hash);
  });

  it('gets errors with a code', () => {
    assert.equal(inside('try { reqHash(null) } catch (error) { error.code }'), 'ERR_TAPEPROOF_REQUEST');
  });
});

it('a heap of 64 MB has room for what does not stand in it', () => {
  const script = `
    import { reqHash } from 'tapeproof/hash';
    import { verifyJson } from 'tapeproof/verify';
    import { readFileSync } from 'node:fs';
    const bytes = readFileSync(process.env.RECORD);
    for (let times = 0; times < 50; times++) {
      if (verifyJson(bytes, 'k').verdict !== 'valid') throw new Error();
      reqHash({ kind: 'tool', args: Array.from({ length: 100 }, (_, at) => 'word '.repeat(2000) + at) });
    }
    console.log(reqHash(${JSON.stringify(anchor.request)}));`;
  assert.deepEqual(node(script, ['--max-old-space-size=64']), {
    status: 0,
    signal: null,
    stdout: `${anchor.hash}\n`,
    stderr: '',
  });
});
