// `npm run bench -- --area verify [--node 24] [--gate] [--markdown] [--rounds N]`: how fast records are verified.
// Text comes as one JavaScript string. The event loop's delay is measured while a large record is verified beside it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { generateKeyPair, seal, verify, verifyJson, verifyJsonAsync } from 'tapeproof/verify';
import * as twin from '../__test__/reference/records.mjs';
import { sharedFolder } from '../__test__/shared.mjs';
import { conversation } from './requests.mjs';
import { measure, ratio, undisturbed } from './rounds.mjs';
import { markdownTable, plainTable } from './table.mjs';

const { values: options } = parseArgs({
  options: {
    gate: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '15' },
  },
});

const folder = sharedFolder('baseline');
const yardstick = folder ? 'baseline' : 'twin';
const other = folder ? await import(new URL('records.mjs', folder).href) : twin;

const { privateKey, publicKey } = generateKeyPair();
const pinned = { expectedPublicKey: publicKey };
const SIZES = [36_000, 500_000, 8_000_000];
const FLOORS = { text: 5, object: 4 };

/** A sealed record of about so many bytes: calls of a model with the conversation so far, and of tools. */
function recordOf(bytes) {
  const { messages } = conversation({ messages: 3, kilobytes: 2.7, unicode: false });
  const events = [];
  for (let size = 0; size < bytes; ) {
    const seq = events.length;
    const common = {
      schema_version: 1,
      run_id: 'run_1',
      span_id: `span_${seq}`,
      parent_span_id: null,
      seq,
      latency_ms: 12.5,
    };
    const event =
      seq % 3 === 2
        ? {
            ...common,
            type: 'tool',
            tool_name: 'read',
            input: { path: 'src/lib.rs' },
            output: messages[0],
            error: null,
          }
        : {
            ...common,
            type: 'llm',
            model: { provider: 'anthropic', model_id: 'claude' },
            request: { system: 'Be brief.', messages, tools: [], params: { temperature: 0.7 } },
            response: { text: 'Done.', reasoning: null, finish_reason: 'stop', tool_calls: [] },
            error: null,
          };
    size += JSON.stringify(event).length + 75;
    events.push(event);
  }
  return seal(events, { run: { run_id: 'run_1', status: 'success' }, privateKey });
}

const verdicts = {
  native: {
    text: text => verifyJson(text, undefined, pinned).verdict,
    object: value => verify(value, undefined, pinned).verdict,
  },
  [yardstick]: {
    text: text => other.verifyJson(text, undefined, pinned).verdict,
    object: value => other.verify(value, undefined, pinned).verdict,
  },
};

/** What has to be done in any case, by the fastest means that Node has. */
function parseAndHash(text) {
  JSON.parse(text);
  return createHash('sha256').update(text).update(text).digest('hex');
}

function measured(bytes, form) {
  const record = recordOf(bytes);
  const text = JSON.stringify(record);
  const input = form === 'text' ? text : record;
  const contenders = { native: verdicts.native[form], [yardstick]: verdicts[yardstick][form] };
  for (const run of Object.values(contenders)) assert.equal(run(input), 'valid');
  if (form === 'text') contenders['JSON.parse + SHA-256'] = parseAndHash;
  const samples = measure(contenders, () => input, Number(options.rounds));
  return {
    bytes: text.length,
    form,
    samples,
    faster: ratio(samples, yardstick, 'native'),
    work: form === 'text' ? ratio(samples, 'native', 'JSON.parse + SHA-256') : undefined,
  };
}

const ms = samples => (undisturbed(samples) / 1000).toPrecision(3);
const times = ({ median, low, high }) => `${median.toFixed(1)} (${low.toFixed(1)}–${high.toFixed(1)})`;

const results = ['text', 'object'].flatMap(form => SIZES.map(bytes => measured(bytes, form)));
const table = [
  [
    'record',
    'from',
    'native ms',
    `${yardstick} ms`,
    'times faster',
    'native / (JSON.parse + SHA-256 of twice the text)',
  ],
  ...results.map(({ bytes, form, samples, faster, work }) => [
    `${(bytes / 1000).toFixed(0)} KB`,
    form,
    ms(samples.native),
    ms(samples[yardstick]),
    times(faster),
    work ? work.median.toFixed(2) : '',
  ]),
];
console.log(`${options.markdown ? markdownTable(table) : plainTable(table)}\n`);

/** The p99 of the event loop's delay in milliseconds while `busy` goes on. */
async function delay(busy) {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  await busy();
  histogram.disable();
  return histogram.percentile(99) / 1e6;
}

const large = Buffer.from(JSON.stringify(recordOf(8_000_000)));
const idle = await delay(() => sleep(1500));
const verifying = await delay(async () => {
  for (const until = performance.now() + 1500; performance.now() < until; ) {
    assert.equal((await verifyJsonAsync(large, undefined, pinned)).verdict, 'valid');
    await sleep(20);
  }
});
console.log(`event loop delay, p99: idle ${idle.toFixed(1)} ms, while 8 MB are verified ${verifying.toFixed(1)} ms`);

if (options.gate) {
  const misses = results.flatMap(({ bytes, form, faster, work }) => [
    ...(faster.median < FLOORS[form]
      ? [`${form}, ${bytes} bytes: ${faster.median.toFixed(1)} times, floor ${FLOORS[form]}`]
      : []),
    ...(work && bytes > 5e6 && work.median > 1
      ? [`${bytes} bytes: ${work.median.toFixed(2)} times the work that must be done`]
      : []),
  ]);
  if (verifying > idle + 5) misses.push(`event loop delay: ${(verifying - idle).toFixed(1)} ms above idle, limit 5`);
  for (const miss of misses) console.error(miss);
  if (misses.length > 0) process.exitCode = 1;
}
