// `tapeproof serve`: what it answers, what it refuses, and that nobody keeps it from answering the others.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateKeyPair, RUNBACK_AUDIT_PUBKEY_PEM, seal, verifyJson } from 'tapeproof/verify';
import { bench } from './cli/tapeproof.mjs';
import { ask, exchange, HEAD, keepAlive, post, serve } from './server/serve.mjs';

const { file, folder, tapeproof } = bench();
const [pair, rotated] = [generateKeyPair(), generateKeyPair()];
const EVENTS = [
  { type: 'run', phase: 'end', run_id: 'run_1', seq: 0, status: 'success', output: 'CONTENT', error: null },
];
const sealed = keys => JSON.stringify(seal(EVENTS, { run: { run_id: 'run_1' }, ...keys }));
const record = sealed({ privateKey: pair.privateKey });
const torn = record.replace('CONTENT', 'FORGED');

const server = await serve([], {
  TAPEPROOF_ED25519_PUBLIC_KEYS: `${rotated.publicKey}${pair.publicKey}`,
  TAPEPROOF_HMAC_KEY: 'new',
  TAPEPROOF_HMAC_KEY_PREVIOUS: 'old',
});
after(() => server.stop());
const { port } = server;

describe('verdicts', () => {
  const keys = { expectedPublicKey: [rotated.publicKey, pair.publicKey] };
  it('the result of verifyJson, unchanged', async () => {
    for (const text of [record, torn, sealed({})]) {
      const { status, headers, text: result } = await post(port, text);
      assert.deepEqual([status, headers['content-type']], [200, 'application/json']);
      assert.deepEqual(JSON.parse(result), verifyJson(text, 'new', keys));
    }
  });
  for (const [name, text, verdict] of [
    ['by a pinned key', record, 'valid'],
    ['changed', torn, 'invalid'],
    ['by the HMAC key', sealed({ hmacKey: 'new' }), 'valid'],
    ['by the previous HMAC key', sealed({ hmacKey: 'old' }), 'valid'],
    ['by another HMAC key', sealed({ hmacKey: 'x' }), 'invalid'],
    ['unsigned', sealed({}), 'unverified'],
  ]) {
    it(name, async () => assert.equal(JSON.parse((await post(port, text)).text).verdict, verdict));
  }
  for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"', 'application/json;']) {
    it(`content type ${type}`, async () =>
      assert.equal((await post(port, record, { 'content-type': type })).status, 200));
  }
  it('a chunked body without a length', async () => {
    const { status } = await post(port, record, { 'transfer-encoding': 'chunked' });
    assert.equal(status, 200);
  });
  it('a body that waits to be asked for', async () => {
    const head = `POST /api/audit/verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${record.length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`;
    const socket = connect(port, '127.0.0.1');
    socket.write(head);
    assert.match(String(await once(socket, 'data')), /^HTTP\/1\.1 100 Continue/);
    socket.write(record);
    assert.match(String(await once(socket, 'data')), /^HTTP\/1\.1 200 OK/);
    socket.destroy();
  });
  it('a record of 8 MiB', async () => {
    const padded = record.padEnd(8 << 20, ' ');
    assert.equal(JSON.parse((await post(port, padded)).text).verdict, 'valid');
  });
});

