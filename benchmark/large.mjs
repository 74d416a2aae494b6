// `npm run bench:large [-- --megabytes N]`: records that do not fit into a string of V8, or not into memory. The digests
// are computed while a record is written, with node:crypto and JSON.stringify alone. Up to 400 MB the result is compared
// with that of the yardstick; it gets the text, which costs it gigabytes.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { sharedFolder } from '../__test__/shared.mjs';

const { values } = parseArgs({
  options: { megabytes: { type: 'string', multiple: true, default: ['100', '400', '1074'] }, dir: { type: 'string' } },
});

const KEY = 'key';
/** Up to here the yardstick can hold the text. */
const COMPARED_MEGABYTES = 400;
const CEILING_MEGABYTES = 200;

const folder = mkdtempSync(join(values.dir ?? tmpdir(), 'tapeproof-large-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const sha256 = text => createHash('sha256').update(text).digest('hex');

/** An event whose keys are sorted: its JSON text is canonical. */
const event = seq => ({
  error: null,
  model: { model_id: 'm-1', provider: 'p' },
  request: { messages: [{ content: `question ${seq}: “${'words, and more of them. '.repeat(40)}”`, role: 'user' }] },
  response: { text: `answer ${seq}\n${'a line of it\n'.repeat(30)}` },
  run_id: 'run_1',
  seq,
  type: 'llm',
});

/** The text of all that comes before the events. It is always equally long. */
function head(content_digest, cassette_digest) {
  const value = createHmac('sha256', KEY).update(`${content_digest}:${cassette_digest}`).digest('hex');
  const manifest = {
    run_id: 'run_1',
    content_digest,
    replay: { cassette_digest },
    signature: { alg: 'HMAC-SHA256', value },
  };
  return `${JSON.stringify({ $schema: 'runback.audit/v2', manifest, run: { run_id: 'run_1' } }).slice(0, -1)},"events":[`;
}

/** The hash of an oracle stream with one more call. */
const oracle = (before, { request, response }) => {
  const key = sha256(`llm:m-1:${JSON.stringify(request)}`);
  return sha256(`${before}{"key":"${key}","kind":"llm","output":${JSON.stringify(response)}}`);
};

/** With a prime as the step, each number below `count` comes once, far from the one before. */
const STEP = 99_991;
const ORDERS = { 'in order': at => at, 'out of order': (at, count) => (at * STEP) % count };

/** Writes a record of about so many megabytes, and gives its path and digests. */
function write(megabytes, order) {
  const path = join(folder, `${megabytes}.json`);
  const file = openSync(path, 'w');
  const hashLength = ',"_hash":""'.length + 64 + 1;
  const count = Math.ceil((megabytes * 1e6) / (Buffer.byteLength(JSON.stringify(event(10_000))) + hashLength));
  let [content, cassette, batch] = ['', '', head('0'.repeat(64), '0'.repeat(64))];
  for (let at = 0; at < count; at += 1) {
    const text = JSON.stringify(event(order(at, count)));
    content = sha256(content + text);
    cassette = oracle(cassette, event(at));
    batch += `${at === 0 ? '' : ','}${text.slice(0, -1)},"_hash":"${content}"}`;
    if (batch.length > 1 << 20) {
      writeSync(file, batch);
      batch = '';
    }
  }
  writeSync(file, `${batch}]}`);
  writeSync(file, head(content, cassette), 0);
  closeSync(file);
  return { path, content, cassette };
}

/** Verifies in a process of its own: `{result, seconds, megabytes}`, the last at its peak. */
function verified(path, code) {
  const script = `
    const began = performance.now();
    const result = await (async () => { ${code} })();
    const seconds = (performance.now() - began) / 1000;
    console.log(JSON.stringify({ result, seconds, megabytes: process.resourceUsage().maxRSS / 1000 }));`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--max-old-space-size=16000', '--input-type=module', '-e', script, path],
    { cwd: fileURLToPath(new URL('.', import.meta.url)), encoding: 'utf8' },
  );
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

const NATIVE = `return (await import('tapeproof/verify')).verifyFile(process.argv[1], '${KEY}');`;
const baseline = sharedFolder('baseline') ?? new URL('../__test__/reference/', import.meta.url);
const OTHER = `
  const { verifyJson, verify } = await import('${new URL('records.mjs', baseline).href}');
  const text = (await import('node:fs')).readFileSync(process.argv[1], 'utf8');
  return verifyJson ? verifyJson(text, '${KEY}') : verify(JSON.parse(text), '${KEY}');`;

const cases = values.megabytes.flatMap(megabytes => Object.keys(ORDERS).map(name => [Number(megabytes), name]));
for (const [megabytes, name] of cases) {
  const { path, content, cassette } = write(megabytes, ORDERS[name]);
  const size = statSync(path).size / 1e6;
  const native = verified(path, NATIVE);
  assert.equal(native.result.verdict, 'valid', `digests are ${content} and ${cassette}`);
  assert.ok(native.megabytes < CEILING_MEGABYTES, `${native.megabytes} MB in memory`);
  const line = [
    `${size.toFixed(0)} MB ${name}: valid, ${native.seconds.toFixed(1)} s, ${native.megabytes.toFixed(0)} MB in memory`,
  ];
  if (megabytes <= COMPARED_MEGABYTES) {
    const other = verified(path, OTHER);
    assert.deepEqual({ ...native.result, failures: undefined }, { ...other.result, failures: undefined });
    line.push(`yardstick: the same, ${other.seconds.toFixed(1)} s, ${other.megabytes.toFixed(0)} MB`);
  }
  console.log(line.join('; '));
  rmSync(path);
}
