// `npm run bench -- [--node 24] [--gate] [--markdown] [--reuse] [--rounds N]`: how fast requests and states are hashed.
// Every call gets a request whose strings are new, as they come from the network; `--reuse` hashes one object again
// and again instead, which V8 rewards with cached string hashes.
import assert from 'node:assert/strict';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { requestHashes, stateHashes, yardstick } from './contenders.mjs';
import { conversation, SIZES } from './requests.mjs';
import { measure, ratio, undisturbed } from './rounds.mjs';
import { markdownTable, plainTable } from './table.mjs';

const { values: options } = parseArgs({
  options: {
    gate: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    reuse: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '100' },
  },
});
const rounds = Number(options.rounds);

const GATE_ATTEMPTS = 3;

/** What `--gate` enforces: times faster than the yardstick at least, times as long as JSON.stringify at most. */
const floorsFor = messages => (messages === 1 ? { faster: 6, stringify: 2 } : { faster: 8, stringify: 1.5 });

const cells = SIZES.flatMap(size => [false, true].map(unicode => ({ ...size, unicode })));

function inputOf(value) {
  if (options.reuse) return () => value;
  const text = JSON.stringify(value);
  return () => JSON.parse(text);
}

function assertAgreement(hashes, names, value) {
  const [first, ...others] = names.map(name => hashes[name](value));
  for (const other of others) assert.equal(other, first);
}

const us = samples => {
  const value = undisturbed(samples);
  return value < 99.5 ? value.toPrecision(2) : value.toFixed(0);
};
const times = ({ median, low, high }) => `${median.toFixed(1)} (${low.toFixed(1)}–${high.toFixed(1)})`;
const textOf = ({ unicode }) => (unicode ? '— “ ” é' : 'ASCII');
const label = cell => [String(cell.messages), textOf(cell)];

function measureRequests(cell) {
  const request = conversation(cell);
  assertAgreement(requestHashes, ['native', yardstick.name], request);
  const samples = measure(requestHashes, inputOf(request), rounds);
  return {
    cell,
    kilobytes: Buffer.byteLength(JSON.stringify(request)) / 1000,
    samples,
    faster: ratio(samples, yardstick.name, 'native'),
    stringify: ratio(samples, 'native', 'JSON.stringify'),
  };
}

function requestTable(results) {
  return [
    [
      'messages',
      'text',
      'KB',
      'native µs',
      `${yardstick.name} µs`,
      'times faster',
      'JSON.stringify µs',
      'native / stringify',
    ],
    ...results.map(({ cell, kilobytes, samples, faster, stringify }) => [
      ...label(cell),
      kilobytes.toFixed(kilobytes < 20 ? 1 : 0),
      us(samples.native),
      us(samples[yardstick.name]),
      times(faster),
      us(samples['JSON.stringify']),
      stringify.median.toFixed(2),
    ]),
  ];
}

function measureStates(cell) {
  const { messages: state } = conversation(cell);
  assertAgreement(stateHashes, ['native', yardstick.name], state);
  assertAgreement(stateHashes, ['canonicalize + crypto', 'safe-stable-stringify + crypto'], state);
  const samples = measure(stateHashes, inputOf(state), rounds);
  return { cell, samples };
}

function stateTable(results) {
  const others = Object.keys(stateHashes).filter(name => name !== 'native');
  return [
    ['messages', 'text', 'native µs', ...others.map(name => `× ${name}`)],
    ...results.map(({ cell, samples }) => [
      ...label(cell),
      us(samples.native),
      ...others.map(name => times(ratio(samples, name, 'native'))),
    ]),
  ];
}

function print(title, table) {
  if (options.markdown) console.log(`### ${title}\n\n${markdownTable(table)}\n`);
  else console.log(`${title}\n\n${plainTable(table)}\n`);
}

function misses({ cell, faster, stringify }) {
  const floors = floorsFor(cell.messages);
  const where = `${cell.messages} message${cell.messages === 1 ? '' : 's'}, ${textOf(cell)}`;
  return [
    ...(faster.median < floors.faster
      ? [`${where}: ${faster.median.toFixed(1)} times faster than the ${yardstick.name}, floor ${floors.faster}`]
      : []),
    ...(stringify.median > floors.stringify
      ? [`${where}: ${stringify.median.toFixed(2)} times JSON.stringify, ceiling ${floors.stringify}`]
      : []),
  ];
}

/** A busy machine can spoil one measurement. What is too slow stays too slow: only a cell that misses every time counts. */
function measureForGate(cell) {
  let result = measureRequests(cell);
  for (let attempt = 1; attempt < GATE_ATTEMPTS && misses(result).length > 0; attempt += 1)
    result = measureRequests(cell);
  return result;
}

console.log(
  `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}. ` +
    `${rounds} interleaved rounds: µs are lower quartiles, ratios medians (quartiles) within a round. ${options.reuse ? 'One object reused' : 'Fresh strings in every call'}.\n`,
);
if (yardstick.name === 'twin')
  console.log('../shared/baseline is not here: the yardstick is the project’s own twin.\n');

const requests = cells.map(options.gate ? measureForGate : measureRequests);
print('reqHash', requestTable(requests));

if (options.gate) {
  const missed = requests.flatMap(misses);
  for (const line of missed) console.log(`too slow: ${line}`);
  if (missed.length > 0) process.exitCode = 1;
  else console.log('fast enough');
} else {
  print('stateHash: times the native one', stateTable(cells.map(measureStates)));
}
