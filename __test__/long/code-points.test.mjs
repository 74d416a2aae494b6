import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allCodePoints, CONTEXTS, firstDifference } from '../unicode/code-points.mjs';

describe('every code point', () => {
  for (const [context, place] of Object.entries(CONTEXTS)) {
    it(context, () => assert.equal(firstDifference(place, allCodePoints()), undefined));
  }
});
