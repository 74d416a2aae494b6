// Writes what follows from the targets and the version in package.json: a package for each platform in npm/, the
// optional dependencies on them, and their entries in the lock file, which npm cannot make before they are published.
// With --check nothing is written, and what is out of date is an error.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './steps.mjs';

const OS = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' };
const LIBC = { gnu: 'glibc', musl: 'musl' };

/** A Rust target as npm and the addon's file name have it. */
export function platformOf(target) {
  const [cpu, vendor, system, abi] = target.split('-');
  const arch = { x86_64: 'x64', aarch64: 'arm64' }[cpu];
  const os = { apple: 'darwin', pc: 'win32', unknown: system }[vendor];
  return { name: [os, arch, os === 'darwin' ? undefined : abi].filter(Boolean).join('-'), os, arch, libc: LIBC[abi] };
}

const text = path => readFileSync(join(root, path), 'utf8');
const json = value => `${JSON.stringify(value, null, 2)}\n`;
const manifest = JSON.parse(text('package.json'));
const lock = JSON.parse(text('package-lock.json'));

export const platforms = manifest.napi.targets.map(platformOf);

const packageName = ({ name }) => `${manifest.name}-${name}`;
const limits = ({ os, arch, libc }) => ({ os: [os], cpu: [arch], ...(libc && { libc: [libc] }) });

function packageOf(platform) {
  const { version, license, engines, repository } = manifest;
  const main = `${manifest.name}.${platform.name}.node`;
  return {
    name: packageName(platform),
    version,
    description: `The binary of ${manifest.name} for ${titleOf(platform)}`,
    license,
    ...(repository && { repository: { ...repository, directory: `npm/${platform.name}` } }),
    main,
    files: [main, 'THIRD-PARTY.md'],
    engines,
    ...limits(platform),
  };
}

const titleOf = ({ os, arch, libc }) => `${OS[os]} on ${arch}${libc ? ` (${libc})` : ''}`;

const readmeOf = platform =>
  `# ${packageName(platform)}\n\nThe binary of \`${manifest.name}\` for ${titleOf(platform)}. npm installs it with that package.\n`;

function files() {
  const packages = platforms.map(packageOf);
  const optionalDependencies = Object.fromEntries(packages.map(({ name, version }) => [name, version]).sort());
  const { '': project, ...locked } = lock.packages;
  const entries = packages.map(({ name, version, cpu, libc, license, os, engines }) => [
    `node_modules/${name}`,
    { version, cpu, ...(libc && { libc }), license, optional: true, os, engines },
  ]);
  const others = Object.entries(locked).filter(([path]) => !path.startsWith(`node_modules/${manifest.name}-`));
  const sorted = [...others, ...entries].sort(([a], [b]) => a.localeCompare(b, 'en'));
  return {
    ...Object.fromEntries(platforms.map((platform, at) => [`npm/${platform.name}/package.json`, json(packages[at])])),
    ...Object.fromEntries(platforms.map(platform => [`npm/${platform.name}/README.md`, readmeOf(platform)])),
    'sdk/native.ts': text('sdk/native.ts').replace(/^const VERSION = .*$/m, `const VERSION = '${manifest.version}';`),
    'package.json': json({ ...manifest, optionalDependencies }),
    'package-lock.json': json({
      ...lock,
      version: manifest.version,
      packages: { '': { ...project, version: manifest.version, optionalDependencies }, ...Object.fromEntries(sorted) },
    }),
  };
}

function current(path) {
  try {
    return text(path);
  } catch {
    return undefined;
  }
}

if (process.argv[1] === import.meta.filename) {
  const stale = Object.entries(files()).filter(([path, content]) => current(path) !== content);
  const known = new Set(platforms.map(({ name }) => name));
  const strange = readdirSync(join(root, 'npm'), { withFileTypes: true }).filter(({ name }) => !known.has(name));
  if (!process.argv.includes('--check')) {
    for (const [path, content] of stale) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
  } else if (stale.length + strange.length > 0) {
    for (const [path] of stale) console.error(`${path}: not what node scripts/platforms.mjs writes`);
    for (const { name } of strange) console.error(`npm/${name}: no target of package.json`);
    process.exitCode = 1;
  }
}
