// Seeded choices, the same on every machine.

/** A source of choices (mulberry32). */
export function random(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** An integer from 0 to below `bound`. */
  const below = bound => Math.floor(next() * bound);
  return {
    below,
    /** True this often. */
    chance: probability => next() < probability,
    /** One of the items. */
    pick: items => items[below(items.length)],
    /** Up to `bound` things, small numbers more often. */
    some: (bound, make) => Array.from({ length: Math.floor(next() ** 2 * (bound + 1)) }, make),
  };
}
