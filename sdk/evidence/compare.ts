// Compares two runs, call by call.
import { diffRequests } from '../hash.js';
import type { RewindRequest } from '../request.js';
import { align, type Symbols } from './align.js';
import { type AnsweredCall, type Calls, callsOf, type RunSource, redactedHash } from './calls.js';

/** What became of a call from one run to the other. */
export type ComparedStep =
  /** The same call with the same answer. */
  | { result: 'same'; a: number; b: number }
  /** The same call with another answer; the pointers are into `{response, error}`. */
  | { result: 'answer'; a: number; b: number; pointers: string[] }
  /** Another call in its place; the pointers are into the canonical request, and there are none when only redacted values differ. */
  | { result: 'changed'; a: number; b: number; pointers: string[]; only_redacted: boolean }
  | { result: 'missing'; a: number; b: null }
  | { result: 'extra'; a: null; b: number };

/** Two runs side by side. */
export interface Comparison {
  /** All calls, all answers and the ending are the same. */
  same: boolean;
  counts: Record<ComparedStep['result'], number>;
  /** Where the ways in which the runs ended differ, as pointers into `{status, output, error}`. */
  ending: { same: boolean; pointers: string[] };
  /** In order; `a` and `b` are the `seq` of a step, or of an event of a record. */
  steps: ComparedStep[];
}

/**
 * Compares two runs: their calls are aligned by a longest common subsequence.
 *
 * Times, tokens and costs do not count, and neither do ids and white space, as in {@link reqHash} and `stateHash`. What
 * was redacted from a record that has no hash for it is taken for the same.
 *
 * @throws {Error} `ERR_TAPEPROOF_RUN`, `ERR_TAPEPROOF_HASH_VERSION`, `ERR_TAPEPROOF_RECORDING`,
 *   `ERR_TAPEPROOF_CASSETTE`; {TypeError} `ERR_TAPEPROOF_RECORD`, `ERR_TAPEPROOF_EVENT`
 */
export function compareRuns(a: RunSource, b: RunSource): Comparison {
  const one = callsOf(a);
  try {
    const other = callsOf(b);
    try {
      return compared(one, other);
    } finally {
      other.close();
    }
  } finally {
    one.close();
  }
}

function compared(a: Calls, b: Calls): Comparison {
  const steps: ComparedStep[] = [];
  const counts = { same: 0, answer: 0, changed: 0, missing: 0, extra: 0 };
  const add = (step: ComparedStep) => {
    steps.push(step);
    counts[step.result] += 1;
  };
  const identities = identitiesOf(a, b);
  let [nextA, nextB] = [0, 0];
  for (const [atA, atB] of pairsOf(align(...identities), b.length)) {
    for (const step of between(a, [nextA, atA], b, [nextB, atB])) add(step);
    [nextA, nextB] = [atA + 1, atB + 1];
    if (atA < a.length) add(sameCall(a, atA, b, atB));
  }
  const pointers = pointersBetween(a.ending, b.ending);
  const isAlike = pointers.length === 0;
  return { same: isAlike && counts.same === steps.length, counts, ending: { same: isAlike, pointers }, steps };
}

/** The pairs of an alignment, and at the end the ends of both sides. */
function* pairsOf(partners: Int32Array, end: number): Generator<[number, number]> {
  for (const [at, partner] of partners.entries()) if (partner >= 0) yield [at, partner];
  yield [partners.length, end];
}

function sameCall(a: Calls, atA: number, b: Calls, atB: number): ComparedStep {
  const places = { a: a.seq(atA), b: b.seq(atB) };
  if (a.answer(atA) === b.answer(atB)) return { result: 'same', ...places };
  return { result: 'answer', ...places, pointers: pointersBetween(a.call(atA).answer, b.call(atB).answer) };
}

type Range = [from: number, to: number];

