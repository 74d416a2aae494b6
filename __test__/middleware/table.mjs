// The matrix as docs/recording.md has it: `node __test__/middleware/table.mjs` prints it.
import { pathToFileURL } from 'node:url';
import { ENTRY_POINTS, GRAPHS, MODELS, MODES } from './matrix.mjs';

const row = cells => `| ${cells.join(' | ')} |`;
const table = (head, rows) =>
  [row(head), row(head.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(row)].join('\n');

const models = Object.keys(MODELS);

export const entryPoints = () =>
  table(
    ['entry point', ...models],
    ENTRY_POINTS.map(({ name, calls = 1 }) => [`\`${name}\``, ...models.map(() => `${calls} of ${calls}`)]),
  );

export const graphs = () =>
  table(
    ['graph', ...MODES.map(({ name }) => name)],
    GRAPHS.map(({ name, nodes, tools }) => [name, ...MODES.map(() => `${nodes.length} + ${tools.length}`)]),
  );

if (import.meta.url === pathToFileURL(process.argv[1]).href) console.log(`${entryPoints()}\n\n${graphs()}`);
