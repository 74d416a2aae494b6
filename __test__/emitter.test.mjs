// The queue and the HTTP client, against a real server: nothing lost uncounted, nothing twice, nothing out of order.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { bufferedStore } from 'tapeproof/emitter';
import { HASH_VERSION } from 'tapeproof/hash';
import { httpStore } from 'tapeproof/http';
import { Recorder } from 'tapeproof/recorder';
import { call, keptLog } from './recorder/calls.mjs';
import { FAILURES, ingestServer } from './recorder/ingest.mjs';

const step = seq => ({ run_id: 'r', seq });
const cassette = (hash, response) => ({ hash, hash_version: HASH_VERSION, request: '{}', response });
const silent = () => {};
const quick = { batchMs: 1, log: silent };

const pushSteps = (store, from, to) => {
  for (let seq = from; seq < to; seq += 1) store.appendStep(step(seq));
};
const steps = (from, to) => Array.from({ length: to - from }, (_, at) => `step r ${from + at}`);

/** A target in memory. `behave(number)` is asked before each batch. */
function memoryTarget(behave = async () => {}) {
  const target = { batches: [], calls: 0 };
  target.putBatch = async writes => {
    target.calls += 1;
    await behave(target.calls - 1, writes);
    target.batches.push(writes);
  };
  return target;
}
const fails = async () => {
  throw new Error('S3CRET');
};

