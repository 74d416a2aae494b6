// What the recorder writes, and that nothing it meets reaches the agent.
import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, mock } from 'node:test';
import { HASH_VERSION, reqHash, stateHash } from 'tapeproof/hash';
import { Recorder } from 'tapeproof/recorder';
import { fileStore, findRecording, listRuns, readCassette, readTrace } from 'tapeproof/store';
import { call, keptLog, memoryStore } from './recorder/calls.mjs';
import { everythingIn, filesIn, publishedReader, temporaryFolder } from './recorder/folder.mjs';

describe('recorder: what it writes', () => {
  it('a run, from its first moment to its end', () => {
    const root = temporaryFolder();
    const run = {
      ...{ thread_id: 't1', graph_sha: 'g', code_sha: 'c', prompt_sha: 'p', seed: 7 },
      ...{ model_cfg: { temperature: 0 }, flags_snapshot: { beta: true } },
    };
    const recorder = new Recorder({ store: fileStore(root), run });
    const { run_id } = recorder.run;
    assert.match(run_id, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    assert.equal(recorder.run.status, 'complete');
    const begun = publishedReader(root).run(run_id);
    assert.equal(begun.status, 'partial');
    assert.equal(begun.ended_at, null);
    assert.equal(begun.outcome, null);

    recorder.record(call({ q: 1 }, 'one', { latency_ms: 5, tokens: 10, cost_usd: 0.5 }));
    recorder.record(call({ q: 2 }, 'two', { latency_ms: 7.5, tokens: null, cost_usd: 0.25 }));
    recorder.record(call({ q: 3 }, 'three', { latency_ms: 1 }));
    recorder.finish({ final_state_hash: 'sha256:ab', answer: 'ask ann@example.org' });

    const { started_at, ended_at, ...ended } = publishedReader(root).run(run_id);
    assert.ok(started_at <= ended_at);
    assert.equal(new Date(ended_at).toISOString(), ended_at);
    assert.deepEqual(ended, {
      ...run,
      run_id,
      hash_version: HASH_VERSION,
      status: 'complete',
      outcome: { final_state_hash: 'sha256:ab', answer: 'ask [redacted:email:0]' },
      tokens: 10,
      cost_usd: 0.75,
      latency_ms: 13.5,
      dropped: 0,
    });
    assert.deepEqual(recorder.stats, { dropped: 0, steps: 3 });
  });

  it('a step and its cassette', () => {
    const root = temporaryFolder();
    const recorder = new Recorder({ store: fileStore(root) });
    const request = {
      kind: 'model',
      provider: 'anthropic',
      model_id: 'claude-sonnet-5',
      messages: [{ role: 'user', content: 'mail ann@example.org,  twice: ann@example.org' }],
    };
    const response = { role: 'assistant', content: 'sent to ann@example.org and bob@example.org' };
    const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
    recorder.record({
      ...{ node: 'agent', kind: 'model', request, response, usage, latency_ms: 420, tokens: 3, cost_usd: 0.004 },
      ...{ provider: 'anthropic', model_version: 'claude-sonnet-5-1' },
      ...{ started_at: '2026-01-01T00:00:00.000Z', ended_at: '2026-01-01T00:00:00.420Z' },
    });
    const { steps, problems } = readTrace(root, recorder.run.run_id);
    const redacted = { role: 'assistant', content: 'sent to [redacted:email:0] and [redacted:email:1]' };
    assert.deepEqual(problems, []);
    assert.deepEqual(steps, [
      {
        run_id: recorder.run.run_id,
        seq: 0,
        node: 'agent',
        kind: 'model',
        req_hash: reqHash(request),
        cassette_ref: reqHash(request),
        match_tier: 'recorded',
        latency_ms: 420,
        tokens: 3,
        cost_usd: 0.004,
        error: null,
        response_hash: stateHash(redacted),
        started_at: '2026-01-01T00:00:00.000Z',
        ended_at: '2026-01-01T00:00:00.420Z',
        usage,
      },
    ]);
    const { recorded_at, ...cassette } = readCassette(root, steps[0].cassette_ref);
    assert.equal(new Date(recorded_at).toISOString(), recorded_at);
    assert.deepEqual(cassette, {
      hash: reqHash(request),
      hash_version: HASH_VERSION,
      kind: 'model',
      request: JSON.stringify({
        ...request,
        messages: [{ role: 'user', content: 'mail [redacted:email:0],  twice: [redacted:email:0]' }],
      }),
      response: JSON.stringify(redacted),
      chunks: null,
      provider: 'anthropic',
      model_version: 'claude-sonnet-5-1',
      redaction_map: { '[redacted:email:0]': 'email', '[redacted:email:1]': 'email' },
      refcount: 1,
    });
    assert.doesNotMatch(everythingIn(root), /example\.org/);
  });

  it('the moments of a step that names none', () => {
    const store = memoryStore();
    new Recorder({ store }).record(call({}, 'x', { latency_ms: 1500 }));
    const [{ started_at, ended_at }] = store.steps;
    assert.equal(Date.parse(ended_at) - Date.parse(started_at), 1500);
  });

  it('seq is the order in which calls begin', () => {
    const store = memoryStore();
    const recorder = new Recorder({ store });
    const [slow, quick] = [recorder.reserve(), recorder.reserve()];
    recorder.record(call({ q: 'quick' }, 1, { seq: quick }));
    recorder.record(call({ q: 'later' }, 2));
    recorder.record(call({ q: 'slow' }, 3, { seq: slow }));
    recorder.record(call({ q: 'given' }, 4, { seq: 9 }));
    recorder.record(call({ q: 'next' }, 5));
    assert.deepEqual(
      store.steps.map(step => step.seq),
      [1, 2, 0, 9, 10],
    );
  });

  it('an error, redacted in the table of its request', () => {
    const store = memoryStore();
    const error = new RangeError('no answer for ann@example.org');
    new Recorder({ store }).record(call({ to: ['bob@example.org', 'ann@example.org'] }, null, { error }));
    assert.deepEqual(store.steps[0].error, { name: 'RangeError', message: 'no answer for [redacted:email:1]' });
    assert.equal(store.cassettes[0].response, 'null');
  });

  it('a call without an answer', () => {
    const store = memoryStore();
    new Recorder({ store }).record(call({}, undefined));
    assert.equal(store.cassettes[0].response, 'null');
    assert.equal(store.steps[0].response_hash, stateHash(null));
  });

  it('a rule of redaction does not change what a call is', () => {
    const store = memoryStore();
    const secret = call({ ssn: '123', account: 'ACC-12345678' }, { ssn: '123' });
    new Recorder({ store, redact: { fields: new Set(['ssn']), custom: [/ACC-\d{8}/g] } }).record(secret);
    new Recorder({ store, redact: { preset: 'none' } }).record(secret);
    assert.equal(store.steps[0].req_hash, store.steps[1].req_hash);
    assert.match(store.cassettes[0].request, /"ssn":"\[redacted:field:0\]","account":"\[redacted:custom:0:0\]"/);
    assert.match(store.cassettes[1].request, /"ssn":"123","account":"ACC-12345678"/);
  });

  it('fields that can be iterated only once hold for every step', () => {
    const store = memoryStore();
    const recorder = new Recorder({ store, redact: { fields: ['ssn'].values() } });
    for (const q of [1, 2]) recorder.record(call({ q, ssn: 'x' }, null));
    for (const { request } of store.cassettes) assert.match(request, /"ssn":"\[redacted:field:0\]"/);
  });

  it('what a function within a value would say of it is not asked', () => {
    const store = memoryStore();
    const told = Object.assign(() => 'f', { toJSON: () => 'ann@example.org' });
    const recorder = new Recorder({ store });
    recorder.record(
      call({ a: { toJSON: () => 'ann@example.org', b: [1, told] } }, [{ toJSON: () => 'ann@example.org' }]),
    );
    assert.deepEqual(recorder.stats, { dropped: 0, steps: 1 });
    assert.equal(store.cassettes[0].response, '[{}]');
    assert.doesNotMatch(JSON.stringify(store), /ann@/);
  });

  it('what is known of the run is copied, redacted, and checked', () => {
    const store = memoryStore();
    const model_cfg = { key: 'ann@example.org' };
    const run = { model_cfg, seed: 1.5, thread_id: 7, status: 'error', hash_version: 1, tokens: 99 };
    const recorder = new Recorder({ store, run });
    model_cfg.later = true;
    recorder.finish(null);
    const { seed, thread_id, status, hash_version, tokens } = store.runs[1];
    assert.deepEqual(store.runs[1].model_cfg, { key: '[redacted:email:0]' });
    assert.deepEqual([seed, thread_id, status, hash_version, tokens], [0, '', 'complete', HASH_VERSION, 0]);
  });

  it('two runs of one agent have the same hashes', () => {
    const root = temporaryFolder();
    const [first, second] = [1, 2].map(() => {
      const recorder = new Recorder({ store: fileStore(root) });
      for (const q of [1, 2, 1]) recorder.record(call({ q }, `answer ${q}`));
      recorder.finish(null);
      return readTrace(root, recorder.run.run_id).steps.map(({ seq, node, req_hash, cassette_ref }) => {
        return { seq, node, req_hash, cassette_ref };
      });
    });
    assert.deepEqual(first, second);
    assert.equal(filesIn(join(root, 'cassettes')).length, 2);
  });
});

describe('recorder: different answers are different recordings', () => {
  const request = { kind: 'tool', tool_name: 'search', args: { q: 'x' } };
  const hash = reqHash(request);
  const ref = response => `${hash}.${stateHash(response).slice(7, 23)}`;
  const answers = [
    ['one', call({ q: 'x' }, 1), 1],
    ['two', call({ q: 'x' }, 2), 2],
    ['an error', call({ q: 'x' }, null, { error: { name: 'Error', message: 'down' } }), null],
    ['three', call({ q: 'x' }, 3), 3],
  ];
  const recordAll = recorder => {
    for (const [, observation] of answers) recorder.record(observation);
    recorder.finish(null);
  };
  const refs = [hash, ref(2), ref(null), ref(3)];

  for (const [name, stores] of [
    ['in one store', root => Array(2).fill(fileStore(root))],
    ['in two stores, as in two processes', root => [fileStore(root), fileStore(root)]],
  ]) {
    it(`within a run and across two, ${name}`, () => {
      const root = temporaryFolder();
      for (const store of stores(root)) {
        const recorder = new Recorder({ store });
        recordAll(recorder);
        const { steps } = readTrace(root, recorder.run.run_id);
        assert.deepEqual(
          steps.map(step => step.cassette_ref),
          refs,
        );
        for (const [index, [answer, , response]] of answers.entries()) {
          const cassette = readCassette(root, steps[index].cassette_ref);
          assert.equal(cassette.response, JSON.stringify(response), answer);
          assert.equal(steps[index].error?.message, answer === 'an error' ? 'down' : undefined, answer);
        }
      }
      assert.deepEqual(filesIn(join(root, 'cassettes')), refs.map(name => `${name}.json`).sort());
      assert.equal(publishedReader(root).cassette(hash).response, '1');
      const recording = findRecording(root, request);
      assert.equal(recording.hash, hash);
      assert.equal(recording.cassettes[0].response, '1');
      assert.deepEqual(recording.cassettes.map(cassette => cassette.response).sort(), ['1', '2', '3', 'null']);
      assert.equal(recording.steps.length, 8);
    });
  }

  it('across two runs that answer differently', () => {
    const root = temporaryFolder();
    const [one, two] = [1, 2].map(response => {
      const recorder = new Recorder({ store: fileStore(root) });
      recorder.record(call({ q: 'x' }, response));
      return readTrace(root, recorder.run.run_id).steps[0];
    });
    assert.deepEqual([one.cassette_ref, two.cassette_ref], [hash, ref(2)]);
  });

  it('on a store that returns no refs', () => {
    const store = memoryStore();
    recordAll(new Recorder({ store }));
    assert.deepEqual(
      store.steps.map(step => step.cassette_ref),
      refs,
    );
  });
});

const cyclic = {};
cyclic.self = cyclic;
const revoked = Proxy.revocable({}, {});
revoked.revoke();
const secret = 'S3CRET';
const throwing = {
  get a() {
    throw new Error(secret);
  },
};

const UNRECORDABLE = [
  ['a cyclic response', call({}, cyclic)],
  ['a cyclic request', call(cyclic, 1)],
  ['a BigInt in the response', call({}, { n: 1n })],
  ['a BigInt as the response', call({}, 1n)],
  ['a BigInt in the request', call({ n: 1n }, 1)],
  ['NaN in the request', call({ n: Number.NaN }, 1)],
  ['a getter that throws', call({}, throwing)],
  ['a getter that throws, in the request', call(throwing, 1)],
  ['a revoked Proxy', call({}, revoked.proxy)],
  ['an observation that is a revoked Proxy', revoked.proxy],
  ['no observation', undefined],
  ['no request', { ...call({}, 1), request: undefined }],
  ['a node that is no JSON', call({}, 1, { node: 1n })],
  ['a token count that throws', Object.defineProperty(call({}, 1), 'tokens', { get: () => throwing.a })],
  ['an error that throws', call({}, 1, { error: { name: 'x', message: { toString: () => throwing.a } } })],
  ['nesting without end', call({}, JSON.parse('['.repeat(5000) + ']'.repeat(5000)))],
];

describe('recorder: it never harms', () => {
  for (const [name, observation] of UNRECORDABLE) {
    it(name, () => {
      const root = temporaryFolder();
      const { lines, log } = keptLog();
      const recorder = new Recorder({ store: fileStore(root), log });
      recorder.record(call({ q: 1 }, 'before'));
      assert.equal(recorder.record(observation), undefined);
      recorder.record(call({ q: 2 }, 'after'));
      recorder.finish(null);
      assert.deepEqual(recorder.stats, { dropped: 1, steps: 2 });
      const { run, steps, problems } = readTrace(root, recorder.run.run_id);
      assert.deepEqual([run.status, run.dropped, recorder.run.status], ['partial', 1, 'partial']);
      assert.equal(steps.length, 2);
      assert.ok(problems.length <= 1);
      assert.equal(lines.length, 1);
      assert.match(lines[0], /^tapeproof: the run is partial, writes lost so far: 1 \(\w+\)$/);
      assert.doesNotMatch(lines[0], new RegExp(secret));
    });
  }

  for (const method of ['putRun', 'appendStep', 'putCassette']) {
    it(`a store whose ${method} throws`, () => {
      const { lines, log } = keptLog();
      const store = memoryStore([method], Object.assign(new Error(secret), { code: 'EIO' }));
      const recorder = new Recorder({ store, log });
      recorder.record(call({ q: 1 }, 1));
      recorder.record(call({ q: 2 }, 2));
      recorder.finish(null);
      assert.equal(recorder.run.status, 'partial');
      assert.equal(recorder.stats.dropped, 2);
      assert.equal(recorder.stats.steps, method === 'putRun' ? 2 : 0);
      assert.deepEqual(lines, ['tapeproof: the run is partial, writes lost so far: 1 (EIO)']);
      if (method !== 'putRun') assert.deepEqual([store.runs.at(-1).status, store.runs.at(-1).dropped], ['partial', 2]);
    });
  }

  it('a store that is asynchronous against the rules and fails', async () => {
    const { lines, log } = keptLog();
    const fails = async () => {
      throw new TypeError(secret);
    };
    const recorder = new Recorder({ store: { putRun: fails, appendStep: fails, putCassette: fails }, log });
    recorder.record(call({}, 1));
    await new Promise(setImmediate);
    assert.equal(recorder.run.status, 'partial');
    assert.deepEqual(lines, ['tapeproof: the run is partial, writes lost so far: 1 (TypeError)']);
  });

  const odd = [
    ['no options', () => undefined],
    ['no store', () => ({})],
    ['a store that is a revoked Proxy', () => ({ store: revoked.proxy })],
    ['options that throw', () => Object.defineProperty({}, 'store', { get: () => throwing.a })],
    ['metadata that throws', store => ({ store, run: { model_cfg: throwing } })],
    ['metadata that is no JSON', store => ({ store, run: { model_cfg: { n: 1n } } })],
    ['a redaction that is none', store => ({ store, redact: { preset: 'fefault' } })],
    ['a redaction whose fields are no list', store => ({ store, redact: { fields: 7 } })],
    [
      'a redaction that throws',
      store => ({ store, redact: Object.defineProperty({}, 'fields', { get: () => throwing.a }) }),
    ],
  ];
  for (const [name, options] of odd) {
    it(name, () => {
      const warn = mock.method(console, 'warn', () => {});
      try {
        const store = memoryStore();
        const recorder = new Recorder(options(store));
        recorder.record(call({ mail: 'ann@example.org' }, 1));
        recorder.finish({ final_state_hash: 'x' });
        assert.equal(recorder.run.status, 'partial');
        assert.ok(recorder.stats.dropped > 0);
        assert.equal(warn.mock.callCount(), 1);
        assert.doesNotMatch(JSON.stringify(store), /ann@/);
      } finally {
        warn.mock.restore();
      }
    });
  }

  for (const [name, log] of [
    ['throws', () => throwing.a],
    ['rejects', async () => throwing.a],
  ]) {
    it(`a log that ${name}`, async () => {
      const recorder = new Recorder({ store: memoryStore(['appendStep']), log });
      recorder.record(call({}, 1));
      await new Promise(setImmediate);
      assert.equal(recorder.run.status, 'partial');
    });
  }

  it('one line a minute', () => {
    let now = 1e6;
    const clock = mock.method(performance, 'now', () => now);
    try {
      const { lines, log } = keptLog();
      const recorder = new Recorder({ store: memoryStore(['appendStep']), log });
      for (let second = 0; second < 150; second += 1) {
        recorder.record(call({}, 1));
        now += 1000;
      }
      assert.deepEqual(
        lines.map(line => line.match(/: (\d+)/)[1]),
        ['1', '61', '121'],
      );
    } finally {
      clock.mock.restore();
    }
  });

  it('finish cannot make a partial run complete', () => {
    for (const status of ['complete', 'error', undefined]) {
      const store = memoryStore();
      const recorder = new Recorder({ store, log: () => {} });
      recorder.record(call({}, 1n));
      recorder.finish(null, status);
      recorder.finish(null, status);
      assert.equal(store.runs.at(-1).status, 'partial');
    }
  });

  it('a call that ends after its run is in the totals', () => {
    const store = memoryStore();
    const recorder = new Recorder({ store });
    recorder.record(call({}, 1, { tokens: 5 }));
    recorder.finish(null);
    recorder.record(call({}, 2, { tokens: 7 }));
    const { status, tokens, ended_at } = store.runs.at(-1);
    assert.deepEqual([status, tokens, ended_at], ['complete', 12, recorder.run.ended_at]);
  });

  it('an account that somebody has frozen', () => {
    const store = memoryStore();
    const recorder = new Recorder({ store, log: () => {} });
    Object.freeze(recorder.run);
    Object.freeze(recorder.stats);
    recorder.record(call({}, 1));
    recorder.record(call({}, 1n));
    recorder.lose(new Error('no'));
    recorder.finish(null);
    assert.equal(store.runs.at(-1).status, 'partial');
  });

  for (const [name, now] of [
    ['before 1970', -5000],
    ['between two milliseconds', 1_800_000_000_000.5],
    ['beyond 48 bits', 2 ** 50],
    ['that is none', Number.NaN],
  ]) {
    it(`a clock that says a moment ${name}`, () => {
      const clock = mock.method(Date, 'now', () => now);
      try {
        const recorder = new Recorder({ store: memoryStore(), log: () => {} });
        assert.match(recorder.run.run_id, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
        recorder.record(call({}, 1));
        recorder.finish(null);
      } finally {
        clock.mock.restore();
      }
    });
  }

  it('a run that ended with an error says so', () => {
    const store = memoryStore();
    new Recorder({ store }).finish(null, 'error');
    assert.equal(store.runs.at(-1).status, 'error');
  });

  it('a run that could not be written at first is written with the next step', () => {
    const store = memoryStore();
    const { putRun } = store;
    let calls = 0;
    store.putRun = run => {
      calls += 1;
      if (calls === 1) throw new Error('later');
      putRun(run);
    };
    const recorder = new Recorder({ store, log: () => {} });
    recorder.record(call({}, 1));
    assert.equal(store.runs.length, 1);
    assert.deepEqual(recorder.stats, { dropped: 1, steps: 1 });
  });

  it('a store that records while it is asked to record', () => {
    const store = memoryStore();
    const recorder = new Recorder({ store });
    const { appendStep } = store;
    let depth = 0;
    store.appendStep = step => {
      depth += 1;
      if (depth < 5) recorder.record(call({ depth }, depth));
      appendStep(step);
    };
    recorder.record(call({}, 0));
    assert.deepEqual(store.steps.map(step => step.seq).sort(), [0, 1, 2, 3, 4]);
  });

  it('a folder that is removed while it is written to', () => {
    for (const removed of ['', 'runs', 'cassettes']) {
      const root = join(temporaryFolder(), 'rewind');
      const recorder = new Recorder({ store: fileStore(root), log: () => {} });
      recorder.record(call({ q: 1 }, 1));
      rmSync(join(root, removed), { recursive: true });
      for (const q of [2, 3, 4]) recorder.record(call({ q }, q));
      recorder.finish(null);
      assert.equal(recorder.run.status, 'partial', removed);
      assert.deepEqual(listRuns(root), [recorder.run.run_id]);
      const { run, steps } = readTrace(root, recorder.run.run_id);
      assert.equal(run.status, 'partial');
      // What came after the loss is there again.
      assert.ok(steps.some(step => step.seq === 3 && readCassette(root, step.cassette_ref)?.response === '4'));
    }
  });

  it('a folder that is removed before the run ends', () => {
    const root = join(temporaryFolder(), 'rewind');
    const recorder = new Recorder({ store: fileStore(root), log: () => {} });
    recorder.record(call({ q: 1 }, 1));
    rmSync(root, { recursive: true });
    recorder.finish(null);
    const { run, steps } = readTrace(root, recorder.run.run_id);
    assert.equal(run.status, 'partial');
    assert.deepEqual(steps, []);
  });

  it('a run id that would leave the folder', () => {
    const root = join(temporaryFolder(), 'inner', 'rewind');
    for (const run_id of ['../../x', '/tmp/x', 'a/b', 'a\\b', '..', '.', '.x', '', 'a\0b', 'C:x', 'x'.repeat(300)]) {
      const { lines, log } = keptLog();
      const recorder = new Recorder({ store: fileStore(root), run: { run_id }, log });
      recorder.record(call({}, 1));
      recorder.finish(null);
      assert.equal(recorder.run.status, 'partial');
      assert.match(lines[0], /ERR_TAPEPROOF_NAME/);
    }
    assert.ok(!existsSync(join(root, 'runs')));
  });
});
