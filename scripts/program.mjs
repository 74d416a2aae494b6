// Runs one of the project's own programs on what is built.
import { existsSync } from 'node:fs';
import { build } from './build.mjs';
import { handOver, StepFailure } from './steps.mjs';
import { pinnedNodes } from './test.mjs';

export async function program(file, args, node = process.execPath) {
  await build();
  await handOver({ command: node, args: [file, ...args] });
}

/** `npm run bench -- [records] [--node 24] [arguments]`: a benchmark, on this Node or on a pinned one. */
export async function bench([...args]) {
  const file = args[0] === 'records' ? `benchmark/${args.shift()}.mjs` : 'benchmark/hash.mjs';
  const at = args.indexOf('--node');
  if (at < 0) return program(file, args);
  const wanted = `node${args[at + 1]}`;
  const node = (await pinnedNodes()).find(({ name }) => name === wanted);
  if (!node || !existsSync(node.path))
    throw new StepFailure(`--node: __test__/nodes has no ${wanted} for this machine`);
  return program(file, args.toSpliced(at, 2), node.path);
}
