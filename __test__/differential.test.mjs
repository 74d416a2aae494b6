// Each run draws new inputs; TAPEPROOF_SEED repeats a run.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as hash from './differential/hash.mjs';
import { differences } from './differential/run.mjs';
import { runSeed } from './random/prng.mjs';

const seed = runSeed();

it(`hashing agrees with the twin (seed ${seed})`, () => {
  const { value: difference } = differences(hash, { seed, n: 4000 }).next();
  assert.equal(
    difference,
    undefined,
    difference &&
      `${difference.words}\n${difference.input}\nnpm run fuzz -- --area hash --seed ${seed} --from ${difference.index} --n 1`,
  );
});
