/** A small, fast and repeatable source of randomness (sfc32). A case is a function of its run's seed and its index. */
export class Random {
  #a;
  #b;
  #c;
  #counter = 1;

  constructor(seed, index = 0) {
    this.#a = seed >>> 0;
    this.#b = index >>> 0;
    this.#c = Math.floor(index / 2 ** 32) ^ 0x9e3779b9;
    for (let i = 0; i < 12; i++) this.bits();
  }

  /** 32 random bits as an unsigned integer. */
  bits() {
    const t = (this.#a + this.#b + this.#counter++) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + t) | 0;
    return t >>> 0;
  }

  /** An integer in `[0, bound)`. */
  below(bound) {
    return Math.floor((this.bits() / 2 ** 32) * bound);
  }

  /** An integer in `[low, high]`. */
  between(low, high) {
    return low + this.below(high - low + 1);
  }

  /** True once in `n` times. */
  oneIn(n) {
    return this.below(n) === 0;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  /** One of `[weight, item]` pairs. */
  weighted(pairs) {
    let total = 0;
    for (const pair of pairs) total += pair[0];
    let at = this.below(total);
    for (const pair of pairs) {
      at -= pair[0];
      if (at < 0) return pair[1];
    }
  }

  list(length, make) {
    const items = [];
    for (let index = 0; index < length; index++) items.push(make(index));
    return items;
  }
}

/** The seed of a run: `TAPEPROOF_SEED`, or a fresh one. */
export function runSeed(text = process.env.TAPEPROOF_SEED) {
  if (text === undefined || text === '') return Math.floor(Math.random() * 2 ** 32);
  const seed = Number(text);
  if (!Number.isInteger(seed) || seed < 0 || seed >= 2 ** 32) throw new RangeError('a seed is an integer below 2^32');
  return seed;
}
