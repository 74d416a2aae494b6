// Little address space: an error, or the end that Node itself makes of it, but never an abort of ours.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { anchor } from '../readings.mjs';

const cwd = fileURLToPath(new URL('.', import.meta.url));
const MIB = 1024;

const CALLS = {
  'a text': "hash.reqHash({ kind: 'tool', args: text })",
  'a text that only V8 normalizes': "hash.reqHash({ kind: 'tool', args: text + 'e\\u0301' })",
  'JSON of one text': 'hash.reqHashJson(JSON.stringify({ kind: "tool", args: text }))',
  'JSON of many values': 'hash.stateHashJson("[0" + ",1".repeat(20_000_000) + "]")',
  'many values': "hash.stateHash(new Array(5_000_000).fill('a'))",
  'a canonical text': "hash.canonical({ kind: 'tool', args: text })",
  'a normalized text': 'hash.normalizeText(text)',
  'a record': 'record.verifyJson(JSON.stringify({ manifest: {}, events: [], a: text }))',
  'a text of what takes six bytes': "hash.reqHash({ kind: 'tool', args: '\\u0001'.repeat(60_000_000) })",
  'a long key': "hash.canonical({ kind: 'tool', args: { [text]: 1 } })",
  'JSON of repeated keys': 'hash.stateHashJson("{" + \'"a":1,\'.repeat(8_000_000) + \'"b":1}\')',
  'an event': "record.computeEventChain([{ type: 'env', key: text, output: '\\u0001'.repeat(20_000_000) }])",
  'the bytes of a record': 'record.verifyJson(Buffer.alloc(100 << 20, " "))',
  'many events': "record.computeEventChain(new Array(1_000_000).fill({ type: 'env' }))",
  'a report of long values':
    'record.verifyJson(JSON.stringify({ manifest: { run_id: text, generated_at: text }, events: [] }))',
  'a contradiction of long values': `record.verifyJson(JSON.stringify({
    manifest: { run_id: text },
    run: { status: text },
    events: [{ type: "run", phase: "end", run_id: 1 }],
  }))`,
  'a projection of many paths': `
    const keep = '["a"' + ',"a"'.repeat(5_000_000) + "]";
    record.verifyJson('{"manifest":{},"events":[{"type":"tool","input":{},"key_projection":{"keep":' + keep + "}}]}")`,
  'a long private key':
    'record.seal([], { run: {}, privateKey: text }); throw new Error("sealed without the key that was given")',
  'a long HMAC key': 'record.verifyJson(JSON.stringify({ manifest: {}, events: [] }), Buffer.alloc(300 << 20))',
  'a long id': 'hash.stateHash({ id: text })',
  'many tools':
    'hash.reqHashJson(\'{"kind":"model","tool_schemas":[{"name":"a"}\' + \',{"name":"a"}\'.repeat(3_000_000) + "]}")',
  'an error under a long key': 'hash.stateHash({ [text]: NaN })',
};

const script = call => `
  import * as hash from 'tapeproof/hash';
  import * as record from 'tapeproof/verify';
  import * as redact from 'tapeproof/redact';
  const anchor = () => hash.reqHash(${JSON.stringify(anchor.request)});
  anchor();
  const text = 'some words '.repeat(9_000_000);
  try {
    ${call};
  } catch (error) {
    if (!error.code?.startsWith('ERR_TAPEPROOF_') && !(error instanceof RangeError)) throw error;
  }
  console.log(anchor());`;

const run = (kibibytes, call) =>
  spawnSync(
    'sh',
    ['-c', `ulimit -v ${kibibytes} && exec "$@"`, 'sh', process.execPath, '--input-type=module', '-e', script(call)],
    {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, RUST_BACKTRACE: '0' },
    },
  );

/** What Node needs to start, and to hold the input. */
function least() {
  for (let kibibytes = 640 * MIB; ; kibibytes += 64 * MIB) if (run(kibibytes, '').status === 0) return kibibytes;
}

describe('ulimit -v', { skip: process.platform !== 'linux' && 'measured on Linux', timeout: 3_600_000 }, () => {
  const start = least();
  for (const [name, call] of Object.entries(CALLS)) {
    it(name, () => {
      for (let kibibytes = start; kibibytes < start + 1600 * MIB; kibibytes += 200 * MIB) {
        const { status, stdout, stderr } = run(kibibytes, call);
        // V8 and Node say so when it is they who end the process.
        if (status !== 0)
          assert.match(
            stderr,
            /FATAL ERROR|Fatal process|out of memory|std::bad_alloc/i,
            `${kibibytes} KiB: ${stderr}`,
          );
        else assert.equal(stdout, `${anchor.hash}\n`);
        assert.doesNotMatch(stderr, /memory allocation of/, `${kibibytes} KiB`);
      }
    });
  }
});
