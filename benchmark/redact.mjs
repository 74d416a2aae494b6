// `npm run bench -- --area redact [--node 24] [--gate] [--markdown] [--rounds N]`: how fast values are redacted, and that
// no text can make a preset slow. Every call gets a value whose strings are new, as they come from the network.
import assert from 'node:assert/strict';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { findSensitive, redact, redactText } from 'tapeproof/redact';
import { HOSTILE } from './hostile.mjs';
import { conversation, SIZES } from './requests.mjs';
import { measure, ratio, undisturbed } from './rounds.mjs';
import { markdownTable, plainTable } from './table.mjs';
import { redact as redactInJs, yardstick } from './yardstick.mjs';

const { values: options } = parseArgs({
  options: {
    gate: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '60' },
  },
});
const rounds = Number(options.rounds);

const GATE_ATTEMPTS = 3;

const CUSTOM = [/\bORD-\d{6}\b/g, /\binternal only\b/gi];

const WORKLOADS = [
  { name: 'nothing to find', config: {}, faster: 4, stringify: 2 },
  { name: 'a finding in 100 words', config: {}, found: true, faster: 4 },
  { name: 'two custom patterns', config: { custom: CUSTOM }, faster: 1 },
  // The yardstick does not know this preset: it runs the default one.
  { name: 'extended preset', config: { preset: 'extended' } },
];

const cells = SIZES.filter(({ messages }) => [1, 12, 100].includes(messages)).flatMap(size =>
  WORKLOADS.flatMap(workload => [false, true].map(unicode => ({ ...size, ...workload, unicode }))),
);

const FINDINGS = ['ada@example.com', '4111 1111 1111 1111', '555-123-4567', 'sk_live_0123456789ab'];

/** The request with every hundredth word of its texts replaced by a finding. */
function withFindings(request) {
  let words = 0;
  const replaced = text =>
    text.replace(/\S+/g, word => {
      words += 1;
      return words % 100 === 20 ? FINDINGS[Math.floor(words / 100) % FINDINGS.length] : word;
    });
  const messages = request.messages.map(message => ({ ...message, content: replaced(message.content) }));
  return { ...request, messages };
}

function requestOf({ found, ...size }) {
  const request = conversation(size);
  return found ? withFindings(request) : request;
}

// A contender returns something with a length.
const asList = redact => (value, config) => [redact(value, config)];

function measureCell(cell) {
  const request = requestOf(cell);
  if (cell.config.preset === undefined) {
    assert.deepEqual(redact(request, cell.config), redactInJs(request, cell.config));
    assert.equal(Object.keys(redact(request).map).length > 0, cell.found === true);
  }
  const text = JSON.stringify(request);
  const { preset, ...known } = cell.config;
  const contenders = {
    native: value => asList(redact)(value, cell.config),
    [yardstick.name]: value => asList(redactInJs)(value, known),
    'JSON.stringify': JSON.stringify,
  };
  const samples = measure(contenders, () => JSON.parse(text), rounds);
  return {
    cell,
    kilobytes: text.length / 1000,
    samples,
    faster: ratio(samples, yardstick.name, 'native'),
    stringify: ratio(samples, 'native', 'JSON.stringify'),
  };
}

const us = samples => {
  const value = undisturbed(samples);
  return value < 99.5 ? value.toPrecision(2) : value.toFixed(0);
};
const times = ({ median, low, high }) => `${median.toFixed(1)} (${low.toFixed(1)}–${high.toFixed(1)})`;

function table(results) {
  return [
    [
      ...['messages', 'KB', 'text', 'work', 'native µs', `${yardstick.name} µs`, 'times faster'],
      ...['JSON.stringify µs', 'native / stringify'],
    ],
    ...results.map(({ cell, kilobytes, samples, faster, stringify }) => [
      String(cell.messages),
      kilobytes.toFixed(kilobytes < 20 ? 1 : 0),
      cell.unicode ? '— “ ” é' : 'ASCII',
      cell.name,
      us(samples.native),
      us(samples[yardstick.name]),
      times(faster),
      us(samples['JSON.stringify']),
      stringify.median.toFixed(2),
    ]),
  ];
}