describe('refused', () => {
  const rows = [
    ['not JSON', () => post(port, '{'), 400, 'SYNTAX'],
    ['nothing', () => post(port, ''), 400, 'SYNTAX'],
    ['not UTF-8', () => post(port, Buffer.from([0x22, 0xff, 0x22])), 400, 'UTF8'],
    ['not a record', () => post(port, '[]'), 400, 'RECORD'],
    ['an event that is null', () => post(port, '{"manifest":{"a":1},"events":[null]}'), 400, 'EVENT'],
    ['too deep', () => post(port, '['.repeat(3000)), 400, 'DEPTH'],
    ['too large, as declared', () => post(port, Buffer.alloc((8 << 20) + 1, ' ')), 413],
    ['too large, chunked', () => post(port, Buffer.alloc(9 << 20, ' '), { 'transfer-encoding': 'chunked' }), 413],
    ['text', () => post(port, record, { 'content-type': 'text/plain' }), 415],
    ['a form', () => post(port, record, { 'content-type': 'application/x-www-form-urlencoded' }), 415],
    ['no type', () => ask(port, { method: 'POST', path: '/api/audit/verify', body: record }), 415],
    ['another charset', () => post(port, record, { 'content-type': 'application/json; charset=latin1' }), 415],
    ['compressed', () => post(port, record, { 'content-encoding': 'gzip' }), 415],
    ['GET of what is posted', () => ask(port, { path: '/api/audit/verify' }), 405],
    ['POST of what is read', () => ask(port, { method: 'POST', path: '/health', body: 'x' }), 405],
    ['OPTIONS: nothing for other origins', () => ask(port, { method: 'OPTIONS', path: '/api/audit/verify' }), 405],
    ['another path', () => ask(port, { path: '/api/audit' }), 404],
    ['a path that climbs', () => ask(port, { path: '/../../etc/passwd' }), 404],
    ['the name of another host', () => ask(port, { headers: { host: 'evil.example' } }), 421],
    ['the name of another host, posted', () => post(port, record, { host: 'localhost.evil.example' }), 421],
  ];
  for (const [name, call, status, code] of rows) {
    it(name, async () => {
      const { status: actual, headers, text } = await call();
      assert.deepEqual([actual, headers['content-type']], [status, 'application/json']);
      const { error } = JSON.parse(text);
      assert.equal(error.code, code && `ERR_TAPEPROOF_${code}`);
      assert.match(error.message, /\w/);
    });
  }
  it('405 says what is allowed', async () => {
    assert.equal((await ask(port, { path: '/api/audit/verify' })).headers.allow, 'POST');
    assert.equal((await ask(port, { method: 'PUT' })).headers.allow, 'GET, HEAD');
  });
  it('a body that is too large is not read to its end', async () => {
    const head = 'POST /api/audit/verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
    const answer = await exchange(port, `${head}Content-Length: 99999999999\r\n\r\n`);
    assert.match(answer, /^HTTP\/1\.1 413 /);
    assert.match(answer, /^connection: close/im);
  });
  it('no answer is for other origins, and none is kept', async () => {
    for (const { headers } of [
      await ask(port, { headers: { origin: 'https://evil.example' } }),
      await post(port, '{'),
    ]) {
      assert.deepEqual(
        Object.keys(headers).filter(name => name.startsWith('access-control-')),
        [],
      );
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['x-content-type-options'], 'nosniff');
    }
  });
});

describe('what else it answers', () => {
  it('its health', async () => assert.equal((await ask(port, {})).text, '{"status":"ok"}'));
  it('HEAD', async () => {
    const { status, headers, text } = await ask(port, { method: 'HEAD' });
    assert.deepEqual([status, headers['content-length'], text], [200, '15', '']);
  });
  it('a query is of no matter', async () => assert.equal((await ask(port, { path: '/health?x=/y' })).status, 200));
  it('names of this machine', async () => {
    for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1:80', '[::1]:8787', '192.0.2.7']) {
      assert.equal((await ask(port, { headers: { host } })).status, 200, host);
    }
  });
  it('the key that is configured first', async () => {
    const { status, headers, text } = await ask(port, { path: '/.well-known/runback-audit-key.pem' });
    assert.deepEqual([status, headers['content-type'], text], [200, 'application/x-pem-file', rotated.publicKey]);
  });
  it("Runback's key where none is, and a name that is allowed", async () => {
    const other = await serve(['--allow-host', 'Verify.Example', '--quiet']);
    const { text } = await ask(other.port, {
      path: '/.well-known/runback-audit-key.pem',
      headers: { host: 'verify.example:443' },
    });
    assert.equal(text, RUNBACK_AUDIT_PUBKEY_PEM);
    await other.stop();
    assert.equal(other.log(), '');
  });
  it('keys of options before those of the environment', async () => {
    file('one.pub', pair.publicKey);
    const other = await serve(['--pubkey', `${folder}/one.pub`], { TAPEPROOF_ED25519_PUBLIC_KEYS: rotated.publicKey });
    assert.equal((await ask(other.port, { path: '/.well-known/runback-audit-key.pem' })).text, pair.publicKey);
    assert.equal(JSON.parse((await post(other.port, record)).text).verdict, 'valid');
    await other.stop();
  });
});

