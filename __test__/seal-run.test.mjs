// A recorded run becomes a record: the same everywhere, checked against its cassettes, honest about what is missing.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sealRun, sealRunToFile } from 'tapeproof/evidence';
import { reqHash } from 'tapeproof/hash';
import { readTrace } from 'tapeproof/store';
import { generateKeyPair, verify, verifyJson } from 'tapeproof/verify';
import { editLines, model, recorded, sealed, tool } from './evidence/runs.mjs';
import { temporaryFolder } from './recorder/folder.mjs';
import * as twin from './reference/records.mjs';

const { privateKey, publicKey } = generateKeyPair();
const pinned = { expectedPublicKey: publicKey };
const generatedAt = '2026-01-01T00:00:00.000Z';

/** The events of the steps of a run. */
const calls = record => record.events.filter(({ type }) => type !== 'run');

const OBSERVATIONS = [
  model('hi', { text: 'hello' }, { tokens: 7, cost_usd: 0.5 }),
  tool({ q: 1 }, [1, { two: 2 }], { usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 } }),
  tool({ q: 2 }, null, { error: { name: 'TypeError', message: 'no' } }),
  { kind: 'clock', request: { kind: 'clock', counter: 0 }, response: 1764500000 },
  { kind: 'rng', request: { kind: 'rng', counter: 0 }, response: 0.5 },
  { kind: 'human', request: { kind: 'human', prompt: 'go on?' }, response: 'yes' },
  { kind: 'env', request: { kind: 'env', name: 'HOME' }, response: '/root' },
];

