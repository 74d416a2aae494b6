// Tables of text cells, aligned to the right.

export function plainTable([head, ...rows]) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map(row => row[column].length)));
  const line = row => row.map((cell, at) => cell.padStart(widths[at])).join('  ');
  return [line(head), widths.map(width => '─'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
}

export function markdownTable([head, ...rows]) {
  const line = row => `| ${row.join(' | ')} |`;
  return [line(head), line(head.map(() => '---:')), ...rows.map(line)].join('\n');
}
