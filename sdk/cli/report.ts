// What is said of a record to people. Text from the record stands alone at the end of a line of its own, short, quoted
// and with nothing in it that a terminal obeys: it can neither begin a line nor move or colour one.
import type { VerifyResult } from '../verify.js';
import { failureWords, INTEGRITY, MARKS, PASSED, signatureVerdict, signatureWords } from '../view/words.js';
import { visible } from '../visible.js';
import type { Colour, Paint } from './output.js';

/** Wide characters take two columns; with what stands before it, an excerpt fits into a line of 80. */
const EXCERPT = 32;

const excerpt = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
  const characters = Array.from(text.slice(0, 2 * EXCERPT + 2));
  const isCut = characters.length > EXCERPT;
  return `"${visible(characters.slice(0, EXCERPT).join(''))}"${isCut ? '…' : ''}`;
};

const COLOURS: Record<VerifyResult['verdict'], Colour> = { valid: 'green', unverified: 'yellow', invalid: 'red' };

/** The six checks, a line each; a second failure of one check has a line of its own below. */
function checkLines({ checks, integrity, failures }: VerifyResult, paint: Paint, all: boolean): string {
  let text = '';
  for (const name of INTEGRITY) {
    const words = failures.filter(({ check }) => check === name).map(failureWords);
    if (words.length === 0 && all) text += `  ${paint('green', '✓')} ${name.padEnd(10)}  ${PASSED[name]}\n`;
    for (const word of words) text += `  ${paint('red', '✗')} ${name.padEnd(10)}  ${word}\n`;
  }
  const verdict = signatureVerdict(checks);
  if (verdict === 'valid' && !all) return text;
  return `${text}  ${paint(COLOURS[verdict], MARKS[verdict])} ${'signature'.padEnd(10)}  ${signatureWords(checks, integrity)}\n`;
}

const headLine = (file: string, { verdict }: VerifyResult, paint: Paint): string =>
  `${paint(COLOURS[verdict], `${MARKS[verdict]} ${verdict.padEnd(10)}`)}  ${file}\n`;

/** All about one record. `file` is safe to print. */
export function report(file: string, result: VerifyResult, paint: Paint): string {
  const { run_id, generated_at, event_count, schema } = result.meta;
  const said = Object.entries({ schema, run_id, generated_at }).filter(([, value]) => value != null);
  return [
    headLine(file, result, paint),
    checkLines(result, paint, true),
    `\n  ${event_count} ${event_count === 1 ? 'event' : 'events'}. The record says of itself:\n`,
    ...said.map(([name, value]) => `    ${name.padEnd(12)}  ${excerpt(value)}\n`),
  ].join('');
}

/** One record among several: its verdict, and what stands against it. */
export const briefReport = (file: string, result: VerifyResult, paint: Paint): string =>
  headLine(file, result, paint) + checkLines(result, paint, false);
