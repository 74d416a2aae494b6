// Run with --expose-gc. Prints the growth of resident memory, in bytes, for each window of calls of every kind, after
// two windows of warming up. With workers, as many share each window, and then they are stopped.
//   node --expose-gc soak.mjs WINDOWS CALLS [WORKERS]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread, parentPort, threadId, Worker, workerData } from 'node:worker_threads';
import {
  canonical,
  computeCassetteDigest,
  computeEventChain,
  diffRequests,
  findSensitive,
  generateKeyPair,
  normalizeText,
  redact,
  redactText,
  reqHash,
  reqHashJson,
  reqHashMany,
  seal,
  stateHash,
  verify,
  verifyFile,
  verifyJson,
  verifyJsonAsync,
} from 'tapeproof';

const { privateKey, publicKey } = generateKeyPair();
const folder = isMainThread ? mkdtempSync(join(tmpdir(), 'tapeproof-soak-')) : workerData.folder;

const request = i => ({
  kind: 'model',
  model_id: 'claude-sonnet-5',
  messages: [
    { role: 'user', content: `question ${i}: write to ada.${i}@example.com, é`, id: `msg_${i}` },
    { role: 'assistant', content: [{ type: 'text', text: `  an  answer\r\n\`\`\`\ncode ${i}\n\`\`\`` }] },
  ],
  tool_schemas: [{ name: 'b' }, { name: 'a', parameters: { [`key_${i % 50_000}`]: i } }],
  temperature: i / 7,
});

const events = i => [
  { type: 'tool', run_id: `run_${i}`, seq: 0, tool_name: 't', input: { q: i }, output: `answer ${i}` },
  { type: 'run', phase: 'end', run_id: `run_${i}`, seq: 1, status: 'success', output: i, error: null },
];

const sealed = i =>
  seal(events(i), { run: { run_id: `run_${i}` }, ...(i % 2 ? { privateKey } : { hmacKey: `key ${i}` }) });
const options = { expectedPublicKey: publicKey };

/** Every way in, with values that no call before it had. What fails has to fail. */
const CALLS = [
  i => reqHash(request(i)),
  i => reqHashJson(JSON.stringify(request(i))),
  i => stateHash({ i, at: new Date(i), list: [`a ${i}`] }),
  i => canonical(request(i)),
  i => normalizeText(`e\u0301 ${i}  x`),
  i => reqHashMany([request(i), { kind: 'tool', args: i }]),
  i => diffRequests(request(i), request(i + 1)),
  i => redact(request(i), { preset: 'extended', fields: ['model_id'] }),
  i => redactText(`call 555-123-${i % 10_000}, or ada.${i}@example.com`),
  i => findSensitive(request(i), { preset: 'default', custom: [/answer/g] }),
  i => verify(sealed(i), `key ${i}`, options),
  i => verifyJson(JSON.stringify({ ...sealed(i), run: { status: `${i}` } }), 'another key', options),
  i => verifyJsonAsync(Buffer.from(JSON.stringify(sealed(i))), `key ${i}`, options),
  i => [computeEventChain(events(i)), computeCassetteDigest(events(i))],
  i => {
    const file = join(folder, `${threadId}.json`);
    if (i % 256 === 14) writeFileSync(file, JSON.stringify(sealed(i)));
    return verifyFile(file, `key ${i}`, options).catch(error => error);
  },
];
const FAILING = [
  i => reqHash({ ...request(i), seed: Number.NaN }),
  i => reqHashJson(`{"a": "${i}`),
  i => verifyJson(`{"manifest": {"a": ${i}}, "events": [null]}`),
  i => seal([{ type: i, at: 1n }], { run: {} }),
  i => redact(i, { preset: `${i}` }),
];

async function calls(from, count) {
  let waiting = [];
  for (let i = from; i < from + count; i += 1) {
    if (i % 16 < CALLS.length) waiting.push(CALLS[i % 16](i));
    else {
      let failed = false;
      try {
        FAILING[(i >> 4) % FAILING.length](i);
      } catch {
        failed = true;
      }
      if (!failed) throw new Error(`expected call ${i} to fail`);
    }
    if (waiting.length >= 64) {
      await Promise.all(waiting);
      waiting = [];
    }
  }
  await Promise.all(waiting);
}

/** The same in so many workers, none of which was there before. The last one is stopped while it is at work. */
async function inWorkers(count, from, each) {
  const done = Array.from({ length: count }, (_, index) => {
    const data = { folder, from: from + index * each, each, isLast: index === count - 1 };
    const worker = new Worker(new URL(import.meta.url), { workerData: data });
    worker.once('message', () => worker.terminate());
    return new Promise((resolve, reject) => {
      worker.once('error', reject);
      worker.once('exit', resolve);
    });
  });
  await Promise.all(done);
}

if (isMainThread) {
  const [windows, perWindow, workers = 0] = process.argv.slice(2).map(Number);
  const growth = [];
  let before = 0;
  for (let window = -2; window < windows; window += 1) {
    const from = (window + 2) * perWindow;
    if (workers > 0) await inWorkers(workers, from, perWindow / workers);
    else await calls(from, perWindow);
    gc();
    gc();
    const after = process.memoryUsage.rss();
    if (window >= 0) growth.push(after - before);
    before = after;
    if (process.stderr.isTTY) process.stderr.write(`\r${from + perWindow} calls, ${before} bytes `);
  }
  rmSync(folder, { recursive: true, force: true });
  console.log(JSON.stringify(growth));
} else {
  const { from, each, isLast } = workerData;
  await calls(from, each);
  if (isLast) {
    parentPort.postMessage(each);
    await calls(from, Number.POSITIVE_INFINITY);
  }
}
