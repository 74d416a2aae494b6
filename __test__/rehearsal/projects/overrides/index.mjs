import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { reqHash } from 'replay-tool';

assert.equal(
  reqHash({ kind: 'clock', counter: 0 }),
  '1ae290ebf0a8a99a4e246df5e13fb08c358ce5c6eaac3e4a5fe4fa8d7bef9c3f',
);
const tool = createRequire(createRequire(import.meta.url).resolve('replay-tool'));
assert.equal(tool('@krishnadobhal/rewind-core/package.json').name, 'tapeproof');
