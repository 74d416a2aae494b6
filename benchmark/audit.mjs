// `npm run bench -- --area audit [--gate]`: 10,000 files of 20 KB by the command, and records of 20 KB over HTTP from 16
// connections on loopback, the client on the same cores.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { generateKeyPair, seal } from 'tapeproof/verify';
import { quantile } from './rounds.mjs';

const { values } = parseArgs({ options: { gate: { type: 'boolean', default: false } } });
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

const FILES = 10_000;
const FILES_PER_SECOND = 2000;
const CONNECTIONS = 16;
const REQUESTS = 20_000;

const folder = mkdtempSync(join(tmpdir(), 'tapeproof-audit-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const { privateKey, publicKey } = generateKeyPair();
const key = join(folder, 'key.pub');
writeFileSync(key, publicKey);

/** The text of a record of 20 KB. */
function record(index) {
  const run_id = `run_${index}`;
  const events = Array.from({ length: 20 }, (_, seq) => ({
    schema_version: 1,
    run_id,
    span_id: `s${seq}`,
    parent_span_id: null,
    seq,
    ts_start: '2026-01-02T03:04:05.678Z',
    ts_end: null,
    type: 'llm',
    model: { provider: 'p', model_id: 'm-1' },
    request: { messages: [{ role: 'user', content: `“${'what is asked, '.repeat(20)}”` }] },
    response: { text: 'what is answered\n'.repeat(16), tool_calls: [] },
    usage: { input_tokens: 100, output_tokens: 50, total_tokens: 150 },
    latency_ms: 612,
    error: null,
  }));
  return JSON.stringify(seal(events, { run: { run_id, status: 'success' }, privateKey }));
}

function files() {
  const records = join(folder, 'records');
  mkdirSync(records);
  for (let index = 0; index < FILES; index += 1) writeFileSync(join(records, `${index}.json`), record(index));
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round += 1) {
    const began = performance.now();
    const { status } = spawnSync(process.execPath, [main, 'verify', '--pubkey', key, records], { stdio: 'ignore' });
    assert.equal(status, 0);
    best = Math.min(best, performance.now() - began);
  }
  const perSecond = FILES / (best / 1000);
  console.log(`${FILES} files of ${Math.round(record(0).length / 1000)} KB: ${perSecond.toFixed(0)} a second`);
  return perSecond;
}

const post = (port, agent, body) =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const path = '/api/audit/verify';
    request({ port, host: '127.0.0.1', method: 'POST', path, headers, agent }, response => {
      response.resume().on('end', () => resolve(response.statusCode));
    })
      .on('error', reject)
      .end(body);
  });

async function endpoint() {
  const server = spawn(process.execPath, [main, 'serve', '--port', '0', '--pubkey', key, '--quiet'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(server.stdout.setEncoding('utf8'), 'data');
  const port = Number(/:(\d+)\n$/.exec(line)[1]);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const body = Buffer.from(record(0));
  const times = [];
  let left = REQUESTS;
  const client = async () => {
    while (left-- > 0) {
      const began = performance.now();
      assert.equal(await post(port, agent, body), 200);
      times.push(performance.now() - began);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  const seconds = (performance.now() - began) / 1000;
  agent.destroy();
  server.kill();
  const warm = times.slice(REQUESTS / 10).sort((a, b) => a - b);
  console.log(
    `endpoint, ${CONNECTIONS} connections: ${(REQUESTS / seconds).toFixed(0)} requests a second, ` +
      `median ${quantile(warm, 0.5).toFixed(1)} ms, p99 ${quantile(warm, 0.99).toFixed(1)} ms`,
  );
}

console.log(`Node ${process.versions.node}, ${availableParallelism()} cores`);
const perSecond = files();
await endpoint();
if (values.gate && perSecond < FILES_PER_SECOND) {
  console.error(`expected ${FILES_PER_SECOND} files a second`);
  process.exitCode = 1;
}
