// The commands as a user calls them, in a folder of their own.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

const path = name => fileURLToPath(new URL(`../../dist/cli/${name}.js`, import.meta.url));
const terminal = new URL('terminal.mjs', import.meta.url).href;

/** The environment without keys and without a word about colours. */
const plain = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(TAPEPROOF_|NO_COLOR|FORCE_COLOR|TERM$|NODE_OPTIONS)/.test(name)),
);

/** A new folder, removed after the tests: `{folder, file, tapeproof, runbackVerify}`. */
export function bench() {
  const folder = mkdtempSync(join(tmpdir(), 'tapeproof-cli-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const call =
    command =>
    (args, { input = '', env = {}, onTerminal = false } = {}) => {
      const node = onTerminal ? ['--import', terminal] : [];
      const { status, stdout, stderr } = spawnSync(process.execPath, [...node, path(command), ...args], {
        cwd: folder,
        input,
        env: { ...plain, ...env },
        maxBuffer: 1 << 28,
      });
      return { status, stdout: stdout.toString(), stderr: stderr.toString() };
    };
  return {
    folder,
    tapeproof: call('main'),
    runbackVerify: call('runback-verify'),
    /** Writes a file and gives its name. */
    file(name, content) {
      mkdirSync(join(folder, dirname(name)), { recursive: true });
      writeFileSync(join(folder, name), content);
      return name;
    },
  };
}
