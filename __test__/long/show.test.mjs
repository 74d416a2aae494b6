// `tapeproof show` of a run whose steps take 1 GB.
import { it } from 'node:test';
import { showLarge } from '../recorder/large.mjs';

it('steps.jsonl of 1 GB', { timeout: 1_200_000 }, () => showLarge(1e9));
