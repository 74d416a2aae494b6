const EDGES = [
  0,
  -0,
  1e21,
  1e-6,
  1e-7,
  5e-324,
  Number.MAX_VALUE,
  Number.EPSILON,
  2.2250738585072014e-308,
  0.1 + 0.2,
  ...[7, 8, 15, 16, 24, 30, 31, 32, 33, 52, 53, 54, 63, 64].map(power => 2 ** power),
  ...[1, 5, 15, 16, 17, 20, 21, 22].map(power => 10 ** power),
];

const view = new DataView(new ArrayBuffer(8));
function randomBits(random) {
  view.setUint32(0, random.bits());
  view.setUint32(4, random.bits());
  const value = view.getFloat64(0);
  return Number.isNaN(value) ? 0 : value;
}

const NUMBERS = [
  [6, random => random.below(100)],
  [2, random => random.bits() | 0],
  [2, random => random.below(100000) / random.pick([10, 100, 1000, 3, 7])],
  [3, random => random.pick(EDGES) + random.between(-2, 2)],
  [2, random => random.pick(EDGES)],
  [2, randomBits],
  [1, random => random.bits() * 2 ** -1074 * random.pick([1, 1e6])],
  [1, random => Number(`${random.bits()}e${random.between(-330, 308)}`)],
];

/** A finite or infinite double, never NaN. */
export function anyNumber(random) {
  const value = random.weighted(NUMBERS)(random);
  // An infinity is JSON's `1e400`; it must be rare, because it ends the walk.
  if (!Number.isFinite(value) && !random.oneIn(20)) return 1;
  return random.oneIn(4) ? -value : value;
}
