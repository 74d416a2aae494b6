// npm run bench -- --area record: what one recorded step costs the agent, beside the same pipeline in plain JavaScript
// with the same writes. Every step is a new request with new strings, as it comes from the network, so every step
// writes a cassette.
import assert from 'node:assert/strict';
import { existsSync, linkSync, mkdirSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus as processors, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { reqHash, stateHashJson } from 'tapeproof/hash';
import { Recorder } from 'tapeproof/recorder';
import { redact } from 'tapeproof/redact';
import { fileStore, readTrace } from 'tapeproof/store';
import { conversation } from './requests.mjs';
import { quantile } from './rounds.mjs';
import { markdownTable, plainTable } from './table.mjs';
import { redact as redactInJs, yardstick } from './yardstick.mjs';

const { values: options } = parseArgs({
  options: {
    dir: { type: 'string', default: tmpdir() },
    gate: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
  },
});

/** A step may take this share of the yardstick's processor time. */
const CEILING = 0.5;
const GATE_ATTEMPTS = 3;

const SIZES = [
  { messages: 10, kilobytes: 10, steps: 1000 },
  { messages: 40, kilobytes: 100, steps: 400 },
  { messages: 100, kilobytes: 800, steps: 150 },
];
const WARM_STEPS = 30;

const RESPONSE = JSON.stringify({
  role: 'assistant',
  content: 'The order was delivered on Monday, I have written to customer@shop.example about the refund. '.repeat(8),
  tool_calls: [{ id: 'call_1', name: 'issue_refund', args: { order: 'ord_9', amount: 12.5 } }],
});

/** Steps of a conversation that differ in one message; made outside of the clock. */
function observations({ messages, kilobytes }) {
  const text = JSON.stringify({
    node: 'agent',
    kind: 'model',
    request: conversation({ messages, kilobytes }),
    latency_ms: 420,
    tokens: 900,
    provider: 'anthropic',
  });
  return (step, salt) => {
    const observation = JSON.parse(text);
    observation.request.messages[0].content += ` ${salt} ${step}, customer@shop.example`;
    observation.response = JSON.parse(RESPONSE);
    return observation;
  };
}

/** The recorder in plain JavaScript, on the yardstick's hash and redaction, with the same writes. */
class PlainRecorder {
  #runId = 'plain';
  #cassettes;
  #steps;
  #seq = 0;

  constructor(root) {
    this.#cassettes = join(root, 'cassettes');
    mkdirSync(this.#cassettes, { recursive: true });
    mkdirSync(join(root, 'runs', this.#runId), { recursive: true });
    this.#steps = join(root, 'runs', this.#runId, 'steps.jsonl');
  }

  record({ node, kind, request, response, latency_ms, tokens, provider }) {
    const hash = yardstick.H.reqHash(request);
    const { value, map } = redactInJs({ request, response, error: null });
    const recorded_at = new Date().toISOString();
    const cassette = {
      hash,
      hash_version: 3,
      kind,
      request: JSON.stringify(value.request),
      response: JSON.stringify(value.response),
      chunks: null,
      provider,
      model_version: null,
      redaction_map: map,
      refcount: 1,
      recorded_at,
    };
    const response_hash = yardstick.H.stateHash(value.response);
    const path = join(this.#cassettes, `${hash}.json`);
    if (!existsSync(path)) {
      const temporary = join(this.#cassettes, `.${this.#seq}.tmp`);
      writeFileSync(temporary, `${JSON.stringify(cassette)}\n`, { flag: 'wx', mode: 0o600 });
      linkSync(temporary, path);
      unlinkSync(temporary);
    }
    const step = {
      run_id: this.#runId,
      seq: this.#seq,
      node,
      kind,
      req_hash: hash,
      cassette_ref: hash,
      match_tier: 'recorded',
      latency_ms,
      tokens,
      cost_usd: null,
      error: null,
      response_hash,
      started_at: recorded_at,
      ended_at: recorded_at,
      usage: null,
    };
    this.#seq += 1;
    writeFileSync(this.#steps, `${JSON.stringify(step)}\n`, { flag: 'a', mode: 0o600 });
    return { ...step, cassette };
  }
}

const median = samples => quantile(samples, 0.5);

/** Microseconds on the clock and on the processor: what else a busy machine does is only on the clock. */
function time(run) {
  const cpu = process.cpuUsage();
  const began = process.hrtime.bigint();
  run();
  const wall = Number(process.hrtime.bigint() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { wall, cpu: user + system };
}

const walls = samples => samples.map(({ wall }) => wall);
const cpus = samples => samples.map(({ cpu }) => cpu);

/** What a step consists of, each part on its own. */
const PARTS = {
  'hash of the request': ({ request }) => reqHash(request),
  redaction: ({ request, response }) => redact({ request, response, error: null }),
  'JSON text of request and response': ({ request, response }) => [JSON.stringify(request), JSON.stringify(response)],
  'hash of the response': ({ responseText }) => stateHashJson(responseText),
  'JSON text of the cassette': ({ cassette }) => JSON.stringify(cassette),
};

function assertAgreement(observation, recorder, plain, root) {
  const ours = observation(0, 'agreement');
  recorder.record(ours);
  const step = readTrace(root, recorder.run.run_id).steps[0];
  const { cassette, ...other } = plain.record(observation(0, 'agreement'));
  for (const name of ['req_hash', 'response_hash', 'cassette_ref']) assert.equal(step[name], other[name], name);
  const { value, map } = redact({ request: ours.request, response: ours.response, error: null });
  assert.equal(JSON.stringify(value.request), cassette.request);
  assert.deepEqual(map, cassette.redaction_map);
}

function measureSize(size) {
  const root = mkdtempSync(join(options.dir, 'tapeproof-bench-'));
  try {
    const store = fileStore(join(root, 'native'));
    const recorder = new Recorder({ store });
    const plain = new PlainRecorder(join(root, 'plain'));
    const observation = observations(size);
    assertAgreement(observation, recorder, plain, join(root, 'native'));

    const samples = { native: [], plain: [] };
    const parts = Object.fromEntries(Object.keys(PARTS).map(name => [name, []]));
    let files = 0;
    for (let step = -WARM_STEPS; step < size.steps; step += 1) {
      // Take turns: whoever goes second finds warmer caches.
      const turns = [
        ['native', value => recorder.record(value)],
        ['plain', value => plain.record(value)],
      ];
      if (step % 2 === 0) turns.reverse();
      for (const [name, record] of turns) {
        const input = observation(step, name);
        const sample = time(() => record(input));
        if (step >= 0) samples[name].push(sample);
      }
      const input = observation(step, 'parts');
      const request = JSON.stringify(input.request);
      const responseText = JSON.stringify(input.response);
      const cassette = { hash: '', kind: 'model', request, response: responseText };
      for (const [name, part] of Object.entries(PARTS)) {
        const value = { ...input, responseText, cassette };
        const sample = time(() => part(value));
        if (step >= 0) parts[name].push(sample);
      }
      files += 1;
    }
    assert.equal(recorder.stats.steps, files + 1);
    return { size, samples, parts, ratio: median(cpus(samples.native)) / median(cpus(samples.plain)) };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function measureForGate(size) {
  let result = measureSize(size);
  for (let attempt = 1; attempt < GATE_ATTEMPTS && result.ratio > CEILING; attempt += 1) result = measureSize(size);
  return result;
}

const us = value => (value < 99.5 ? value.toPrecision(2) : value.toFixed(0));
const label = ({ kilobytes }) => `${kilobytes} KB`;

function print(title, table) {
  if (options.markdown) console.log(`### ${title}\n\n${markdownTable(table)}\n`);
  else console.log(`${title}\n\n${plainTable(table)}\n`);
}

console.log(
  `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} × ${processors()[0]?.model ?? 'unknown'}. ` +
    `Steps in turns, microseconds; the ${yardstick.name} is the same pipeline in plain JavaScript with the same writes.\n`,
);

const results = SIZES.map(options.gate ? measureForGate : measureSize);
print('record()', [
  [
    'request',
    'steps',
    'median',
    'p99',
    'processor',
    ...['median', 'p99', 'processor'].map(of => `${yardstick.name} ${of}`),
    'share',
  ],
  ...results.map(({ size, samples, ratio }) => [
    label(size),
    String(size.steps),
    ...[samples.native, samples.plain].flatMap(each => [
      us(median(walls(each))),
      us(quantile(walls(each), 0.99)),
      us(median(cpus(each))),
    ]),
    ratio.toFixed(2),
  ]),
]);
print('Where the processor time goes', [
  ['request', ...Object.keys(PARTS), 'files and the rest'],
  ...results.map(({ size, samples, parts }) => {
    const each = Object.values(parts).map(part => median(cpus(part)));
    return [label(size), ...each.map(us), us(median(cpus(samples.native)) - each.reduce((sum, part) => sum + part, 0))];
  }),
]);

if (options.gate) {
  const missed = results.filter(({ ratio }) => ratio > CEILING);
  for (const { size, ratio } of missed)
    console.log(`too slow: ${label(size)}, ${ratio.toFixed(2)} of the ${yardstick.name}, ceiling ${CEILING}`);
  if (missed.length > 0) process.exitCode = 1;
  else console.log('fast enough');
}
