// `tapeproof report`: what is in the page, and that nothing of a record gets out of its place there.
import assert from 'node:assert/strict';
import { createHash, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { generateKeyPair, seal } from 'tapeproof/verify';
import { bench } from './cli/tapeproof.mjs';
import { hostile, hostileName, keys } from './view/hostile.mjs';

const { file, folder, tapeproof } = bench();
const pair = generateKeyPair();
const pin = ['--pubkey', file('signer.pem', pair.publicKey)];
const sealed = (events, given = { privateKey: pair.privateKey }) =>
  JSON.stringify(seal(events, { run: { run_id: 'run_1' }, ...given }));
const tools = many =>
  Array.from({ length: many }, (_, seq) => ({
    type: 'tool',
    tool_name: 'pay',
    seq,
    run_id: 'run_1',
    input: { amount: seq },
    output: `paid ${seq}`,
  }));

const record = sealed(tools(3));
const torn = record.replace('paid 1', 'kept 1');

/** The page for a record: its text, and that without tags. */
function page(text, args = pin, name = 'record.json') {
  const { status, stdout, stderr } = tapeproof(['report', file(name, text), ...args]);
  assert.deepEqual([status, stderr], [0, '']);
  const words = stdout
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
  return { html: stdout, words };
}

const sha256 = bytes => createHash('sha256').update(bytes).digest('hex');
const grouped = digest => digest.match(/.{8}/g).join(' ');

describe('what it says', () => {
  for (const [name, text, args, ...expected] of [
    [
      'valid',
      record,
      pin,
      '✓ Valid',
      'the owner of a pinned key sealed it',
      'passed every event is what its hash says',
    ],
    [
      'unverified',
      record,
      ['--no-pin'],
      '? Unverified',
      'nothing proves who made it',
      'open Ed25519, by the key in the record',
    ],
    ['invalid', torn, pin, '✗ Invalid', 'the chain breaks at event 1.', 'failed broken at event 1 ('],
    ['unsigned', sealed(tools(1), {}), pin, '? Unverified', 'Anyone can seal other events like this'],
    [
      'by a shared key',
      sealed(tools(1), { hmacKey: 'k' }),
      ['--key', 'k'],
      '✓ Valid',
      'someone who has the shared key',
      '--key-file shared.key',
    ],
    [
      'signed for another',
      record.replace(/("value":")../, '$100'),
      pin,
      '✗ Invalid',
      'Its signature was not made for it',
    ],
    [
      'a summary that differs',
      sealed([{ type: 'run', phase: 'end', seq: 0, status: 'success' }]).replace('"run":{', '"run":{"status":"error",'),
      pin,
      'Its summary contradicts its events',
    ],
    ['a schema of nobody', record.replace('runback.audit/v2', 'x'), pin, 'It names no format that is known'],
    ['no events', sealed([]), pin, '✓ Valid', 'There are no events.'],
  ]) {
    it(name, () => {
      const { words } = page(text, args);
      for (const part of [
        ...expected,
        'This page is a picture of a verdict',
        'What this does not prove',
        'npx tapeproof verify',
      ]) {
        assert.ok(words.includes(part), `${part}: not in ${words}`);
      }
    });
  }

  it('the digest of the file, the fingerprint of the signer, the keys that are pinned', () => {
    const der = createPublicKey(pair.publicKey).export({ type: 'spki', format: 'der' });
    const other = generateKeyPair().publicKey;
    const { words } = page(record, [...pin, '--pubkey', file('other.pem', other)]);
    assert.ok(words.includes(grouped(sha256(record))));
    assert.equal(words.split(grouped(sha256(der))).length - 1, 2);
    const second = createPublicKey(other).export({ type: 'spki', format: 'der' });
    assert.ok(words.includes(grouped(sha256(second))));
  });

  for (const [name, around, verdict] of [
    ['behind a word', (pinned, signing) => `- ${pinned.replaceAll('\n', ' ')}\n${signing}`, 'Unverified'],
    ['behind a line separator', (pinned, signing) => `\u2028${pinned.replaceAll('\n', ' ')}\n${signing}`, 'Unverified'],
    [
      'with text behind its marker',
      (pinned, signing) => `${pinned.replace('KEY-----', 'KEY----- x')}${signing}`,
      'Unverified',
    ],
    ['before a carriage return', (pinned, signing) => `${pinned.replaceAll('\n', ' ')}\r${signing}`, 'Unverified'],
    ['in front of the other', (pinned, signing) => pinned + signing, 'Invalid'],
    ['in one line with it', (pinned, signing) => (pinned + signing).replaceAll('\n', ' '), 'Invalid'],
    ['alone', pinned => pinned, 'Invalid'],
  ]) {
    it(`a pinned key that did not sign, ${name}, is not shown as that of the signer`, () => {
      const other = generateKeyPair();
      const forged = JSON.parse(sealed(tools(1), { privateKey: other.privateKey }));
      forged.manifest.signature.pubkey = around(pair.publicKey, other.publicKey);
      const { words } = page(JSON.stringify(forged));
      const [, signer] = /What to compare .*? Signer&#39;s key (.*?) Pinned keys/.exec(words) ?? [];
      assert.match(words, new RegExp(`. ${verdict} `));
      if (verdict === 'Invalid') return assert.ok(signer === undefined || /brings no Ed25519 key/.test(signer), signer);
      const der = createPublicKey(other.publicKey).export({ type: 'spki', format: 'der' });
      return assert.equal(signer, `${grouped(sha256(der))} not pinned`);
    });
  }

  it('a key that is revoked', () => {
    const { words } = page(record, [...pin, '--revoked', file('revoked.pem', pair.publicKey)]);
    assert.match(words, /Signer&#39;s key [\da-f ]+ revoked /);
  });

  it('the broken event stands out, and those behind it are not proven', () => {
    const { html } = page(torn);
    assert.deepEqual(
      [...html.matchAll(/id="event-\d+" class="event (\w+)"/g)].map(([, state]) => state),
      ['whole', 'broken', 'after'],
    );
    assert.match(html, /aria-label="Event 1, tool pay: the chain breaks here"/);
  });

  it('a name as a shell takes it', () => {
    const { words } = page(record, pin, "it's $(a).json");
    assert.ok(words.includes('verify &#39;it&#39;\\&#39;&#39;s $(a).json&#39; --pubkey'), words);
    const dashed = tapeproof(['report', '--', file('-x.json', record)]);
    assert.match(dashed.stdout, /verify \.\/-x\.json/);
  });
});

describe('size', () => {
  it('of 30,000 events those around the first broken one are there, and a link for each event is not', () => {
    const { html, words } = page(sealed(tools(30_000)).replace('paid 20000', 'kept 20000'));
    assert.match(html, /id="event-20000" class="event broken" open/);
    assert.ok(html.split('class="event ').length - 1 <= 500);
    assert.ok(html.split('class="cell ').length - 1 <= 60);
    assert.ok(words.includes('of 30,000; the record holds all'));
  });
  for (const [name, event] of [
    ['a text of 10 MB', { type: 'tool', tool_name: 'x', output: '<b>'.repeat(3_500_000) }],
    ['a name of 10 MB', { type: 'tool', tool_name: '<b>'.repeat(3_500_000) }],
    ['a million values', { type: 'tool', tool_name: 'x', input: Array(1_000_000).fill('<b>') }],
    [
      'a hundred thousand members',
      { type: 'tool', input: Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`<b>${at}`, at])) },
    ],
    ['nesting', { type: 'tool', input: JSON.parse('['.repeat(1500) + ']'.repeat(1500)) }],
  ]) {
    it(name, () => assert.ok(page(sealed([event])).html.length < 100_000));
  }
});

/** The elements that we write, each with the attributes that it may have. */
const ELEMENT =
  /^<\/?(html|head|meta|title|style|body|main|aside|header|section|footer|h1|h2|h3|p|span|strong|a|ul|ol|li|dl|dt|dd|div|code|pre|details|summary)((?: [a-z-]+(?:="[^"<>]*")?)*)>/;

/** Whether all that could be markup is markup of ours. */
function assertOurs(html) {
  const [, before, after] = /^([\s\S]*?<style>)[\s\S]*?(<\/style>[\s\S]*)$/.exec(html);
  const text = (before + after).replace(/^<!doctype html>/, '');
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const found = ELEMENT.exec(text.slice(at, at + 2000));
    assert.ok(found, text.slice(at, at + 120));
    const [, , attributes] = found;
    assert.doesNotMatch(attributes.replace(/"[^"]*"/g, ''), / (on[a-z]+|style|src|srcdoc|formaction)(=|$)/);
    for (const [, target] of attributes.matchAll(/ href="([^"]*)"/g)) assert.match(target, /^#[\w-]+$/);
  }
}

describe('a hostile record', () => {
  const { html } = page(hostile(), ['--pubkey', file('hostile.pem', keys.publicKey)], hostileName.replaceAll('/', ''));
  it('is a verdict like any other', () => assert.match(html, /<header class="verdict valid">/));
  it('adds no markup', () => assertOurs(html));
  it('nothing runs and nothing is loaded, whatever is in it', () => {
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html);
    const [, style] = /<style>([\s\S]*?)<\/style>/.exec(html);
    const digest = createHash('sha256').update(style).digest('base64');
    assert.equal(
      policy.replaceAll('&#39;', "'"),
      `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`,
    );
    assert.doesNotMatch(style, /url\(|@import/);
  });
  it('hides no character', () => {
    const hidden = /[\p{Cc}\p{Cf}\p{Cs}]/u;
    assert.doesNotMatch(html.replaceAll('\n', ''), hidden);
    assert.match(html, /\\u202egnp\.dilav\\u202c/);
  });
});

describe('the command', () => {
  it('-o writes a file', () => {
    const { status, stdout } = tapeproof(['report', file('r.json', record), ...pin, '-o', 'r.html']);
    assert.deepEqual([status, stdout], [0, '']);
    assert.match(readFileSync(join(folder, 'r.html'), 'utf8'), /^<!doctype html>/);
  });
  it('what it says of a record that is none is short, whatever the names in it are', () => {
    const deep = `${'['.repeat(3000)}${']'.repeat(3000)}`;
    const text = `{"manifest":{},"events":[{"\u202e${'k'.repeat(1 << 20)}":${deep}}]}`;
    const { status, stderr } = tapeproof(['report', file('long.json', text)]);
    assert.equal(status, 2);
    assert.match(
      stderr,
      /^tapeproof report: long\.json: the value is .* \(at \/events\/0\/\\u202ek+… \[ERR_TAPEPROOF_DEPTH\]$/m,
    );
    assert.ok(stderr.length < 1000, String(stderr.length));
  });
  it('standard input', () => assert.match(tapeproof(['report', '-'], { input: record }).stdout, /Unverified/));
  for (const [name, args, message] of [
    ['no record', [file('no.json', '[]')], /no\.json: .*ERR_TAPEPROOF_RECORD/],
    ['no JSON', [file('bad.json', '{')], /ERR_TAPEPROOF_SYNTAX/],
    ['no file', ['nowhere.json'], /no such file/],
    ['two files', ['a', 'b'], /expected one RECORD/],
    ['nothing', [], /expected one RECORD/],
  ]) {
    it(name, () => {
      const { status, stdout, stderr } = tapeproof(['report', ...args]);
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(stderr, message);
    });
  }
});
