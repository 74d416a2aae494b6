// `long/code-points.test.mjs` tries every code point on its own.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CONTEXTS, firstDifference, firstDifferentBlock, someCodePoints } from './unicode/code-points.mjs';

describe('code points', () => {
  for (const [context, place] of Object.entries(CONTEXTS)) {
    it(context, () => {
      assert.ok(someCodePoints.length > 20_000);
      assert.equal(firstDifference(place, someCodePoints), undefined);
    });
  }

  it('all of them, many in one text', () => {
    for (const context of ['after a letter', 'before an acute', 'in a fence']) {
      assert.equal(firstDifferentBlock(CONTEXTS[context]), undefined, context);
    }
  });
});
