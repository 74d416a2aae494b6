// node __test__/redact-corpus/real-text.mjs [--show N] PATH…
// Hits per MB of each preset in the text files under some paths: documentation, lock files, logs, sources. Which of them
// are false is for a reader to say: --show prints the surroundings of up to N of each matcher.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findSensitive } from 'tapeproof/redact';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { show: { type: 'string', default: '0' } },
});
const most = Number(values.show);

const TEXT = /\.(?:md|rst|txt|json|jsonl|lock|toml|ya?ml|log|html|[cm]?[jt]s|rs|py|c|h|go|java|sh|sql|csv)$/;
const LARGEST = 5_000_000;

function* textFiles(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) for (const name of readdirSync(path).sort()) yield* textFiles(join(path, name));
  else if (stat?.isFile() && TEXT.test(path) && stat.size <= LARGEST) yield path;
}

const rows = new Map();
let megabytes = 0;
for (const path of positionals) {
  for (const file of textFiles(path)) {
    const text = readFileSync(file, 'utf8');
    megabytes += text.length / 1e6;
    for (const preset of ['default', 'extended']) {
      for (const { matcher, start, end } of findSensitive(text, { preset })) {
        const name = `${preset}: ${matcher}`;
        const row = rows.get(name) ?? { hits: 0, shown: [] };
        rows.set(name, row);
        row.hits += 1;
        const around = `${text.slice(Math.max(0, start - 20), start)}⟦${text.slice(start, end)}⟧${text.slice(end, end + 12)}`;
        if (row.shown.length < most) row.shown.push(`${file.slice(-40)}: ${JSON.stringify(around)}`);
      }
    }
  }
}

console.log(`${megabytes.toFixed(1)} MB`);
for (const [name, { hits, shown }] of [...rows].sort()) {
  console.log(`${name}: ${hits}, ${(hits / megabytes).toFixed(2)} a MB`);
  for (const line of shown) console.log(`  ${line}`);
}
