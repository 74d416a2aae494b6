// Times several ways to do one job side by side. The machine may be noisy: every round gives each contender the same
// few milliseconds in turn, so that a ratio within a round compares like with like, and medians are reported.

// Shorter than a scheduler's time slice, so that most samples are not interrupted.
const SAMPLE_MS = 0.5;
const MAX_BATCH = 5000;

/** The value below which the share `q` of the sorted `values` lies. */
export function quantile(values, q) {
  const sorted = Float64Array.from(values).sort();
  const at = (sorted.length - 1) * q;
  const low = sorted[Math.floor(at)];
  return low + (sorted[Math.ceil(at)] - low) * (at % 1);
}

/** Microseconds of a call while nothing else disturbs: the lower quartile. */
export const undisturbed = samples => quantile(samples, 0.25);

// What is computed must be used, or it may be optimized away.
let sink = 0;

function time(run, inputs) {
  const began = process.hrtime.bigint();
  for (const input of inputs) sink += run(input).length;
  return Number(process.hrtime.bigint() - began) / 1000 / inputs.length;
}

const batch = (input, size) => Array.from({ length: size }, input);

/** How many calls fill a sample, after enough of them to have everything compiled. */
function batchSize(run, input) {
  let us = Number.POSITIVE_INFINITY;
  const warmUntil = performance.now() + 60;
  do us = Math.min(us, time(run, batch(input, 8)));
  while (performance.now() < warmUntil);
  return Math.min(MAX_BATCH, Math.max(1, Math.round((SAMPLE_MS * 1000) / us)));
}

/**
 * Microseconds a call of every contender, one figure a round.
 * `contenders` maps names to functions that return a string; `input` makes the argument of each call, outside the clock.
 */
export function measure(contenders, input, rounds) {
  const names = Object.keys(contenders);
  const sizes = Object.fromEntries(names.map(name => [name, batchSize(contenders[name], input)]));
  const samples = Object.fromEntries(names.map(name => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    // Whoever goes first pays for the collection of the round before: take turns.
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(round + turn) % names.length];
      samples[name].push(time(contenders[name], batch(input, sizes[name])));
    }
  }
  return samples;
}

/** `samples[of] / samples[by]` round by round: median and quartiles. */
export function ratio(samples, of, by) {
  const ratios = samples[of].map((us, round) => us / samples[by][round]);
  return { median: quantile(ratios, 0.5), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) };
}

/** Keeps the results alive, to the end of the process. */
export const used = () => sink;
