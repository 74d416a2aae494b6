// Precision and recall of each matcher over texts with known findings.

/**
 * A finding is right when matcher, start and end are. Anything else that a matcher finds is a false hit of it, in its
 * own texts or in those of others.
 *
 * @param {{text: string, findings: {matcher: string, start: number, end: number}[]}[]} texts
 * @param {(text: string) => {matcher: string, start: number, end: number}[]} find
 */
export function measure(texts, find) {
  const rows = new Map();
  const row = matcher => {
    if (!rows.has(matcher)) rows.set(matcher, { matcher, hits: 0, missed: [], falseHits: [] });
    return rows.get(matcher);
  };
  for (const { text, findings } of texts) {
    const found = find(text);
    const same = (a, b) => a.matcher === b.matcher && a.start === b.start && a.end === b.end;
    for (const finding of findings) {
      if (found.some(other => same(finding, other))) row(finding.matcher).hits += 1;
      else row(finding.matcher).missed.push(text);
    }
    for (const other of found) {
      if (!findings.some(finding => same(finding, other))) row(other.matcher).falseHits.push(text);
    }
  }
  return [...rows.values()].map(row => ({
    ...row,
    precision: row.hits / (row.hits + row.falseHits.length),
    recall: row.hits / (row.hits + row.missed.length),
  }));
}
