// `tapeproof serve` among clients that take their time. Files of tests run beside each other, and these wait for the
// server's own limits.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { seal } from 'tapeproof/verify';
import { HEAD, post, serve } from './server/serve.mjs';

const server = await serve();
after(() => server.stop());
const { port } = server;
const record = JSON.stringify(seal([], { run: { run_id: 'run_1' } }));
const answers = async () => assert.equal((await post(port, record)).status, 200);

it('uploads that are aborted, and clients that are slow: others are answered, and slow ones sent away', async () => {
  const slow = Array.from({ length: 64 }, (_, at) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    const length = at % 2 ? 8 << 20 : 20_000;
    socket.write(`${HEAD}Content-Length: ${length}\r\n\r\n{"manifest":`);
    return socket;
  });
  const gone = slow.splice(0, 20);
  await sleep(100);
  for (const socket of gone) socket.destroy();
  await answers();
  const closed = slow.map(socket => Promise.race([once(socket, 'data').then(String), once(socket, 'close')]));
  await answers();
  for (const answer of await Promise.all(closed)) assert.match(String(answer), /^HTTP\/1\.1 (408|503) /);
  for (const socket of slow) socket.destroy();
  await answers();
});

it('more large ones than places: some wait, and are told to come back', async () => {
  const held = Array.from({ length: 3 }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(`${HEAD}Content-Length: ${8 << 20}\r\n\r\n `);
    // Fast enough to keep its place.
    const feeding = setInterval(() => socket.write(' '.repeat(20_000)), 100);
    socket.once('close', () => clearInterval(feeding));
    return socket;
  });
  await sleep(300);
  const { status, headers } = await post(port, record.padEnd(100_000));
  assert.deepEqual([status, headers['retry-after']], [503, '2']);
  await answers();
  const waiting = post(port, record.padEnd(100_000));
  for (const socket of held) socket.destroy();
  assert.equal((await waiting).status, 200);
});