const MEGA = 1_000_000;
const CEILING_MS = 20;
const CEILING_GROWTH = 2.5;

/** The fastest of several runs, in ms. */
function fastest(text, config) {
  let ms = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 12; run += 1) {
    const began = performance.now();
    redactText(text, config);
    ms = Math.min(ms, performance.now() - began);
  }
  return ms;
}

function measureHostile([name, make], preset) {
  const config = { preset };
  const text = make(MEGA);
  const ms = fastest(text, config);
  const findings = findSensitive(text, config).length;
  return { name, preset, ms, findings, growth: fastest(make(2 * MEGA), config) / ms };
}

const hostileTable = results => [
  ['1 MB of', 'findings', 'ms', 'twice as much'],
  ...results.map(({ name, findings, ms, growth }) => [
    name,
    findings.toLocaleString('en'),
    ms.toFixed(1),
    `× ${growth.toFixed(2)}`,
  ]),
];

function print(title, rows) {
  if (options.markdown) console.log(`### ${title}\n\n${markdownTable(rows)}\n`);
  else console.log(`${title}\n\n${plainTable(rows)}\n`);
}

/** What is slower than promised, in words. */
function misses({ cell, faster, stringify }) {
  const where = `${cell.messages} messages, ${cell.name}`;
  // The promises are for requests of 12 messages and more.
  if (cell.messages < 12) return [];
  return [
    ...(faster.median < (cell.faster ?? 0)
      ? [`${where}: ${faster.median.toFixed(1)} times faster than the ${yardstick.name}, floor ${cell.faster}`]
      : []),
    ...(stringify.median > (cell.stringify ?? Number.POSITIVE_INFINITY)
      ? [`${where}: ${stringify.median.toFixed(2)} times JSON.stringify, ceiling ${cell.stringify}`]
      : []),
  ];
}

/** The ceilings are for looking. What is found is paid for by the token, and thousands of strings by the collector. */
const MANY = 1000;

const hostileMisses = ({ name, preset, findings, ms, growth }) => {
  if (findings > MANY) return [];
  return [
    ...(ms > CEILING_MS ? [`1 MB of ${name}, ${preset} preset: ${ms.toFixed(1)} ms, ceiling ${CEILING_MS}`] : []),
    ...(growth > CEILING_GROWTH
      ? [`${name}, ${preset} preset: × ${growth.toFixed(2)} for twice as much, ceiling ${CEILING_GROWTH}`]
      : []),
  ];
};

/** A busy machine can spoil one measurement. What is too slow stays too slow: only what misses every time counts. */
function repeated(measureOnce, missesOf) {
  let result = measureOnce();
  for (let attempt = 1; options.gate && attempt < GATE_ATTEMPTS && missesOf(result).length > 0; attempt += 1)
    result = measureOnce();
  return result;
}

console.log(
  `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}. ` +
    `${rounds} interleaved rounds, medians (quartiles), fresh strings in every call.\n`,
);
if (yardstick.name === 'twin')
  console.log('../shared/baseline is not here: the yardstick is the project’s own twin.\n');

const results = cells.map(cell => repeated(() => measureCell(cell), misses));
print('redact', table(results));
const hostile = ['default', 'extended'].flatMap(preset => {
  const ofPreset = HOSTILE.map(input => repeated(() => measureHostile(input, preset), hostileMisses));
  print(`Texts that are hard on patterns, ${preset} preset`, hostileTable(ofPreset));
  return ofPreset;
});
if (options.gate) {
  const missed = [...results.flatMap(misses), ...hostile.flatMap(hostileMisses)];
  for (const line of missed) console.log(`too slow: ${line}`);
  if (missed.length > 0) process.exitCode = 1;
  else console.log('fast enough');
}
