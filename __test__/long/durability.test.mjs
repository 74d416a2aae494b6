import { it } from 'node:test';
import { Random, runSeed } from '../random/prng.mjs';
import { temporaryFolder } from '../recorder/folder.mjs';
import { killMany } from '../recorder/kill.mjs';

const seed = runSeed();

it(`200 kills lose nothing that record() has returned from (seed ${seed})`, async t => {
  const random = new Random(seed, 0);
  const seen = await killMany(temporaryFolder(), 200, () => random.below(150));
  t.diagnostic(`200 kills: ${JSON.stringify(seen)}`);
});
