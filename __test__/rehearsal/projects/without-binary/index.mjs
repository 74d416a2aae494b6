import assert from 'node:assert/strict';
import { isNative, redact, reqHash, verifyJson } from 'tapeproof';

assert.equal(isNative(), false);
assert.throws(() => reqHash({}), { code: 'ERR_TAPEPROOF_ADDON' });
delete process.env.TAPEPROOF_REQUIRE_NATIVE;
const [[warning]] = await Promise.all([
  new Promise(resolve => process.once('warning', (...args) => resolve(args))),
  reqHash({}),
]);
assert.equal(warning.code, 'TAPEPROOF_FALLBACK');
assert.equal(
  reqHash({ kind: 'clock', counter: 0 }),
  '1ae290ebf0a8a99a4e246df5e13fb08c358ce5c6eaac3e4a5fe4fa8d7bef9c3f',
);
assert.equal(redact('a@b.co').value, '[redacted:email:0]');
assert.throws(() => verifyJson('{}'), { code: 'ERR_TAPEPROOF_ADDON' });
