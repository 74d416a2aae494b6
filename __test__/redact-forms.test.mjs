// What the extended preset finds does not depend on what else is looked at, nor on how a text was written down.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findSensitive } from 'tapeproof/redact';

const OPT_IN = ['mac', 'ipv6', 'ipv4'];
const preset = ['extended', ...OPT_IN];
const found = text =>
  findSensitive(text, { preset }).map(({ matcher, start, end }) => [matcher, text.slice(start, end)]);

/** Every matcher has something to look at in this. */
const EVERYTHING =
  '@ 123456789012345 --B sk- ghp_ b_p glp Iza hf_ npm_ xox s/T sk_live_ AKIA key y= A== sig= eyJ bearer GB8 :/';
const KEY_32 = 'K4tIiAK6nyvqgN8g3q1guHTSSqhIjPO7AarcqL5ohv4=';
const GITHUB = 'ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5';
const AWS_ID = 'AKIAIOSFODNN7QWERTY2';
const AWS_SECRET = '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';

describe('alone or beside other texts', () => {
  for (const [name, text, expected] of [
    ['a phone number of seven digits', 'call 555-0123', ['phone', '555-0123']],
    ['a key as a member', `{"SharedAccessKey": "${KEY_32}"}`, ['azure-key', KEY_32]],
    ['a key in capitals', `SHAREDACCESSKEY=${KEY_32}`, ['azure-key', KEY_32]],
    ['an account number of letters', 'KZ24 1ABC DEFG HIJK LMNO', ['iban', 'KZ24 1ABC DEFG HIJK LMNO']],
  ]) {
    it(name, () => {
      assert.deepEqual(found(text), [expected]);
      const [place] = findSensitive([text, EVERYTHING], { preset });
      assert.deepEqual([place.pointer, place.matcher], ['/0', expected[0]]);
    });
  }
});

describe('behind what writes another character, or none', () => {
  for (const before of [
    '\\n',
    '\\u0022',
    '\\x22',
    '%3D',
    '%22',
    '\x1b[31m',
    '\x1b[01;31m\x1b[K',
    '\\u001b[1m',
    '\\x1b[0;32m',
    '\\033[m',
    '\\e[4m',
  ]) {
    it(JSON.stringify(before), () => {
      assert.deepEqual(found(`x${before}${GITHUB} y`), [['github', GITHUB]]);
      assert.deepEqual(found(`${before}${GITHUB}`), [['github', GITHUB]]);
    });
  }
  for (const before of ['x', '_', '7', '%G3', '\\u00', '[31m', 'x[31m']) {
    it(`not ${JSON.stringify(before)}`, () => assert.deepEqual(found(`${before}${GITHUB}`), []));
  }

  it('a token, and the signature of a URL', () => {
    const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${'aB3dE5gH7jK9mN1pQ3sT5vW7'}`;
    assert.deepEqual(found(`?next=%2F%3Ftoken%3D${jwt}`), [['jwt', jwt]]);
    const signature = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJ1234567%3D';
    assert.deepEqual(found(`?sv=1\\u0026sig=${signature}`), [['azure-sas', signature]]);
  });
});

describe('an AWS secret', () => {
  for (const [name, between] of [
    ['on the next line', '\n'],
    ['on the next line of a source text', '\\n'],
    ['with CRLF in a source text', '\\r\\n'],
    ['behind an escaped tab', '\\t'],
  ]) {
    it(name, () => {
      assert.deepEqual(found(`${AWS_ID}${between}${AWS_SECRET}`), [
        ['aws-secret', AWS_SECRET],
        ['aws-key-id', AWS_ID],
      ]);
      assert.deepEqual(found(`aws_secret_access_key:${between}${AWS_SECRET}${between}`), [['aws-secret', AWS_SECRET]]);
    });
  }
  it('in a table', () => {
    assert.deepEqual(found(`| aws_secret_access_key | ${AWS_SECRET} |`), [['aws-secret', AWS_SECRET]]);
  });
});

describe('a private key', () => {
  const lines = Array.from({ length: 4 }, (_, n) => `MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ${n}`);
  const block = (label, ...body) => [`-----BEGIN ${label}-----`, ...body, `-----END ${label}-----`];
  const key = block('PRIVATE KEY', ...lines);
  for (const [name, text] of [
    ['CRLF', key.join('\r\n')],
    ['the source text of a string', JSON.stringify(key.join('\r\n')).slice(1, -1)],
    ['and of a string in that', JSON.stringify(JSON.stringify(key.join('\n'))).slice(3, -3)],
    ['an indented block', key.join('\n    ')],
    ['a quoted one', key.join('\n> ')],
    ['joined strings', key.join('\\n" +\n  "')],
    [
      'headers',
      block('RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,0A', '', ...lines).join('\n'),
    ],
    ['any headers', block('PGP PRIVATE KEY BLOCK', 'Version: GnuPG v2 (GNU/Linux)', '', ...lines).join('\n')],
    ['and as source text', block('PGP PRIVATE KEY BLOCK', 'Comment: <a> -- (b)', '', ...lines).join('\\n')],
  ]) {
    it(name, () => assert.deepEqual(found(`x ${text} y`), [['private-key', text]]));
  }

  it('is not what a text says of one', () => {
    assert.deepEqual(found('A file that starts with -----BEGIN PRIVATE KEY----- is in PKCS8 form, convert it.'), []);
  });

  it('that was cut off takes nothing behind it', () => {
    const cut = `-----BEGIN PRIVATE KEY-----\\n${lines[0]}`;
    assert.deepEqual(found(`{"key":"${cut}","note":"b"}`), [['private-key', cut]]);
  });
});

describe('large texts', () => {
  it('hexadecimal digits before a colon are read once', () => {
    assert.deepEqual(found(`${'a'.repeat(8 << 20)}: ::1`), [['ipv6', '::1']]);
  });

  it('headers are read once, whatever the number of boundaries', () => {
    assert.deepEqual(found('A: -----BEGIN PRIVATE KEY-----\n'.repeat(200_000)), []);
  });

  it('any number of findings before a pattern', () => {
    const places = findSensitive(`${'a@b.co '.repeat(150_000)}z`, { custom: [/z/] });
    assert.equal(places.length, 150_001);
    assert.equal(places.at(-1).matcher, 'custom:0');
  });
});
