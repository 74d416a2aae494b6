import assert from 'node:assert/strict';
import { isNative, reqHash } from 'tapeproof';
import { redact } from 'tapeproof/redact';

assert.equal(
  reqHash({ kind: 'clock', counter: 0 }),
  '1ae290ebf0a8a99a4e246df5e13fb08c358ce5c6eaac3e4a5fe4fa8d7bef9c3f',
);
assert.equal(redact('a@b.co').value, '[redacted:email:0]');
assert.equal(isNative(), true);
