// Each run draws new inputs; TAPEPROOF_SEED repeats a run.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as hash from './differential/hash.mjs';
import * as record from './differential/record.mjs';
import * as redact from './differential/redact.mjs';
import { differences } from './differential/run.mjs';
import { runSeed } from './random/prng.mjs';

const seed = runSeed();

for (const [area, title, module, n] of [
  ['hash', 'hashing', hash, 4000],
  ['record', 'verification', record, 1000],
  ['redact', 'redaction', redact, 4000],
]) {
  it(`${title} agrees with the twin (seed ${seed})`, () => {
    const { value: difference } = differences(module, { seed, n }).next();
    assert.equal(
      difference,
      undefined,
      difference &&
        `${difference.words}\n${difference.input}\nnpm run fuzz -- --area ${area} --seed ${seed} --from ${difference.index} --n 1`,
    );
  });
}
