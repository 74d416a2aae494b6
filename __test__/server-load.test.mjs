// `tapeproof serve` among many clients: what it takes of memory (Linux).
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { seal } from 'tapeproof/verify';
import { HEAD, post, serve } from './server/serve.mjs';

const isLinux = process.platform === 'linux';
const record = JSON.stringify(seal([], { run: { run_id: 'run_1' } }));

it('ten thousand connections that come and go', { skip: !isLinux }, async () => {
  const server = await serve(['--quiet']);
  const { port } = server;
  const answers = async () => assert.equal((await post(port, record)).status, 200);
  await answers();
  const before = server.memory();
  for (let batch = 0; batch < 100; batch += 1) {
    const sockets = Array.from({ length: 100 }, () => connect(port, '127.0.0.1').on('error', () => {}));
    await Promise.all(sockets.map(socket => once(socket, 'connect')));
    for (const [at, socket] of sockets.entries()) {
      if (at % 3 === 0) socket.write('POST /api/aud');
      if (at % 3 === 1) socket.write(`${HEAD}Content-Length: 50000\r\n\r\n{`);
      socket.destroy();
    }
  }
  await answers();
  assert.ok(server.memory() - before < 64 << 20, `${(server.memory() - before) >> 20} MiB more`);
  await server.stop();
});

describe('64 clients with 8 MiB each stay below 400 MB', { skip: !isLinux }, () => {
  const bodyOf = (element, status) => ({
    body: `{"manifest":{"a":1},"events":[${`${element},`.repeat((8 << 20) / (element.length + 1) - 64)}${element}]}`,
    status,
  });
  for (const [name, { body, status }] of [
    ['events', bodyOf('{"type":"reasoning","text":"words in a line, and more of them"}', 200)],
    ['as many values as can be', bodyOf('1', 200)],
  ]) {
    it(name, async () => {
      const other = await serve(['--quiet']);
      let peak = 0;
      const watch = setInterval(() => {
        peak = Math.max(peak, other.memory());
      }, 10);
      const answers = await Promise.all(Array.from({ length: 64 }, () => post(other.port, body)));
      clearInterval(watch);
      const statuses = new Set(answers.map(answer => answer.status));
      assert.deepEqual(
        [...statuses].filter(other => other !== 503),
        [status],
      );
      assert.ok(peak < 400e6, `${Math.round(peak / 1e6)} MB`);
      assert.equal((await post(other.port, record)).status, 200);
      await other.stop();
    });
  }
});
