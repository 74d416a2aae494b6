// `npm run rehearsal`: publishes what would be published to a registry on loopback, and installs it as users do, on
// every pinned Node.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build, install } from './build.mjs';
import { packAll, packages } from './pack.mjs';
import { root, StepFailure, step } from './steps.mjs';
import { pinnedNodes } from './test.mjs';
import { npm } from './tools.mjs';

const home = join(root, '__test__', 'rehearsal');
const work = join(root, 'target', 'rehearsal');

const MAX_INSTALLED_BYTES = 3_000_000;
const MAX_IMPORT_MS = 10;
/** How many tapeproof/hash may load; a test counts them. */
const MODULES = 6;

/** A program of one of the tools. */
function tool(node, name, args, cwd = root) {
  const folder = join(home, 'node_modules', name);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = typeof bin === 'string' ? bin : Object.values(bin)[0];
  return { command: node, args: [join(folder, file), ...args], cwd };
}

const freePort = () =>
  new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** A registry that holds nothing yet. `stop` ends it. */
async function registry(node) {
  const config = join(work, 'verdaccio.yaml');
  cpSync(join(home, 'verdaccio.yaml'), config);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const { command, args } = tool(node, 'verdaccio', ['--config', config, '--listen', `127.0.0.1:${port}`]);
  const server = spawn(command, args, { cwd: work, stdio: 'ignore' });
  for (let waited = 0; ; waited += 100) {
    if (server.exitCode !== null || waited > 60_000) throw new StepFailure('the registry does not start');
    if (
      await fetch(`${url}-/ping`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      break;
    await sleep(100);
  }
  // A setting of the environment goes before one of a file: nothing may be published anywhere else.
  registryUrl = url;
  // npm wants a token; the registry asks for none.
  writeFileSync(
    join(work, '.npmrc'),
    `registry=${url}\n//127.0.0.1:${port}/:_authToken=none\nfund=false\naudit=false\n`,
  );
  return { stop: () => server.kill() };
}

let registryUrl;

const environment = node => ({
  PATH: `${dirname(node)}:${process.env.PATH}`,
  TAPEPROOF_REQUIRE_NATIVE: '1',
  NODE_OPTIONS: '',
  npm_config_registry: registryUrl,
  npm_config_userconfig: join(work, '.npmrc'),
  npm_config_cache: join(work, 'cache'),
  npm_config_update_notifier: 'false',
});

/** npm, as it runs on this Node. */
function npmOn(node, args, cwd) {
  const { command, args: all } = npm(args, cwd);
  const isScript = command === process.execPath;
  return { command: isScript ? node : command, args: all, cwd, env: environment(node) };
}

const run = (node, args, cwd) => ({ command: node, args, cwd, env: environment(node) });

function bytesIn(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** The fewest milliseconds that an import took, each in a process of its own: what disturbs it only adds. */
function importTimes(node, cwd, names) {
  const times = names.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < 20; round++) {
    for (const [at, name] of names.entries()) {
      const script = `const start = performance.now(); await import('${name}'); console.log(performance.now() - start)`;
      const { stdout } = spawnSync(node, ['--input-type=module', '-e', script], { cwd, encoding: 'utf8' });
      times[at] = Math.min(times[at], Number(stdout));
    }
  }
  return times;
}

/** The time of importing tapeproof/hash, and that of a package of as many modules with nothing in them. */
function importTime(node, cwd) {
  const yardstick = join(cwd, 'node_modules', 'yardstick');
  mkdirSync(yardstick);
  writeFileSync(join(yardstick, 'package.json'), JSON.stringify({ type: 'module', exports: './0.js' }));
  const modules = Array.from({ length: MODULES }, (_, index) => `./${index}.js`);
  for (const file of modules) writeFileSync(join(yardstick, file), '');
  writeFileSync(
    join(yardstick, '0.js'),
    modules
      .slice(1)
      .map(file => `import '${file}';\n`)
      .join(''),
  );
  return importTimes(node, cwd, ['tapeproof/hash', 'yardstick']);
}

function limit(title, value, most, unit) {
  if (!(value < most)) throw new StepFailure(`${title}: expected less than ${most} ${unit}, found ${value}`);
  console.log(`${title}: ${Number(value.toPrecision(3))} ${unit}`);
}

/** A copy of a project in an empty folder, with what it depends on. */
async function project(name, at, { name: title, path: node }, dependencies = []) {
  const folder = join(work, at, name);
  mkdirSync(folder, { recursive: true });
  const template = join(home, 'projects', name);
  if (existsSync(template)) cpSync(template, folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json'))) {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  }
  await step(`${title}: npm install, ${name}`, npmOn(node, ['install', '--loglevel=error', ...dependencies], folder));
  return folder;
}

/** The projects of users, on one Node. */
async function rehearse(node) {
  const { name, path } = node;
  const at = name;
  const alias = '@krishnadobhal/rewind-core@npm:tapeproof@^0.1.0';
  const quick = await project('quick-start', at, node, ['tapeproof', alias]);
  await step(`${name}: the README`, run(path, [join(home, 'readme.mjs')], quick), { summary: words => words.trim() });

  const installed = join(quick, 'node_modules');
  const own = readdirSync(installed).filter(entry => entry.startsWith('tapeproof'));
  limit(
    `${name}: installed`,
    own.reduce((sum, entry) => sum + bytesIn(join(installed, entry)), 0),
    MAX_INSTALLED_BYTES,
    'bytes',
  );
  const [time, yardstick] = importTime(path, quick);
  // Where as many empty modules take half of it, the machine is busy, and the time says nothing of the package.
  if (yardstick < MAX_IMPORT_MS / 2) limit(`${name}: import of tapeproof/hash`, time, MAX_IMPORT_MS, 'ms');
  else
    console.log(
      `${name}: import of tapeproof/hash: ${time.toPrecision(3)} ms, ${yardstick.toPrecision(3)} for nothing`,
    );

  for (const [project_, dependencies] of [
    ['overrides', []],
    ['aliases', []],
    ['bundle', ['tapeproof']],
    ['without-binary', ['tapeproof', '--omit=optional']],
  ]) {
    const folder = await project(project_, at, node, dependencies);
    if (project_ === 'bundle') await bundle(path, name, folder);
    if (project_ === 'aliases') await runbackVerify(path, name, folder);
    const files = project_ === 'bundle' ? ['bundle.mjs', 'bundle.cjs'] : ['index.mjs'];
    for (const file of files) await step(`${name}: ${project_}, ${file}`, run(path, [file], folder));
  }
}

/** The command for that of `@runback/verify`: npx asks the registry for a name that is an alias. */
async function runbackVerify(node, name, folder) {
  const records = readFileSync(join(root, '__test__', 'goldens', 'records.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const { text, signingKey } = records.map(line => JSON.parse(line)).find(record => record.name === 'hmac-right#1');
  writeFileSync(join(folder, 'sample-cassette.json'), text);
  const args = ['exec', '--offline', '--', 'runback-verify', 'sample-cassette.json', '--json', '--key', signingKey];
  await step(`${name}: npx runback-verify`, npmOn(node, args, folder));
}

/** Bundles a project and leaves it nothing but the platform's package. */
async function bundle(node, name, folder) {
  await step(`${name}: esbuild`, run(node, [join(home, 'bundle.mjs')], folder));
  rmSync(join(folder, 'node_modules', 'tapeproof'), { recursive: true });
}

async function typescript(node) {
  const folder = await project('typescript', 'types', node, ['tapeproof']);
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  for (const [resolution, module] of [
    ['node16', 'node16'],
    ['bundler', 'esnext'],
  ]) {
    const options = [
      '--module',
      module,
      '--moduleResolution',
      resolution,
      '--target',
      'es2022',
      '--strict',
      '--types',
      '',
    ];
    const args = [
      tsc,
      ...options,
      '--exactOptionalPropertyTypes',
      '--noUncheckedIndexedAccess',
      '--noEmit',
      '--ignoreConfig',
      'index.ts',
    ];
    await step(`types, ${resolution}`, run(node.path, args, folder));
  }
}

/** Publishes, installs and runs everything. */
export async function rehearsal() {
  await build();
  await install(home, 'npm packages of the rehearsal');
  const nodes = (await pinnedNodes()).filter(({ path }) => existsSync(path));
  if (nodes.length === 0) throw new StepFailure('no pinned Node has a binary for this machine');
  const [, newer = nodes[0]] = nodes;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });

  const tarballs = packAll();
  console.log(`packed ${tarballs.join(', ')}`);
  const main = join(packages, tarballs.at(-1));
  await step('publint', tool(newer.path, 'publint', ['run', main, '--strict']));
  // The package is ESM: `require` is no way into it.
  await step('attw', tool(newer.path, '@arethetypeswrong/cli', [main, '--profile', 'esm-only', '--no-color']));

  const server = await registry(newer.path);
  try {
    const folders = [...tarballs.map(file => join(packages, file)), join(home, 'projects', 'replay-tool')];
    for (const path of folders)
      await step(`publish ${path.slice(root.length)}`, npmOn(newer.path, ['publish', path], work));
    await typescript(newer);
    for (const node of nodes) await rehearse(node);
  } finally {
    server.stop();
  }
}
