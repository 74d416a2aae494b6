// `npm run bench -- --area peers [--node 24] [--markdown] [--rounds N]`: beside npm redact-pii, which looks through
// single texts too. The work is the same where both find the same: addresses, cards and telephone numbers, in prose.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { findSensitive, redactText } from 'tapeproof/redact';
import { conversation } from './requests.mjs';
import { measure, ratio, undisturbed } from './rounds.mjs';
import { markdownTable, plainTable } from './table.mjs';

const { SyncRedactor } = createRequire(new URL('peers/', import.meta.url))('redact-pii');

const { values: options } = parseArgs({
  options: { markdown: { type: 'boolean', default: false }, rounds: { type: 'string', default: '30' } },
});

const preset = ['email', 'card', 'phone'];
const OTHERS = [
  ...['names', 'streetAddress', 'zipcode', 'ipAddress', 'usSocialSecurityNumber', 'username', 'password'],
  ...['credentials', 'digits', 'url'],
];
const builtInRedactors = Object.fromEntries(OTHERS.map(name => [name, { enabled: false }]));
const peer = new SyncRedactor({ builtInRedactors });

const FINDINGS = ['ada@example.com', '4111 1111 1111 1111', '555-123-4567'];
const EVERY = 100;

// A number that they introduce is no telephone's.
const INTRODUCING = /order|invoice/i;

/** Prose of so many KB; every hundredth word is a finding, or none is. */
function prose(kilobytes, found) {
  const { messages } = conversation({ messages: 12, kilobytes: 100, unicode: false });
  const words = messages
    .flatMap(({ content }) => content.match(/(?<!\S)[a-zA-Z,.]+(?!\S)/g))
    .filter(word => !INTRODUCING.test(word));
  let text = '';
  for (let at = 1; text.length < kilobytes * 1000; at += 1) {
    text += `${found && at % EVERY === 20 ? FINDINGS[Math.floor(at / EVERY) % 3] : words[at % words.length]} `;
  }
  return text;
}

function measured({ kilobytes, found }) {
  const text = prose(kilobytes, found);
  const replaced = peer.redact(text).match(/EMAIL_ADDRESS|CREDIT_CARD_NUMBER|PHONE_NUMBER/g) ?? [];
  assert.equal(findSensitive(text, { preset }).length, replaced.length);
  assert.equal(replaced.length > 0, found);
  const contenders = {
    native: text => redactText(text, { preset }).value,
    'redact-pii': text => peer.redact(text),
  };
  // A text that has not been looked through before.
  let calls = 0;
  const samples = measure(contenders, () => `${text}${(calls += 1)}`, Number(options.rounds));
  const { median, low, high } = ratio(samples, 'redact-pii', 'native');
  return [
    kilobytes.toFixed(1),
    found ? 'a finding in 100 words' : 'nothing to find',
    undisturbed(samples.native).toFixed(1),
    undisturbed(samples['redact-pii']).toFixed(1),
    `${median.toFixed(1)} (${low.toFixed(1)}–${high.toFixed(1)})`,
  ];
}

const rows = [0.4, 4, 100].flatMap(kilobytes => [false, true].map(found => measured({ kilobytes, found })));
const table = [['KB', 'text', 'native µs', 'redact-pii µs', 'times faster'], ...rows];
console.log(`Node ${process.versions.node}, ${options.rounds} interleaved rounds, medians (quartiles).\n`);
console.log(options.markdown ? markdownTable(table) : plainTable(table));