describe('bufferedStore', () => {
  it('delivers in batches, in order, on its own', async () => {
    const target = memoryTarget();
    const store = bufferedStore({ target, batchMs: 5, maxBatch: 3 });
    store.putRun({ run_id: 'r' });
    store.putCassette(cassette('h', '1'));
    pushSteps(store, 0, 5);
    assert.deepEqual(store.stats, { written: 0, dropped: 0, queued: 7 });
    while (store.stats.queued > 0) await setTimeout(5);
    assert.deepEqual(store.stats, { written: 7, dropped: 0, queued: 0 });
    assert.deepEqual(
      target.batches.map(batch => batch.length),
      [3, 3, 1],
    );
    assert.deepEqual(
      target.batches.flat().map(write => write.kind),
      ['run', 'cassette', ...Array(5).fill('step')],
    );
    assert.deepEqual(await store.flush(), { written: 7, dropped: 0, pending: 0 });
  });

  it('sends what was put, not what became of it', async () => {
    const target = memoryTarget();
    const store = bufferedStore({ target, ...quick });
    const run = { run_id: 'r', status: 'partial' };
    store.putRun(run);
    run.status = 'complete';
    store.putRun(run);
    await store.flush();
    assert.deepEqual(
      target.batches.flat().map(write => write.run.status),
      ['partial', 'complete'],
    );
  });

  it('a target without batches', async () => {
    const put = [];
    const target = {
      putRun: async run => void put.push(run),
      appendStep: async value => {
        if (put.length === 2) {
          put.push('failed');
          throw new Error('once');
        }
        put.push(value);
      },
      putCassette: async value => void put.push(value),
    };
    const store = bufferedStore({ target, ...quick });
    store.putRun('run');
    pushSteps(store, 0, 3);
    store.putCassette(cassette('h', '1'));
    assert.deepEqual(await store.flush(), { written: 5, dropped: 0, pending: 0 });
    assert.deepEqual(put.slice(1), [step(0), 'failed', step(1), step(2), cassette('h', '1')]);
  });

  it('a full queue drops the newest and tells', async () => {
    const { lines, log } = keptLog();
    const target = memoryTarget();
    const store = bufferedStore({ target, maxQueue: 10, log });
    const heard = [];
    pushSteps(store, 0, 12);
    store.onDrop(count => heard.push(count));
    pushSteps(store, 12, 15);
    assert.deepEqual(store.stats, { written: 0, dropped: 5, queued: 10 });
    assert.deepEqual(lines, ['tapeproof: writes that could not be delivered so far: 1 (the queue is full)']);
    assert.deepEqual(heard, [1, 1, 1]);
    await store.flush();
    assert.deepEqual(
      target.batches.flat().map(write => write.step.seq),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
  });

  it('100,000 writes at once stay within the queue', async () => {
    const target = memoryTarget();
    const store = bufferedStore({ target, log: silent });
    pushSteps(store, 0, 100_000);
    assert.deepEqual(store.stats, { written: 0, dropped: 99_000, queued: 1000 });
    assert.deepEqual(await store.flush(), { written: 1000, dropped: 99_000, pending: 0 });
    assert.equal(target.batches.length, 10);
  });

  it('large writes stay within the text that may wait', async () => {
    const target = memoryTarget();
    const store = bufferedStore({ target, maxChars: 10_000, log: silent });
    for (let n = 0; n < 100; n += 1) store.putCassette(cassette(`h${n}`, 'x'.repeat(998)));
    assert.deepEqual(store.stats, { written: 0, dropped: 90, queued: 10 });
    await store.flush();
    store.putCassette(cassette('h', 'x'.repeat(998)));
    assert.deepEqual(await store.flush(), { written: 11, dropped: 90, pending: 0 });
  });

  it('a batch of large writes is no huge body', async () => {
    const target = memoryTarget();
    const store = bufferedStore({ target, log: silent });
    for (let n = 0; n < 10; n += 1) store.putCassette(cassette(`h${n}`, 'x'.repeat(3 << 20)));
    await store.flush();
    assert.equal(target.batches.length, 10);
  });

  it('a batch that fails is sent again as it was', async () => {
    const target = memoryTarget(async number => {
      if (number % 2 === 0) await fails();
    });
    const seen = [];
    const { putBatch } = target;
    target.putBatch = writes => {
      seen.push(writes.map(write => write.step.seq));
      return putBatch(writes);
    };
    const store = bufferedStore({ target, maxBatch: 2, ...quick });
    pushSteps(store, 0, 3);
    const flushed = store.flush();
    pushSteps(store, 3, 5);
    assert.deepEqual(await flushed, { written: 5, dropped: 0, pending: 0 });
    assert.deepEqual(seen, [[0, 1], [0, 1], [2, 3], [2, 3], [4], [4]]);
  });

  it('a target that is down for good: flush returns, and every write is accounted for', async () => {
    const { lines, log } = keptLog();
    const target = memoryTarget(fails);
    const store = bufferedStore({ target, batchMs: 1, maxBatch: 10, log });
    pushSteps(store, 0, 25);
    let account = await store.flush();
    assert.deepEqual(account, { written: 0, dropped: 0, pending: 25 });
    while (account.pending > 0) {
      account = await store.flush();
      assert.equal(account.written + account.dropped + account.pending, 25);
    }
    assert.deepEqual(account, { written: 0, dropped: 25, pending: 0 });
    assert.equal(lines.length, 1);
    assert.match(lines[0], /so far: 10 \(Error\)$/);
  });

  it('a failed batch makes room in a full queue', async () => {
    const target = memoryTarget(async number => {
      if (number === 0) await fails();
    });
    const store = bufferedStore({ target, maxQueue: 4, maxBatch: 2, ...quick });
    pushSteps(store, 0, 4);
    assert.deepEqual(await store.flush(), { written: 2, dropped: 2, pending: 0 });
  });

  for (const [name, putBatch] of [
    ['throws', () => assert.fail('S3CRET')],
    ['rejects with nothing', () => Promise.reject()],
    ['rejects with a Proxy', () => Promise.reject(Proxy.revocable({}, {}).proxy)],
  ]) {
    it(`a target that ${name}`, async () => {
      const store = bufferedStore({ target: { putBatch }, ...quick });
      pushSteps(store, 0, 2);
      assert.deepEqual(await store.flush(), { written: 0, dropped: 0, pending: 2 });
    });
  }

  for (const [name, options] of [
    [
      'numbers that are none',
      { maxQueue: Number.NaN, maxBatch: Number.NaN, batchMs: Number.NaN, maxChars: Number.NaN },
    ],
    ['texts', { maxQueue: '5', maxBatch: 'x', batchMs: '1', maxChars: '' }],
    ['nothing', { maxQueue: null, maxBatch: null, batchMs: null, maxChars: null }],
  ]) {
    it(`options that are ${name} are not given`, async () => {
      const target = memoryTarget();
      const store = bufferedStore({ target, log: silent, ...options });
      pushSteps(store, 0, 1200);
      assert.deepEqual(store.stats, { written: 0, dropped: 200, queued: 1000 });
      assert.deepEqual(await store.flush(), { written: 1000, dropped: 200, pending: 0 });
      assert.deepEqual(new Set(target.batches.map(({ length }) => length)), new Set([100]));
    });
  }

  it('steps with large errors stay within the text that may wait', () => {
    const store = bufferedStore({ target: memoryTarget(), maxChars: 10_000, log: silent });
    for (let seq = 0; seq < 100; seq += 1) {
      store.appendStep({ ...step(seq), error: { name: 'Error', message: 'x'.repeat(1000) } });
    }
    assert.deepEqual(store.stats, { written: 0, dropped: 90, queued: 10 });
  });

  it('a listener that throws ends neither the writing nor the sending', async () => {
    const store = bufferedStore({ target: { putBatch: fails }, maxQueue: 2, ...quick });
    store.onDrop(() => assert.fail('S3CRET'));
    pushSteps(store, 0, 3);
    assert.deepEqual(await store.flush(), { written: 0, dropped: 3, pending: 0 });
  });

  it('the account adds up at every moment', async () => {
    let pushed = 0;
    const check = () => {
      const { written, dropped, queued } = store.stats;
      assert.equal(written + dropped + queued, pushed);
    };
    const target = memoryTarget(async number => {
      await setTimeout(1);
      check();
      if (number % 3 === 0) throw new Error('S3CRET');
    });
    const store = bufferedStore({ target, maxQueue: 50, maxBatch: 7, ...quick });
    const flushes = [];
    for (let seq = 0; seq < 300; seq += 1) {
      pushed += 1;
      store.appendStep(step(seq));
      check();
      if (seq % 20 === 0) await setTimeout(1);
      if (seq % 50 === 0) flushes.push(store.flush().then(check));
    }
    await Promise.all(flushes);
    while ((await store.flush()).pending > 0) check();
    const sent = target.batches.flat().map(write => write.step.seq);
    assert.deepEqual(
      sent,
      [...new Set(sent)].sort((a, b) => a - b),
    );
    assert.equal(sent.length, store.stats.written);
  });

  it('flushes at the same time', async () => {
    const target = memoryTarget(() => setTimeout(2));
    const store = bufferedStore({ target, maxBatch: 2, ...quick });
    pushSteps(store, 0, 10);
    const accounts = await Promise.all([store.flush(), store.flush(), store.flush()]);
    for (const account of accounts) assert.deepEqual(account, { written: 10, dropped: 0, pending: 0 });
    assert.deepEqual(
      target.batches.flat().map(write => write.step.seq),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
  });
});

describe('httpStore', () => {
  it('posts writes as they are', async () => {
    const server = await ingestServer();
    const target = httpStore({ url: `${server.url}/`, token: 't0ken' });
    const run = { run_id: 'r', thread_id: 'é\ud800' };
    await target.putBatch([
      { kind: 'run', run },
      { kind: 'step', step: step(0) },
    ]);
    await target.putCassette(cassette('h', '1'));
    await target.appendStep(step(1));
    await target.putRun({ run_id: 's' });
    assert.deepEqual(server.batches, [
      [
        { kind: 'run', run },
        { kind: 'step', step: step(0) },
      ],
      [{ kind: 'cassette', cassette: cassette('h', '1') }],
      [{ kind: 'step', step: step(1) }],
      [{ kind: 'run', run: { run_id: 's' } }],
    ]);
    for (const { method, url, headers } of server.requests) {
      assert.deepEqual([method, url], ['POST', '/v1/ingest']);
      assert.equal(headers.authorization, 'Bearer t0ken');
      assert.equal(headers['content-type'], 'application/json');
    }
  });

  it('below a path, without a token, through another fetch', async () => {
    const server = await ingestServer();
    const urls = [];
    const fetchImpl = (url, options) => {
      urls.push(url);
      return fetch(url, options);
    };
    await httpStore({ url: `${server.url}/rewind`, fetchImpl }).appendStep(step(0));
    assert.equal(server.requests[0].url, '/rewind/v1/ingest');
    assert.equal(server.requests[0].headers.authorization, undefined);
    assert.deepEqual(urls, [`${server.url}/rewind/v1/ingest`]);
  });

  for (const [url, endpoint] of [
    ['http://127.0.0.1:9//', 'http://127.0.0.1:9/v1/ingest'],
    ['http://127.0.0.1:9/a/?tenant=b', 'http://127.0.0.1:9/a/v1/ingest?tenant=b'],
  ]) {
    it(`at ${url}`, async () => {
      const urls = [];
      const fetchImpl = async to => {
        urls.push(to);
        return { ok: true };
      };
      await httpStore({ url, fetchImpl }).appendStep(step(0));
      assert.deepEqual(urls, [endpoint]);
    });
  }

  for (const timeoutMs of [Number.POSITIVE_INFINITY, Number.NaN, 2 ** 40, -1, 0, 60_000.5]) {
    it(`within ${timeoutMs} ms`, async () => {
      const server = await ingestServer();
      await httpStore({ url: server.url, timeoutMs }).appendStep(step(0));
      server.close();
    });
  }

  for (const [name, failure] of Object.entries(FAILURES)) {
    it(`a server that ${name}`, async () => {
      const server = await ingestServer((_number, request, response) => failure(request, response));
      await assert.rejects(httpStore({ url: server.url, timeoutMs: 150 }).putBatch([{ kind: 'step', step: step(0) }]));
      server.close();
    });
  }

  it('a refusal says its status and nothing else', async () => {
    const server = await ingestServer((_number, _request, response) => response.writeHead(507).end('S3CRET'));
    await assert.rejects(httpStore({ url: server.url, token: 'S3CRET' }).appendStep(step(0)), error => {
      assert.deepEqual([error.code, error.status], ['ERR_TAPEPROOF_INGEST', 507]);
      assert.doesNotMatch(error.stack, /S3CRET/);
      return true;
    });
  });

  it('no server', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address();
    probe.close();
    await assert.rejects(httpStore({ url: `http://127.0.0.1:${port}` }).appendStep(step(0)), TypeError);
  });
});

describe('bufferedStore over httpStore', () => {
  for (const [name, failure] of Object.entries(FAILURES)) {
    it(`a server that ${name}, twice`, async () => {
      // The first time after it has kept the writes: what comes again must be the same.
      const server = await ingestServer((number, request, response, take) => {
        if (number === 0) take();
        if (number < 2) return failure(request, response);
        take();
        return response.writeHead(200).end('{"ok":true}');
      });
      const store = bufferedStore({ target: httpStore({ url: server.url, timeoutMs: 150 }), maxBatch: 4, ...quick });
      pushSteps(store, 0, 10);
      let account = await store.flush();
      while (account.pending > 0) {
        assert.equal(account.written + account.dropped + account.pending, 10);
        account = await store.flush();
      }
      assert.deepEqual(account, { written: 10, dropped: 0, pending: 0 });
      assert.deepEqual(server.order, steps(0, 10));
      for (const batch of server.batches.slice(0, 3)) assert.deepEqual(batch, server.batches[0]);
      server.close();
    });
  }

  it('a recorded run arrives whole', async () => {
    const server = await ingestServer();
    const store = bufferedStore({ target: httpStore({ url: server.url }), ...quick });
    const recorder = new Recorder({ store });
    for (let n = 0; n < 250; n += 1) recorder.record(call({ n: n % 100 }, n % 3));
    recorder.finish({ final_state_hash: 'x' });
    const pushed = 2 + 2 * 250;
    assert.deepEqual(await store.flush(), { written: pushed, dropped: 0, pending: 0 });
    const run = server.kept.get(`run ${recorder.run.run_id}`).run;
    assert.deepEqual([run.status, run.dropped], ['complete', 0]);
    const kept = [...server.kept.values()];
    assert.equal(kept.filter(({ kind }) => kind === 'step').length, 250);
    assert.equal(server.batches.flat().length, pushed);
    // A step comes after its cassette.
    const at = server.batches.flat().map(write => write.kind);
    assert.deepEqual(at.slice(0, 5), ['run', 'cassette', 'step', 'cassette', 'step']);
  });

  it('what is dropped makes the run partial', () => {
    const store = bufferedStore({ target: memoryTarget(), maxQueue: 5 });
    const { lines, log } = keptLog();
    const recorder = new Recorder({ store, log });
    for (let n = 0; n < 10; n += 1) recorder.record(call({ n }, n));
    assert.equal(recorder.run.status, 'partial');
    assert.equal(recorder.stats.dropped, store.stats.dropped);
    assert.equal(recorder.stats.dropped, 16);
    assert.equal(lines.length, 1);
  });

  it('also after finish: the run that says complete is followed by one that says partial', async () => {
    let down = true;
    const target = memoryTarget(async () => {
      if (down) await fails();
    });
    const store = bufferedStore({ target, maxBatch: 2, ...quick });
    const recorder = new Recorder({ store, log: silent });
    recorder.record(call({}, 1));
    recorder.finish(null);
    assert.equal(recorder.run.status, 'complete');
    while (recorder.stats.dropped === 0) await store.flush();
    assert.equal(recorder.run.status, 'partial');
    down = false;
    while ((await store.flush()).pending > 0);
    const runs = target.batches.flat().flatMap(write => write.run ?? []);
    assert.equal(runs.at(-1).status, 'partial');
    assert.equal(runs.at(-1).dropped, recorder.stats.dropped);
  });
});
