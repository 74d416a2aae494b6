// Text in columns.

/** Rows in columns as wide as they need; numbers, which are in the columns `right`, end in line. */
export function table(rows: readonly (readonly string[])[], right: ReadonlySet<number>): string {
  const widths: number[] = [];
  for (const row of rows) widen(widths, row);
  return rows.map(row => line(row, widths, right)).join('');
}

/** Makes columns wide enough for a row. */
export function widen(widths: number[], row: readonly string[]): void {
  for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
}

/** One row in columns of known widths. */
export function line(row: readonly string[], widths: readonly number[], right: ReadonlySet<number>): string {
  const cells = row.map((cell, at) => (right.has(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)));
  return `${cells.join('  ').trimEnd()}\n`;
}

const BAR_WIDTH = 24;

/** A bar for a share of the largest value. What is not nothing is seen. */
export function bar(value: number, largest: number): string {
  if (!(value > 0 && largest > 0)) return '';
  const eighths = Math.round((value / largest) * BAR_WIDTH * 8);
  return '█'.repeat(eighths >> 3) + ' ▏▎▍▌▋▊▉'.charAt(Math.max(eighths & 7, eighths < 8 ? 1 : 0)).trim();
}

/** Two texts side by side, in lines of so many characters. */
export function beside(left: string, right: string, width: number): string {
  const column = Math.max(20, Math.floor((width - 3) / 2));
  const [a, b] = [wrapped(left, column), wrapped(right, column)];
  let text = '';
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    text += `${(a[at] ?? '').padEnd(column)} │ ${b[at] ?? ''}`.trimEnd();
    text += '\n';
  }
  return text;
}

function wrapped(text: string, width: number): string[] {
  const pieces = new RegExp(`.{1,${width}}`, 'gsu');
  return text.split('\n').flatMap(row => row.match(pieces) ?? ['']);
}

/** A count, or nothing. */
export const count = (value: unknown): string =>
  typeof value === 'number' && Number.isFinite(value) ? String(value) : '';
