// Runs one of the project's own programs on what is built.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build, install } from './build.mjs';
import { handOver, root, StepFailure } from './steps.mjs';
import { pinnedNodes } from './test.mjs';

export async function program(file, args, node = process.execPath) {
  await build();
  await handOver({ command: node, args: [file, ...args] });
}

/** What `--area` takes: the programs in `benchmark/`. */
const AREAS = ['audit', 'evidence', 'hash', 'middleware', 'peers', 'record', 'redact', 'verify'];
const peersFolder = join(root, 'benchmark', 'peers');

/** Takes an option with its value out of `args`: undefined when it is not there. */
function take(args, option) {
  const at = args.indexOf(option);
  return at < 0 ? undefined : args.splice(at, 2)[1];
}

/** `npm run bench -- [--area hash] [--node 24] [arguments]`: a benchmark, on this Node or on a pinned one. */
export async function bench([...args]) {
  const area = take(args, '--area') ?? 'hash';
  if (!AREAS.includes(area)) throw new StepFailure(`--area: expected one of ${AREAS.join(', ')}`);
  if (area === 'peers') await install(peersFolder, 'what is compared with');
  const file = `benchmark/${area}.mjs`;
  const version = take(args, '--node');
  if (version === undefined) return program(file, args);
  const wanted = `node${version}`;
  const node = (await pinnedNodes()).find(({ name }) => name === wanted);
  if (!node || !existsSync(node.path))
    throw new StepFailure(`--node: __test__/nodes has no ${wanted} for this machine`);
  return program(file, args, node.path);
}
