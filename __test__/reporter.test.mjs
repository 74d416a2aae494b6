import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';

const reporter = new URL('../scripts/reporter.mjs', import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'tapeproof-reporter-'));
after(() => rmSync(folder, { recursive: true }));

/** A run of the tests in `body`, as `{status, stdout}`. */
function run(body, CI) {
  const file = join(folder, 'some.test.mjs');
  writeFileSync(file, `import { describe, it } from 'node:test';\n${body}`);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = ['--test', `--test-reporter=${reporter}`, '--test-reporter-destination=stdout', file];
  const { status, stdout } = spawnSync(process.execPath, args, { env: { ...env, CI }, encoding: 'utf8' });
  return { status, stdout };
}

const PASS = "it('one', () => {});";
const SKIP = "it('one', { skip: 'no such tool' }, () => {});";
const FAIL = "describe('group', () => it('one', () => { throw new Error('the reason'); }));";

const runs = [
  ['a pass', PASS, '', 0, /^✔ some\.test\.mjs \(1 test, .*\)\nℹ tests 1\n/],
  ['a pass in CI', PASS, 'true', 0, /^ℹ pass 1$/m],
  [
    'a failure',
    FAIL,
    '',
    1,
    /^✖ group › one\n.*some\.test\.mjs:2:.*\n.*the reason[\s\S]*^✖ some\.test\.mjs \(1 of 1 test failed/m,
  ],
  ['a skip', SKIP, '', 0, /^﹣ one: skipped, no such tool$/m],
  ['a skip in CI', SKIP, 'true', 1, /^✖ 1 skipped: with CI set/m],
];

describe('the reporter of the suite', () => {
  for (const [name, body, CI, status, output] of runs) {
    it(name, () => {
      const result = run(body, CI);
      assert.match(result.stdout, output);
      assert.equal(result.status, status);
    });
  }
});
