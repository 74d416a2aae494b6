// Precision and recall of each matcher on the generated corpus. The documentation has the same figures.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { findSensitive } from 'tapeproof/redact';
import { corpus } from './redact-corpus/corpus.mjs';
import { measure } from './redact-corpus/measure.mjs';

const FLOOR = 0.99;
const FEWEST = 40;
const OPT_IN = ['mac', 'ipv6', 'ipv4'];

const documentation = readFileSync(new URL('../docs/redaction.md', import.meta.url), 'utf8');
const percent = share => `${(100 * share).toFixed(1)} %`;

describe('corpus', () => {
  for (const [matcher, { positives, negatives }] of Object.entries(corpus)) {
    it(matcher, t => {
      assert.ok(positives.length >= FEWEST && negatives.length >= FEWEST);
      const preset = OPT_IN.includes(matcher) ? ['extended', matcher] : 'extended';
      const find = text => findSensitive(text, { preset });
      // What others find in a look-alike is theirs.
      const found = measure(positives, find);
      const own = measure(
        negatives.map(text => ({ text, findings: [] })),
        text => find(text).filter(finding => finding.matcher === matcher),
      );
      const falseHits = [...found, ...own].flatMap(row => row.falseHits);
      const [{ hits, missed }] = found.filter(row => row.matcher === matcher);
      const precision = hits / (hits + falseHits.length);
      const recall = hits / (hits + missed.length);
      t.diagnostic(`precision ${percent(precision)}, recall ${percent(recall)}`);
      assert.ok(precision >= FLOOR, `false hits in ${JSON.stringify(falseHits)}`);
      assert.ok(recall >= FLOOR, `missed in ${JSON.stringify(missed)}`);
      const row = new RegExp(`^\\| \`${matcher}\` \\|.*\\| ${percent(precision)} \\| ${percent(recall)} \\|$`, 'm');
      assert.match(documentation, row);
    });
  }

  it('every text is looked at alone, however many cross the boundary together', () => {
    const texts = Object.values(corpus).flatMap(({ positives, negatives }) => [
      ...positives.map(({ text }) => text),
      ...negatives,
    ]);
    const preset = ['extended', ...OPT_IN];
    const together = findSensitive(texts, { preset });
    const apart = texts.flatMap((text, index) =>
      findSensitive(text, { preset }).map(place => ({ ...place, pointer: `/${index}` })),
    );
    assert.ok(apart.length > texts.length / 2);
    assert.deepEqual(together, apart);
  });
});

// Compressed, so that nobody's scanner takes it for leaks.
const blind = gunzipSync(readFileSync(new URL('redact-corpus/blind.jsonl.gz', import.meta.url)))
  .toString()
  .trimEnd()
  .split('\n')
  .map(line => JSON.parse(line));

it('the set of an author who knew only what is promised', () => {
  const counts = { wanted: 0, exact: 0, within: 0, false: 0 };
  for (const { text, find } of blind) {
    const found = findSensitive(text, { preset: 'extended' });
    const isIn = ({ start, end }, other) => start >= other.start && end <= other.end;
    counts.wanted += find.length;
    for (const wanted of find) {
      const place = found.find(({ start, end }) => start < wanted.end && wanted.start < end);
      if (place && isIn(wanted, place)) counts.exact += 1;
      else if (place && isIn(place, wanted)) counts.within += 1;
    }
    counts.false += found.filter(place => !find.some(wanted => isIn(place, wanted))).length;
  }
  const { wanted, exact, within } = counts;
  const row = [wanted, exact + within, within, wanted - exact - within, counts.false];
  assert.ok(documentation.includes(`\n| ${row.join(' | ')} |\n`), `${row}`);
});
