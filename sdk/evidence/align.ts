// A longest common subsequence, in linear memory: Hirschberg's division over Hyyrö's bit-parallel rows. Two runs of
// 100,000 calls take some hundred million steps at the worst, and few where they are alike.

/** What stands for a call: equal numbers are equal calls. */
export type Symbols = Uint32Array;

interface Part {
  a: [from: number, to: number];
  b: [from: number, to: number];
}

/** For each place of `a` the place in `b` that it is paired with, or -1: as many pairs as there can be, in order. */
export function align(a: Symbols, b: Symbols): Int32Array {
  const partners = new Int32Array(a.length).fill(-1);
  const [placesA, placesB] = [shared(a, new Set(b)), shared(b, new Set(a))];
  const pairs = alignShared(
    placesA.map(at => a[at] as number),
    placesB.map(at => b[at] as number),
  );
  for (const [at, partner] of pairs.entries()) {
    if (partner >= 0) partners[placesA[at] as number] = placesB[partner] as number;
  }
  return partners;
}

/** The places of the symbols that the other side has, too: the others are in no pair. */
function shared(symbols: Symbols, other: ReadonlySet<number>): Symbols {
  const places = new Uint32Array(symbols.length);
  let count = 0;
  for (let at = 0; at < symbols.length; at += 1) if (other.has(symbols[at] as number)) places[count++] = at;
  return places.subarray(0, count);
}

function alignShared(a: Symbols, b: Symbols): Int32Array {
  const partners = new Int32Array(a.length).fill(-1);
  const open: Part[] = [{ a: [0, a.length], b: [0, b.length] }];
  for (let part = open.pop(); part; part = open.pop()) {
    let [from, to] = part.a;
    let [start, end] = part.b;
    for (; from < to && start < end && a[from] === b[start]; from += 1, start += 1) partners[from] = start;
    for (; from < to && start < end && a[to - 1] === b[end - 1]; to -= 1, end -= 1) partners[to - 1] = end - 1;
    if (from === to || start === end) continue;
    if (to - from === 1) {
      const found = b.subarray(start, end).indexOf(a[from] as number);
      if (found >= 0) partners[from] = start + found;
      continue;
    }
    const middle = (from + to) >> 1;
    const cut = start + bestCut(a.subarray(from, middle), a.subarray(middle, to), b.subarray(start, end));
    open.push({ a: [from, middle], b: [start, cut] }, { a: [middle, to], b: [cut, end] });
  }
  return partners;
}

/** Where to cut `b` so that its halves have the most in common with the halves of `a`. */
function bestCut(first: Symbols, second: Symbols, b: Symbols): number {
  const before = lengths(first, b);
  const behind = lengths(second.slice().reverse(), b.slice().reverse());
  let best = 0;
  let most = -1;
  for (let at = 0; at <= b.length; at += 1) {
    const sum = (before[at] as number) + (behind[b.length - at] as number);
    if (sum > most) [best, most] = [at, sum];
  }
  return best;
}

const WORD = 32;
const CARRY = 2 ** WORD;

/** For each beginning of `b`, how long the longest common subsequence of it and `a` is. */
function lengths(a: Symbols, b: Symbols): Int32Array {
  const words = Math.ceil(b.length / WORD);
  // A zero at a place says that the length grows there.
  const row = new Uint32Array(words).fill(CARRY - 1);
  const masks = masksOf(b, words);
  // Beyond this word there is no zero yet, so that a carry goes through to the next match without a change.
  let touched = -1;
  for (const symbol of a) {
    const mask = masks.get(symbol);
    if (!mask) continue;
    let carry = 0;
    let next = 0;
    for (let word = mask.words[0] as number; word < words; ) {
      const isMatch = mask.words[next] === word;
      const old = row[word] as number;
      const bits = isMatch ? (mask.bits[next] as number) : 0;
      const sum = old + ((old & bits) >>> 0) + carry;
      carry = sum >= CARRY ? 1 : 0;
      row[word] = sum | (old & ~bits);
      if (isMatch) next += 1;
      if (isMatch && word > touched) touched = word;
      if (carry === 1 && word < touched) word += 1;
      else word = mask.words[next] ?? words;
    }
  }
  const result = new Int32Array(b.length + 1);
  for (let at = 0; at < b.length; at += 1) {
    const isOne = ((row[Math.floor(at / WORD)] as number) >>> (at % WORD)) & 1;
    result[at + 1] = (result[at] as number) + 1 - isOne;
  }
  return result;
}

/** By symbol, the words in which it stands, in order, each with the bits of its places. */
function masksOf(b: Symbols, words: number): Map<number, { words: number[]; bits: number[] }> {
  const masks = new Map<number, { words: number[]; bits: number[] }>();
  for (let word = 0; word < words; word += 1) {
    const end = Math.min(b.length, (word + 1) * WORD);
    for (let at = word * WORD; at < end; at += 1) {
      const symbol = b[at] as number;
      let mask = masks.get(symbol);
      if (!mask) masks.set(symbol, (mask = { words: [], bits: [] }));
      const last = mask.words.length - 1;
      const bit = 1 << (at % WORD);
      if (mask.words[last] === word) mask.bits[last] = (mask.bits[last] as number) | bit;
      else {
        mask.words.push(word);
        mask.bits.push(bit);
      }
    }
  }
  return masks;
}
