// What the matchers of a preset find in many texts, in one call of the addon.
import { native } from '../native.js';

/**
 * What was found in a text, in the order in which it takes tokens: three numbers each, the index of the matcher, start
 * and end. There may be hundreds of thousands; as objects they cost more than all else.
 */
export type Found = readonly number[];

/** How many numbers a finding has. */
export const STRIDE = 3;

/** By the index of the text. */
export type Findings = ReadonlyMap<number, Found>;

/** To hand a text over costs more than to look at one of this length. Shorter ones cross together. */
const SHORT = 256;

/** Ends a text for every matcher: it is in no class, and no matcher looks beyond it. */
const SEPARATOR = '\0';

const NONE: Findings = new Map();

/** What a set of matchers finds in each text. */
export function findIn(texts: readonly string[], matchers: number): Findings {
  if (matchers === 0 || texts.length === 0) return NONE;
  const batch: string[] = [];
  const long: number[] = [];
  const short: number[] = [];
  const starts: number[] = [];
  let joined = '';
  for (let index = 0; index < texts.length; index++) {
    const text = texts[index] as string;
    if (text.length > SHORT) {
      long.push(index);
      batch.push(text);
    } else if (text !== '') {
      short.push(index);
      starts.push(joined.length);
      joined += text;
      joined += SEPARATOR;
    }
  }
  batch.push(joined);
  const numbers = native().findSensitive(batch, matchers);
  if (numbers === undefined) return NONE;

  const findings = new Map<number, number[]>();
  for (let at = 0; at < numbers.length; at += 4) {
    const start = numbers[at + 2] as number;
    let index = long[numbers[at] as number];
    let offset = 0;
    if (index === undefined) {
      const place = lastUpTo(starts, start);
      index = short[place] as number;
      offset = starts[place] as number;
    }
    let found = findings.get(index);
    if (found === undefined) findings.set(index, (found = []));
    found.push(numbers[at + 1] as number, start - offset, (numbers[at + 3] as number) - offset);
  }
  return findings;
}

/** The place of the last of these ascending numbers that is not above a limit. */
function lastUpTo(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) <= limit) low = middle;
    else high = middle;
  }
  return low;
}

const names: string[] = [];
/** The name of a matcher. */
export const matcherName = (index: number): string => (names[index] ??= native().matcherName(index));