describe('the record of a run', () => {
  const root = recorded(OBSERVATIONS, { thread_id: 'thread_7', seed: 4, outcome: { final_state_hash: 'sha256:0' } });
  const { run, steps } = readTrace(root, 'r');
  const record = sealRun(root, 'r', { privateKey, generatedAt });

  it('is valid with the key, and unverified without', () => {
    const text = JSON.stringify(record);
    for (const { verifyJson: check } of [{ verifyJson }, twin]) {
      assert.equal(check(text, undefined, pinned).verdict, 'valid');
      assert.equal(check(text).verdict, 'unverified');
      assert.equal(check(text, undefined, { expectedPublicKey: generateKeyPair().publicKey }).verdict, 'unverified');
    }
  });

  it('with an HMAC key, and with none', () => {
    const record = sealRun(root, 'r', { hmacKey: 'k' });
    assert.equal(verify(record, 'k').verdict, 'valid');
    assert.equal(verify(record, 'other').verdict, 'invalid');
    assert.equal(sealRun(root, 'r').manifest.signed, false);
  });

  it('begins and ends with the run', () => {
    const metadata = {
      thread_id: 'thread_7',
      graph_sha: '',
      code_sha: '',
      prompt_sha: '',
      model_cfg: {},
      seed: 4,
      flags_snapshot: {},
      hash_version: 3,
    };
    const totals = { step_count: 7, total_tokens: 7, total_cost_usd: 0.5, total_latency_ms: 35, dropped: 0 };
    const envelope = {
      schema_version: 1,
      run_id: 'r',
      span_id: 'r',
      parent_span_id: null,
      ts_start: run.started_at,
      type: 'run',
      name: 'thread_7',
      input: null,
      error: null,
      metadata,
    };
    const output = { final_state_hash: 'sha256:0' };
    const [start, end] = [record.events[0], record.events.at(-1)].map(({ _hash, ...event }) => event);
    assert.deepEqual(start, {
      ...envelope,
      seq: 0,
      ts_end: null,
      phase: 'start',
      output: null,
      status: 'running',
    });
    assert.deepEqual(end, {
      ...envelope,
      ...totals,
      seq: 8,
      ts_end: run.ended_at,
      phase: 'end',
      output,
      status: 'success',
    });
    const { started_at, ended_at } = run;
    assert.deepEqual(record.run, {
      run_id: 'r',
      name: 'thread_7',
      status: 'success',
      started_at,
      ended_at,
      input: null,
      output,
      error: null,
      metadata,
      ...totals,
    });
    assert.equal(record.manifest.replay.entry_count, 7);
  });

  for (const [at, type, members] of [
    [
      0,
      'llm',
      {
        model: { provider: 'p', model_id: 'm', model_version: null },
        request: {
          system: null,
          messages: [{ role: 'user', content: 'hi' }],
          tools: null,
          params: { temperature: 0 },
        },
        response: {
          text: 'hello',
          reasoning: null,
          finish_reason: null,
          tool_calls: [],
          recorded: { text: 'hello' },
        },
        usage: { total_tokens: 7 },
        cost_usd: 0.5,
      },
    ],
    [
      1,
      'tool',
      {
        tool_name: 'search',
        tool_call_id: null,
        input: { q: 1 },
        output: [1, { two: 2 }],
        usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
      },
    ],
    [
      2,
      'tool',
      {
        tool_name: 'search',
        tool_call_id: null,
        input: { q: 2 },
        output: null,
        error: { name: 'TypeError', message: 'no' },
      },
    ],
    [3, 'env', { kind: 'clock', key: '{"kind":"clock","counter":0}', output: 1764500000 }],
    [4, 'env', { kind: 'random', key: '{"kind":"rng","counter":0}', output: 0.5 }],
    [5, 'env', { kind: 'human', key: '{"kind":"human","prompt":"go on?"}', output: 'yes' }],
    [6, 'env', { kind: 'env', key: '{"kind":"env","name":"HOME"}', output: '/root' }],
  ]) {
    it(`step ${at} as ${type}${members.kind ? ` ${members.kind}` : ''}`, () => {
      const { _hash, ...event } = record.events[at + 1];
      const { started_at, ended_at, req_hash, response_hash } = steps[at];
      assert.deepEqual(event, {
        schema_version: 1,
        run_id: 'r',
        span_id: `r.${at}`,
        parent_span_id: 'r',
        seq: at + 1,
        ts_start: started_at,
        ts_end: ended_at,
        type,
        node: 'n',
        usage: null,
        latency_ms: 5,
        cost_usd: null,
        error: null,
        req_hash,
        response_hash,
        ...members,
      });
    });
  }

  it('is the same bytes each time, and in a file', () => {
    const text = `${JSON.stringify(record)}\n`;
    assert.equal(sealed(root, { privateKey, generatedAt }), text);
    assert.equal(sealed(root, { privateKey, generatedAt }), text);
    assert.deepEqual(sealRun(root, 'r', { privateKey, generatedAt }), record);
  });

  it('unsigned or with an HMAC key, the same bytes in a file too', () => {
    for (const keys of [{}, { hmacKey: 'k' }]) {
      const options = { ...keys, generatedAt };
      assert.equal(sealed(root, options), `${JSON.stringify(sealRun(root, 'r', options))}\n`);
    }
  });

  it('sealRunToFile gives the manifest', () => {
    const file = join(temporaryFolder(), 'record.json');
    assert.deepEqual(sealRunToFile(root, 'r', file, { privateKey, generatedAt }), record.manifest);
  });
});

