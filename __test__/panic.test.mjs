// A panic in Rust becomes an exception. The addon that can show it is built here; the one that is shipped cannot.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { addon, frame, integer, object, string } from './addon/frames.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tapeproof-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The library that cargo makes of this crate with the feature `panic-probe`. */
async function probe() {
  const args = ['build', '--locked', '--lib', '--features', 'panic-probe', '--message-format', 'json'];
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const { stdout } = await promisify(execFile)('cargo', args, { cwd, maxBuffer: 2 ** 26 });
  const messages = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  const { filenames } = messages.findLast(
    ({ target }) => target?.name === 'tapeproof' && target.kind.includes('cdylib'),
  );
  const file = join(folder, 'probe.node');
  copyFileSync(
    filenames.find(name => /\.(?:so|dylib|dll)$/.test(name)),
    file,
  );
  return file;
}

it('a panic becomes an exception, and the session goes on', { timeout: 600_000 }, async t => {
  const file = await probe();
  const able = createRequire(import.meta.url)(file);

  await t.test('only this build can panic', () => {
    assert.deepEqual(
      Object.keys(able).filter(name => !(name in addon)),
      ['panic'],
    );
    assert.deepEqual(
      Object.keys(addon).filter(name => !(name in able)),
      [],
    );
  });

  await t.test('the class, the code, and the same ids of keys as before', () => {
    const [zeta, alpha] = ['zeta', 'alpha'].map(key => able.intern(key));
    const value = frame(object(zeta, integer(1), alpha, string('x')));
    const hash = addon.stateHash(...frame(object('zeta', integer(1), 'alpha', string('x'))), []);
    assert.equal(able.stateHash(...value, []), hash);
    for (let times = 0; times < 100; times++) {
      assert.throws(
        () => able.panic(),
        error => {
          assert.equal(Object.getPrototypeOf(error), Error.prototype);
          assert.equal(error.code, 'ERR_TAPEPROOF_PANIC');
          return true;
        },
      );
      assert.equal(able.stateHash(...value, []), hash);
    }
    assert.deepEqual(
      ['zeta', 'alpha', 'another'].map(key => able.intern(key)),
      [zeta, alpha, alpha + 1],
    );
  });

  await t.test('in a worker', async () => {
    const script = `
      const { parentPort, workerData } = require('node:worker_threads');
      const addon = require(workerData);
      try {
        addon.panic();
      } catch ({ code }) {
        parentPort.postMessage([code, addon.normalizeText(' a  b', [String.prototype.normalize])]);
      }`;
    const worker = new Worker(script, { eval: true, workerData: file });
    const message = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    assert.deepEqual(message, ['ERR_TAPEPROOF_PANIC', ' a b']);
  });
});