/** The calls between two that are the same. Those of one redacted form belong together, then those of one name. */
function* between(a: Calls, rangeA: Range, b: Calls, rangeB: Range): Generator<ComparedStep> {
  if (isEmpty(rangeA) || isEmpty(rangeB)) {
    yield* apart(a, rangeA, b, rangeB);
    return;
  }
  const [forms, names] = [new Numbers(), new Numbers()];
  const symbolsOf = (calls: Calls, [from, to]: Range) => {
    const symbols = { forms: new Uint32Array(to - from), names: new Uint32Array(to - from) };
    for (let at = from; at < to; at += 1) {
      const call = calls.call(at);
      symbols.forms[at - from] = forms.of(redactedHash(call));
      symbols.names[at - from] = names.of(nameOf(call));
    }
    return symbols;
  };
  const [one, other] = [symbolsOf(a, rangeA), symbolsOf(b, rangeB)];
  const pairUp = function* (by: 'forms' | 'names', [fromA, toA]: Range, [fromB, toB]: Range): Generator<ComparedStep> {
    const within = (symbols: Symbols, [start]: Range, from: number, to: number) =>
      symbols.subarray(from - start, to - start);
    const pairs = align(within(one[by], rangeA, fromA, toA), within(other[by], rangeB, fromB, toB));
    let [nextA, nextB] = [fromA, fromB];
    for (const [offsetA, offsetB] of pairsOf(pairs, toB - fromB)) {
      const [atA, atB] = [fromA + offsetA, fromB + offsetB];
      if (by === 'forms') yield* pairUp('names', [nextA, atA], [nextB, atB]);
      else yield* apart(a, [nextA, atA], b, [nextB, atB]);
      if (atA < toA) yield changedCall(a, atA, b, atB);
      [nextA, nextB] = [atA + 1, atB + 1];
    }
  };
  yield* pairUp('forms', rangeA, rangeB);
}

const isEmpty = ([from, to]: Range): boolean => from === to;

/** Calls that have no counterpart. */
function* apart(a: Calls, [fromA, toA]: Range, b: Calls, [fromB, toB]: Range): Generator<ComparedStep> {
  for (let at = fromA; at < toA; at += 1) yield { result: 'missing', a: a.seq(at), b: null };
  for (let at = fromB; at < toB; at += 1) yield { result: 'extra', a: null, b: b.seq(at) };
}

function changedCall(a: Calls, atA: number, b: Calls, atB: number): ComparedStep {
  const pointers = diffRequests(a.call(atA).request, b.call(atB).request).map(({ pointer }) => pointer);
  return { result: 'changed', a: a.seq(atA), b: b.seq(atB), pointers, only_redacted: pointers.length === 0 };
}

/** What a call keeps when its arguments change. */
function nameOf({ request }: AnsweredCall): string {
  const { kind, tool_name, model_id } = request as unknown as Record<string, unknown>;
  return JSON.stringify([kind, tool_name, model_id]);
}

/** Where two values differ in their canonical forms. */
function pointersBetween(a: object, b: object): string[] {
  const asRequest = (args: object): RewindRequest => ({ kind: 'tool', tool_name: '', args });
  return diffRequests(asRequest(a), asRequest(b)).map(({ pointer }) => pointer.slice('/args'.length));
}

/** Numbers for texts. */
class Numbers {
  readonly #known = new Map<string, number>();

  of(text: string): number {
    const known = this.#known.get(text) ?? this.#known.size;
    this.#known.set(text, known);
    return known;
  }
}

/**
 * What stands for each call: its hash. A call of unknown hash is compared by its redacted form, and so is every call of
 * this form.
 */
function identitiesOf(a: Calls, b: Calls): [Symbols, Symbols] {
  const numbers = new Numbers();
  const hidden = new Set<string>();
  for (const calls of [a, b]) {
    for (let at = 0; at < calls.length; at += 1) {
      if (calls.hash(at) === undefined) hidden.add(redactedHash(calls.call(at)));
    }
  }
  const identity = (calls: Calls, at: number): string => {
    const hash = calls.hash(at);
    if (hidden.size === 0) return hash as string;
    const form = redactedHash(calls.call(at));
    return hidden.has(form) ? form : (hash as string);
  };
  const side = (calls: Calls) => Uint32Array.from({ length: calls.length }, (_, at) => numbers.of(identity(calls, at)));
  return [side(a), side(b)];
}
