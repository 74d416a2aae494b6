// Resident memory after many calls, and after a huge one. `long/memory.test.mjs` runs the same at full size.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { growth, leavesLess, MIB } from './memory/measure.mjs';

describe('memory', () => {
  it('does not grow with the number of calls', async () => {
    // A leak shows in every window; what the engine does on its own does not.
    const windows = await growth(12, 20_000);
    assert.ok(Math.min(...windows) < 0.5 * MIB, `grew by ${windows} bytes in windows of 20,000 calls`);
  });

  for (const shape of ['one text', 'JSON text', 'a huge value that fails']) {
    it(`is given back after ${shape} of 64 MiB`, async () => {
      const { holds, bytes } = await leavesLess(shape, 64, 30 * MIB);
      assert.ok(holds, `${bytes} bytes are left`);
    });
  }
});