describe('trouble', () => {
  const answers = async () => assert.equal((await post(port, record)).status, 200);

  it('pipelined requests are answered in their order', async () => {
    const body = text => `${HEAD}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
    const health = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    const text = await exchange(port, body(record) + body('{') + body(torn) + health);
    const found = [...text.matchAll(/HTTP\/1\.1 (\d+)|"verdict":"(\w+)"/g)].map(
      ([, status, verdict]) => status ?? verdict,
    );
    assert.deepEqual(found, ['200', 'valid', '400', '200', 'invalid', '200']);
  });
  it('what is not HTTP', async () => {
    assert.match(await exchange(port, '\u0000\u0001 hello\r\n\r\n'), /^HTTP\/1\.1 400 /);
    await answers();
  });
  it('a head without end', async () => {
    // Not more than the server reads at once: what it leaves unread would take its answer away.
    assert.match(await exchange(port, `GET / HTTP/1.1\r\nX: ${'x'.repeat(1 << 15)}`), /^HTTP\/1\.1 431 /);
    await answers();
  });
  it('a request without a host', async () => {
    assert.match(await exchange(port, 'GET /health HTTP/1.1\r\n\r\n'), /^HTTP\/1\.1 400 /);
  });
  it('two lengths, and a length beside chunks', async () => {
    for (const lengths of [
      'Content-Length: 1\r\nContent-Length: 2\r\n',
      'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n',
    ]) {
      assert.match(await exchange(port, `${HEAD}${lengths}\r\n0\r\n\r\n`), /^HTTP\/1\.1 400 /);
    }
  });
});

it('the log: a line for each request, with nothing in it that a client wrote', async () => {
  const other = await serve();
  await post(other.port, torn);
  await ask(other.port, { path: '/CONTENT', headers: { 'user-agent': 'CONTENT', host: 'CONTENT.example' } });
  await ask(other.port, {});
  await other.stop();
  const lines = other.log().trimEnd().split('\n');
  const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z /;
  assert.deepEqual(
    lines.map(line => line.replace(TIME, '').replace(/ [\d.]+ ms$/, '')),
    ['POST /api/audit/verify 200', '- 421', 'GET /health 200'],
  );
});

describe('stopping', () => {
  it('answers what it has, and nothing more', async () => {
    const other = await serve();
    const socket = connect(other.port, '127.0.0.1');
    socket.write(
      `POST /api/audit/verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${record.length}\r\n\r\n`,
    );
    const agent = keepAlive(1);
    await ask(other.port, { agent });
    other.child.kill('SIGTERM');
    await sleep(200);
    await assert.rejects(ask(other.port, {}), { code: 'ECONNREFUSED' });
    socket.write(record);
    assert.match(String(await once(socket, 'data')), /^HTTP\/1\.1 200 OK/);
    assert.equal(await other.ended(), 0);
    agent.destroy();
  });
});

describe('bad options', () => {
  for (const [name, args, stderr] of [
    ['no number', ['--port', 'x'], /expected --port as a number/],
    ['too large a number', ['--port', '70000'], /expected --port as a number/],
    ['a port that is taken', ['--port', String(port)], /cannot listen there \[EADDRINUSE\]/],
    ['no address', ['--host', 'no.such.host.invalid'], /cannot listen there \[/],
    ['no key', ['--pubkey', 'nowhere.pub'], /nowhere\.pub: no such file/],
    ['an argument', ['here'], /Unexpected argument 'here'/],
  ]) {
    it(name, () => {
      const result = tapeproof(['serve', ...args]);
      assert.deepEqual([result.status, result.stdout], [2, '']);
      assert.match(result.stderr, stderr);
    });
  }
});
