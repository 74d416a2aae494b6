// Runs of 100,000 steps.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { measured } from '../evidence/measure.mjs';
import { recordRun, tool } from '../evidence/runs.mjs';
import { temporaryFolder } from '../recorder/folder.mjs';

const STEPS = 100_000;
const MIB = 2 ** 20;

describe(`runs of ${STEPS} steps`, () => {
  const root = temporaryFolder();
  before(() => {
    const text = 'x'.repeat(600);
    const step = number => tool({ number: number % 1000, text }, number % 10);
    const changed = tool({ number: -1, text }, 0);
    recordRun(
      root,
      'a',
      Array.from({ length: STEPS }, (_, number) => step(number)),
    );
    recordRun(
      root,
      'b',
      Array.from({ length: STEPS }, (_, number) => (number % 10 === 0 ? changed : step(number))),
    );
  });

  it('are sealed into a file in bounded memory', async t => {
    const file = join(root, 'record.json');
    const { growth, result } = await measured('sealRunToFile', root, 'a', file);
    t.diagnostic(`${growth} bytes for a record of ${statSync(file).size}`);
    assert.equal(result.event_count, STEPS + 2);
    assert.ok(statSync(file).size > 100 * MIB);
    assert.ok(growth < 100 * MIB, `grew by ${growth} bytes`);
  });

  it('are compared in bounded memory', async t => {
    const { growth, result } = await measured('compareRuns', root, 'a', 'b');
    t.diagnostic(`${growth} bytes`);
    assert.equal(result.counts.same, 0.9 * STEPS);
    assert.equal(result.counts.changed, 0.1 * STEPS);
    assert.ok(growth < 250 * MIB, `grew by ${growth} bytes`);
  });
});
