// `tapeproof report`
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { fingerprints, sha256 } from '../fingerprint.js';
import { native } from '../native.js';
import type { VerifyResult } from '../verify.js';
import { audit, closing, lengthOf, section, VERDICTS } from '../view/audit.js';
import { timeline } from '../view/events.js';
import { html } from '../view/html.js';
import { breakOf, keyIn, type Shown } from '../view/record.js';
import { STYLE } from '../view/style.js';
import { type Content, h } from '../view/tree.js';
import { count } from '../view/value.js';
import { visible } from '../visible.js';
import { InputError, UsageError } from './failure.js';
import { decode, parse, readBytes } from './input.js';
import { KEY_OPTIONS, keysGiven } from './keys.js';
import { write } from './output.js';
import { replace } from './replace.js';

export const help = `Usage: tapeproof report RECORD.json|- [-o FILE] [OPTIONS]

Writes what there is to see of a record as one HTML page that opens offline: the verdict, the checks, the events. The
page is a picture of the verdict; it says how to check again. Exit code 0: it is written, whatever the verdict.

  -o, --output FILE  write the page there; a file that is there already is replaced
  --pubkey FILE      pin the Ed25519 keys in this PEM file; may be repeated
  --no-pin           pin no key
  --revoked FILE     distrust the keys in this PEM file; may be repeated
  --key-file FILE    the HMAC key is the text in this file, without the line end behind it
  --key KEY          the HMAC key; others can see it in the list of processes

Without these, the keys are those of tapeproof verify.
`;

const OPTIONS = { ...KEY_OPTIONS, output: { type: 'string', short: 'o' } } as const;

export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new UsageError('expected one RECORD, or - for standard input');
  const keys = keysGiven(values);
  let shown: Shown;
  try {
    const bytes = await readBytes(file);
    const result: VerifyResult = JSON.parse(await native().verifyJsonAsync(bytes, ...keys));
    const record = parse(decode(bytes));
    const signer = keyIn(record);
    shown = {
      name: file === '-' ? 'record.json' : basename(file),
      bytes: bytes.length,
      sha256: sha256(bytes),
      signer: signer && sha256(signer),
      pinned: fingerprints(keys[0]),
      result,
      record,
    };
  } catch (error) {
    throw new InputError(file, undefined, error);
  }
  const text = page(shown);
  if (values.output === undefined) await write(text);
  else replace(values.output, text);
  return 0;
}

/** So many events are in a page; of more, those around the first broken one. */
const EVENTS = 500;

// No script runs in it, and nothing is loaded: what a record might smuggle in has no power.
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

function page(shown: Shown): string {
  const { name, result } = shown;
  const head = [
    h('meta', { charset: 'utf-8' }),
    h('meta', { 'http-equiv': 'Content-Security-Policy', content: POLICY }),
    h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    h('meta', { name: 'referrer', content: 'no-referrer' }),
    h('title', {}, `${VERDICTS[result.verdict]}: ${visible(name)}`),
  ];
  const body = [
    h('main', {}, picture(), audit(shown), section('events', 'The events', ...events(shown)), closing(shown)),
    h('footer', {}, `Made with tapeproof on ${new Date().toISOString().slice(0, 16).replace('T', ' at ')} UTC.`),
  ];
  const parts = ['<!doctype html>\n<html lang="en"><head>', ...html(head), `<style>${STYLE}</style></head><body>`];
  for (const part of html(body)) parts.push(part);
  return `${parts.join('')}</body></html>\n`;
}

const picture = (): Content =>
  h(
    'aside',
    { class: 'banner', 'aria-label': 'What this page is' },
    h(
      'p',
      {},
      h('strong', {}, 'This page is a picture of a verdict, not the verdict. '),
      'Anyone can draw one. What counts is the record and the command ',
      h('a', { href: '#again-title' }, 'at the end'),
      '.',
    ),
  );

function events(shown: Shown): Content[] {
  const length = lengthOf(shown);
  const broken = breakOf(shown);
  const from = broken < length ? Math.max(0, Math.min(broken - EVENTS / 2, length - EVENTS)) : 0;
  const to = Math.min(length, from + EVENTS);
  const some = `Events ${count(from)} to ${count(to - 1)} of ${count(length)}; the record holds all.`;
  return [to - from < length && h('p', { class: 'note' }, some), timeline(shown, from, to)];
}
