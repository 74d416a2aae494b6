import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { growth, leavesLess, MIB } from '../memory/measure.mjs';

const SHAPES = [
  ...['one text', 'one two-byte text', 'one text that NFC changes', 'one fence', 'one image', 'one long key'],
  ...['JSON text', 'canonical', 'normalizeText', 'a huge value that fails'],
].map(shape => [shape, 30 * MIB]);

// Of a million small values the engine itself keeps up to 50 MiB, more or less from run to run.
const MANY = ['many texts', 'many numbers', 'many keys', 'many objects'].map(shape => [shape, 64 * MIB]);

describe('memory, at full size', () => {
  it('grows by less than 1 MiB for each 100,000 calls, over a million', async t => {
    const windows = await growth(10, 100_000);
    const total = windows.reduce((sum, bytes) => sum + bytes, 0);
    t.diagnostic(`${total} bytes in 1,000,000 calls`);
    assert.ok(total < 10 * MIB, `grew by ${windows} bytes`);
  });

  for (const [shape, bound] of [...SHAPES, ...MANY]) {
    it(`is given back after ${shape} of 64 MiB`, async t => {
      const { holds, bytes } = await leavesLess(shape, 64, bound);
      t.diagnostic(`${bytes} bytes are left`);
      assert.ok(holds, `${bytes} bytes are left`);
    });
  }
});
