// `verifyFile`: the result, or the error, that `verifyJson` has for the bytes, and what only files can do.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { generateKeyPair, seal, verifyFile, verifyJson } from 'tapeproof/verify';
import { Random } from './random/prng.mjs';
import { anyKeys, recordText } from './random/record.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tapeproof-file-'));
after(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'record.json');

const outcome = async run => {
  try {
    return { result: await run() };
  } catch ({ name, code, message, pointer, offset }) {
    return { name, code, message, pointer, offset };
  }
};

async function same(bytes, signingKey, options) {
  writeFileSync(path, bytes);
  const expected = await outcome(() => verifyJson(bytes, signingKey, options));
  assert.deepEqual(await outcome(() => verifyFile(path, signingKey, options)), expected);
  return expected;
}

/** Larger than what is read at once. */
const MANY = 40_000;
const { privateKey, publicKey } = generateKeyPair();
const options = { expectedPublicKey: publicKey };
const events = Array.from({ length: MANY }, (_, seq) => ({
  run_id: 'run_1',
  seq,
  type: seq % 2 ? 'env' : 'reasoning',
  kind: 'now',
  key: `é ${seq}`,
  output: seq / 3,
}));
const large = seal(events, { run: { run_id: 'run_1' }, privateKey });
const text = value => Buffer.from(JSON.stringify(value));

describe('as verifyJson', () => {
  it('goldens', async () => {
    const lines = readFileSync(new URL('goldens/records.jsonl', import.meta.url), 'utf8')
      .trimEnd()
      .split('\n');
    for (const line of lines) {
      const { text, signingKey, options } = JSON.parse(line);
      await same(Buffer.from(text), signingKey, options);
    }
  });
  it('random records (seed 11)', async () => {
    const random = new Random(11);
    for (let count = 0; count < 300; count += 1) {
      const { signingKey, options } = anyKeys(random);
      await same(Buffer.from(recordText(random)), signingKey, options);
    }
  });

  const rows = [
    ['sealed', () => text(large), 'valid'],
    ['one event is changed', () => text({ ...large, events: large.events.with(MANY - 2, { seq: 1 }) }), 'invalid'],
    ['events in another order', () => text({ ...large, events: large.events.toReversed() }), 'invalid'],
    ['a seq that is no number', () => text({ ...large, events: large.events.with(7, { seq: 'x' }) }), 'invalid'],
    [
      'the manifest last',
      () => text({ $schema: large.$schema, run: large.run, events: large.events, manifest: large.manifest }),
      'valid',
    ],
    ['events twice', () => Buffer.concat([Buffer.from('{"events":[{}],'), text(large).subarray(1)]), 'valid'],
    ['no events', () => text({ ...large, events: 'x'.repeat(5 << 20) }), undefined],
    ['an event that is null', () => text({ ...large, events: large.events.with(MANY - 1, null) }), undefined],
    ['cut off', () => text(large).subarray(0, -9), undefined],
    [
      'a bad byte near the end, after bad JSON',
      () => Buffer.concat([Buffer.from('{]'), text(large), Buffer.from([0xc3])]),
      undefined,
    ],
    ['no object', () => Buffer.from(`[${'0,'.repeat(3 << 20)}0]`), undefined],
    ['nothing', () => Buffer.alloc(5 << 20, ' '), undefined],
  ];
  for (const [name, bytes, verdict] of rows) {
    it(`5 MiB: ${name}`, async () => {
      assert.equal((await same(bytes(), null, options)).result?.verdict, verdict);
    });
  }

  it('sorted by seq in another order than recorded', async () => {
    const shuffled = seal(events.toReversed(), { run: { run_id: 'run_1' }, privateKey });
    assert.equal((await same(text(shuffled), null, options)).result.verdict, 'valid');
  });
});

describe('files', () => {
  const rejected = (file, code, reason) =>
    assert.rejects(verifyFile(file), { name: 'Error', code: `ERR_TAPEPROOF_${code}`, reason });
  it('that are not there', () => rejected(join(folder, 'nowhere'), 'FILE', 'ENOENT'));
  it('that are folders', () => rejected(folder, 'FILE', 'EISDIR'));
  it('that are FIFOs', { skip: process.platform === 'win32' }, async () => {
    execFileSync('mkfifo', [join(folder, 'fifo')]);
    await rejected(join(folder, 'fifo'), 'FILE', 'EINVAL');
  });
  it('a path that is no text', () => assert.rejects(verifyFile(5), { code: 'ERR_TAPEPROOF_TEXT' }));
  it('keys that are none come first', async () => {
    await assert.rejects(verifyFile(join(folder, 'nowhere'), null, { expectedPublicKey: 'x' }), {
      code: 'ERR_TAPEPROOF_PUBLIC_KEY',
    });
  });

  /** Changes the file many times at different moments of its reading; what comes of it is whole. */
  async function during(change) {
    const bytes = text(large);
    const seen = new Set();
    for (let delay = 0; delay < 12; delay += 1) {
      writeFileSync(path, bytes);
      const reading = outcome(() => verifyFile(path, null, options));
      await new Promise(resolve => setTimeout(resolve, delay));
      change(bytes);
      const { result, code } = await reading;
      seen.add(code ?? result.verdict);
    }
    return [...seen];
  }
  it('that are appended to meanwhile', async () => {
    for (const seen of await during(() => appendFileSync(path, ' x'))) {
      assert.ok(['valid', 'ERR_TAPEPROOF_CHANGED', 'ERR_TAPEPROOF_SYNTAX'].includes(seen), seen);
    }
  });
  it('that are truncated meanwhile', async () => {
    for (const seen of await during(bytes => truncateSync(path, bytes.length >> 1))) {
      assert.ok(['valid', 'ERR_TAPEPROOF_CHANGED', 'ERR_TAPEPROOF_SYNTAX'].includes(seen), seen);
    }
  });
  it('that are replaced meanwhile: the version that was opened, or the other one', async () => {
    const forged = text({ ...large, run: { run_id: 'run_1', forged: true }, events: large.events.slice(1) });
    const seen = await during(() => {
      writeFileSync(`${path}.new`, forged);
      renameSync(`${path}.new`, path);
    });
    for (const verdict of seen) assert.ok(['valid', 'invalid'].includes(verdict), verdict);
  });
});
