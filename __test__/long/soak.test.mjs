// Calls of every kind, in one process and in workers that come and go: resident memory does not grow with their number.
// For more of them: `node --expose-gc __test__/memory/soak.mjs WINDOWS CALLS [WORKERS]`.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MIB, soak } from '../memory/measure.mjs';

const WINDOWS = 8;
const CALLS = 100_000;

describe('soak: it grows by less than 1 MiB for each 100,000 calls', { timeout: 3_600_000 }, () => {
  for (const [name, workers] of [
    ['in one process', 0],
    ['in four workers, new ones for every 100,000', 4],
  ]) {
    it(name, async t => {
      const windows = await soak(WINDOWS, CALLS, workers);
      const total = windows.reduce((sum, bytes) => sum + bytes, 0);
      t.diagnostic(`${total} bytes in ${WINDOWS * CALLS} calls`);
      assert.ok(total < WINDOWS * MIB, `grew by ${windows} bytes`);
    });
  }
});
