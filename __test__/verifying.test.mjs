// docs/verifying.md and examples/ci, with the package as it is published: packed, and installed into an empty folder.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packAll, packages } from '../scripts/pack.mjs';
import { npm } from '../scripts/tools.mjs';
import { documentText } from './documents/blocks.mjs';
import { commands } from './documents/shell.mjs';

const examples = fileURLToPath(new URL('../examples/ci/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tapeproof-verifying-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(TAPEPROOF_|GIT_|NODE_OPTIONS)/.test(name))),
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
};
const bash = (script, cwd = folder) => spawnSync('bash', ['-c', script], { cwd, env, encoding: 'utf8' });
const succeed = (script, cwd) => {
  const { status, stdout, stderr } = bash(script, cwd);
  assert.equal(status, 0, stderr);
  return stdout;
};

const freePort = () =>
  new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const isWindows = process.platform === 'win32';

describe('the packed package', { skip: isWindows }, () => {
  before(() => {
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    const { command, args } = npm(['install', '--loglevel=error', ...packAll().map(file => join(packages, file))]);
    const { status, stderr } = spawnSync(command, args, { cwd: folder, env, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  });

  it('docs/verifying.md: every command prints what it says', async () => {
    const port = await freePort();
    const session = commands(documentText('docs/verifying.md').replaceAll('8787', String(port)));
    const MARK = '--- and then ---\n';
    const script = session.map(({ command }) => `${command}\nprintf -- '${MARK.slice(0, -1)}\\n'\n`).join('');
    const { stdout, stderr } = bash(`trap 'kill $(cat serve.pid)' EXIT\n${script}trap - EXIT`);
    const outputs = stdout.split(MARK);
    for (const [at, { command, output, line }] of session.entries()) {
      assert.equal(outputs[at], output, `line ${line}: ${command}\n${stderr}`);
    }
  });

  describe('examples/ci', () => {
    const workflow = readFileSync(join(examples, 'verify-records.yml'), 'utf8');
    const [, gate] = /- name: Verify records\n +run: (.*)\n/.exec(workflow);
    const verified = () => bash(gate).status;

    before(() => {
      mkdirSync(join(folder, 'keys'));
      copyFileSync(join(folder, 'tapeproof.pub'), join(folder, 'keys', 'tapeproof.pub'));
      copyFileSync(join(folder, 'records', '1.json'), join(folder, 'good.json'));
      succeed(`
        git init -q . && git config user.email ci@example.com && git config user.name ci
        printf 'node_modules\\n' > .gitignore
        cp "${join(examples, 'pre-commit')}" .git/hooks/pre-commit`);
      chmodSync(join(folder, '.git', 'hooks', 'pre-commit'), 0o755);
    });

    const BREAK = "sed 's/success/error/' good.json > records/bad.json";
    const UNSIGN = 'npx tapeproof seal events.jsonl --run run.json -o records/bad.json';

    it('the workflow passes with valid records', () => assert.equal(verified(), 0));
    it('the workflow fails with a broken one', () => {
      succeed(BREAK);
      assert.equal(verified(), 1);
    });
    it('the workflow fails with an unsigned one', () => {
      succeed(UNSIGN);
      assert.equal(verified(), 2);
    });
    it('the workflow fails without records', () => {
      succeed('mv records away && mkdir records');
      assert.equal(verified(), 1);
      succeed('rmdir records && mv away records && rm records/bad.json');
    });

    const commit = () => bash('git add records .gitignore && git commit -q -m records');
    it('the hook lets valid records through', () => assert.equal(commit().status, 0));
    it('the hook stops a broken one, and an unsigned one', () => {
      for (const make of [BREAK, UNSIGN]) {
        succeed(make);
        const { status, stderr } = commit();
        assert.equal(status, 1);
        assert.match(stderr, /a record is not valid, nothing was committed/);
      }
    });
    it('the hook looks at what is committed, not at what is in the folder', () => {
      succeed('cp good.json records/bad.json');
      assert.equal(bash('git commit -q -m records').status, 1);
      succeed('git add records && git commit -q -m records');
    });
    it('the hook has nothing against commits without records', () => {
      succeed('echo x > other && git add other && git commit -q -m other');
      succeed('git rm -q -r records && git commit -q -m "no records"');
    });
  });
});