describe('runs', () => {
  it('without steps', () => {
    const root = recorded([]);
    const text = sealed(root, { privateKey, generatedAt });
    assert.equal(text, `${JSON.stringify(sealRun(root, 'r', { privateKey, generatedAt }))}\n`);
    assert.equal(JSON.parse(text).events.length, 2);
    assert.equal(verifyJson(text, undefined, pinned).verdict, 'valid');
  });

  it('in many parts', () => {
    const root = recorded(Array.from({ length: 120 }, (_, q) => tool({ q, text: `é \ud800 ${'x'.repeat(9000)}` }, q)));
    const text = sealed(root, { privateKey, generatedAt });
    assert.ok(text.length > 1_000_000);
    assert.equal(text, `${JSON.stringify(sealRun(root, 'r', { privateKey, generatedAt }))}\n`);
    for (const check of [verifyJson, twin.verifyJson]) assert.equal(check(text, undefined, pinned).verdict, 'valid');
  });

  it('whose calls ended in another order than they began', () => {
    const root = recorded([
      tool({ q: 2 }, 'b', { seq: 2 }),
      tool({ q: 0 }, 'é', { seq: 0 }),
      tool({ q: 1 }, 'a', { seq: 1 }),
    ]);
    const record = JSON.parse(sealed(root, { privateKey }));
    assert.deepEqual(
      record.events.map(({ seq, output }) => [seq, output]),
      [
        [0, null],
        [1, 'é'],
        [2, 'a'],
        [3, 'b'],
        [4, null],
      ],
    );
    assert.equal(verify(record, undefined, pinned).verdict, 'valid');
  });

  it('one call that answers 1, 2, throws, 3', () => {
    const error = { name: 'Error', message: 'no' };
    const root = recorded([tool({}, 1), tool({}, 2), tool({}, null, { error }), tool({}, 3)]);
    assert.deepEqual(
      calls(sealRun(root, 'r')).map(event => [event.output, event.error]),
      [
        [1, null],
        [2, null],
        [null, error],
        [3, null],
      ],
    );
  });

  it('that ended with an error', () => {
    const root = recorded([tool({}, 1)], { status: 'error' });
    assert.equal(sealRun(root, 'r').run.status, 'error');
  });

  it('of another recorder, which says nothing of responses, usage and times', () => {
    const root = recorded([tool({}, 1)]);
    editLines(root, 'r', lines =>
      lines.map(line => {
        const { response_hash, usage, started_at, ended_at, ...step } = JSON.parse(line);
        return JSON.stringify(step);
      }),
    );
    const record = sealRun(root, 'r', { privateKey });
    assert.equal('response_hash' in record.events[1], false);
    assert.equal(record.events[1].ts_start, null);
    assert.equal(verify(record, undefined, pinned).verdict, 'valid');
  });
});

describe('answers of a model', () => {
  const LANGCHAIN = {
    message: {
      type: 'ai',
      content: [
        { type: 'reasoning', reasoning: 'well' },
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      tool_calls: [{ name: 'search', args: { q: 1 }, id: 'call_1', type: 'tool_call' }],
      response_metadata: { finish_reason: 'stop' },
    },
  };
  const toolCalls = [{ tool_call_id: 'call_1', tool_name: 'search', input: { q: 1 } }];
  for (const [name, response, text, reasoning, finish_reason, tool_calls] of [
    ['an object with text', { text: 'a' }, 'a', null, null, []],
    ['a message', { role: 'assistant', content: 'a' }, 'a', null, null, []],
    ['blocks, tool calls and metadata', LANGCHAIN, 'ab', 'well', 'stop', toolCalls],
    [
      'an odd tool call',
      { tool_calls: [null] },
      null,
      null,
      null,
      [{ tool_call_id: null, tool_name: null, input: null }],
    ],
    ['a thinking block', { content: [{ type: 'thinking', thinking: 'hm' }] }, null, 'hm', null, []],
    ['a number', 5, null, null, null, []],
    ['a list', ['a'], null, null, null, []],
  ]) {
    it(name, () => {
      const [event] = calls(sealRun(recorded([model('hi', response)]), 'r'));
      assert.deepEqual(event.response, { text, reasoning, finish_reason, tool_calls, recorded: response });
    });
  }

  it('a text', () => {
    const [event] = calls(sealRun(recorded([model('hi', 'a')]), 'r'));
    assert.deepEqual(event.response, { text: 'a', reasoning: null, finish_reason: null, tool_calls: [] });
  });

  it('none', () => {
    const error = { name: 'Error', message: 'no' };
    const [event] = calls(sealRun(recorded([model('hi', null, { error })]), 'r'));
    assert.deepEqual([event.response, event.error], [null, error]);
  });
});

describe('hashes of redacted requests', () => {
  const secret = tool({ to: 'ann@example.org' }, 'sent');
  const root = recorded([secret, tool({ q: 1 }, 'found')]);
  const hash = reqHash(secret.request);

  it('are left out, in every form', () => {
    const record = sealRun(root, 'r');
    assert.equal('req_hash' in calls(record)[0], false);
    assert.equal('req_hash' in calls(record)[1], true);
    assert.ok(!JSON.stringify(record).includes(hash.slice(0, 12)));
  });

  it('unless they are wanted', () => {
    assert.equal(calls(sealRun(root, 'r', { withReqHash: true }))[0].req_hash, hash);
    assert.equal(calls(JSON.parse(sealed(root, { withReqHash: true })))[0].req_hash, hash);
  });
});
