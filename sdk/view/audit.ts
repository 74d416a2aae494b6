// What an auditor sees of a record: the verdict in words first, then why, then what it does not prove.
import type { CheckName, VerifyResult } from '../verify.js';
import { short, visible } from '../visible.js';
import { chain } from './chain.js';
import { eventsOf, member, type Shown } from './record.js';
import { type Content, h, mark } from './tree.js';
import { count } from './value.js';
import {
  failureWords,
  INTEGRITY,
  MARKS,
  notProved,
  PASSED,
  signatureVerdict,
  signatureWords,
  verdictSentence,
} from './words.js';

type Verdict = VerifyResult['verdict'];

export const VERDICTS: Record<Verdict, string> = { valid: 'Valid', unverified: 'Unverified', invalid: 'Invalid' };

/** All but the events. */
export const audit = (shown: Shown): Content => [
  verdict(shown),
  section('checks', 'Six checks', checks(shown.result)),
  section('the-chain', 'The chain', chain(shown)),
];

export const closing = (shown: Shown): Content => [
  section(
    'open',
    'What this does not prove',
    h('ul', { class: 'open' }, ...notProved(shown.result).map(words => h('li', {}, words))),
  ),
  section('facts', 'What to compare', facts(shown)),
  section('again', 'Check again', again(shown)),
];

export const section = (id: string, title: string, ...content: Content[]): Content =>
  h('section', { 'aria-labelledby': `${id}-title` }, h('h2', { id: `${id}-title` }, title), ...content);

function verdict({ name, result }: Shown): Content {
  return h(
    'header',
    { class: `verdict ${result.verdict}` },
    h('p', { class: 'file' }, visible(name)),
    h('h1', { tabindex: '-1' }, mark(MARKS[result.verdict]), VERDICTS[result.verdict]),
    h('p', { class: 'sentence' }, verdictSentence(result)),
  );
}

const OUTCOMES: Record<Verdict, string> = { valid: 'passed', unverified: 'open', invalid: 'failed' };

function checks({ checks, integrity, failures }: VerifyResult): Content {
  const row = (name: CheckName, outcome: Verdict, words: readonly string[]) =>
    h(
      'li',
      { class: outcome },
      mark(MARKS[outcome]),
      h('span', { class: 'name' }, name),
      h('span', { class: 'outcome' }, OUTCOMES[outcome]),
      h('span', { class: 'words' }, words.join('; ')),
    );
  return h(
    'ul',
    { class: 'checks' },
    ...INTEGRITY.map(name => {
      const failed = failures.filter(({ check }) => check === name).map(failureWords);
      return failed.length > 0 || !checks[name] ? row(name, 'invalid', failed) : row(name, 'valid', [PASSED[name]]);
    }),
    row('signature', signatureVerdict(checks), [signatureWords(checks, integrity)]),
  );
}

/** A digest in groups, which eyes can compare; copied, it is whole. */
const hex = (digest: string): Content =>
  h('code', { class: 'hex' }, ...(digest.match(/.{1,8}/g) ?? []).map(group => h('span', {}, group)));

/** What the verdict says of the key that signed; the others name one that did not. */
const KEYS: Partial<Record<VerifyResult['checks']['signature'], string>> = {
  valid: 'pinned',
  'valid-unpinned': 'not pinned',
  revoked: 'revoked',
};

function facts({ bytes, sha256, signer, pinned, result, record }: Shown): Content {
  const { schema, run_id, generated_at, event_count } = result.meta;
  const trust = KEYS[result.checks.signature];
  const row = (name: string, content: Content, note?: string) =>
    h('div', {}, h('dt', {}, name), h('dd', {}, content, note !== undefined && h('span', { class: 'note' }, note)));
  return [
    h(
      'dl',
      { class: 'facts' },
      row(
        'SHA-256 of the file',
        sha256 === undefined ? 'not computed: browsers do so over HTTPS or on this machine only' : hex(sha256),
        `${count(bytes)} bytes`,
      ),
      signer === undefined
        ? row("Signer's key", 'the record brings no Ed25519 key')
        : row(trust === undefined ? 'Key in the record' : "Signer's key", hex(signer), trust ?? 'did not sign it'),
      ...(pinned.length > 0
        ? [row('Pinned keys', h('ul', {}, ...pinned.map(key => h('li', {}, hex(key)))))]
        : [row('Pinned keys', 'none')]),
      row('Events', count(event_count)),
      ...[
        ['Schema', schema],
        ['Run', run_id],
        ['Sealed', generated_at],
        ['Name', member(member(record, 'run'), 'name')],
      ].flatMap(([name, said]) => (said == null ? [] : [row(String(name), short(said), 'as the record says')])),
    ),
    h(
      'p',
      { class: 'note' },
      'The fingerprint of a key is the SHA-256 of its SPKI bytes: ',
      h('code', {}, 'openssl pkey -pubin -in key.pem -outform DER | sha256sum'),
    ),
  ];
}

/** A name as a shell takes it. */
function quoted(name: string): string {
  const safe = visible(name.startsWith('-') ? `./${name}` : name);
  return /^[\w./-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
}

function again({ name, result }: Shown): Content {
  const file = quoted(name);
  const key = result.checks.signature_alg === 'HMAC-SHA256' ? '--key-file shared.key' : '--pubkey signer.pem';
  return [
    h('p', {}, 'On a machine that you trust, with the key that the signer gave you:'),
    h(
      'pre',
      { class: 'command', tabindex: '0' },
      h('code', {}, `npx tapeproof verify ${file} ${key}\nsha256sum ${file}`),
    ),
    h(
      'p',
      { class: 'note' },
      'The format is documented; SHA-256 and OpenSSL are enough to check a record without tapeproof.',
    ),
  ];
}

/** How many events there are to show. */
export const lengthOf = (shown: Shown): number => eventsOf(shown).length;
