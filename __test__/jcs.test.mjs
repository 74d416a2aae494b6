// RFC 8785 by its own test data. A raw position of a request is written without being normalized, so a hash shows
// the canonical text of any value.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { readings } from './readings.mjs';
import { jcs } from './reference/hash.mjs';
import { sharedFolder } from './shared.mjs';

const folder = sharedFolder('vectors/jcs');
const vectors = folder
  ? readdirSync(new URL('input/', folder)).map(file => ({
      file,
      input: readFileSync(new URL(`input/${file}`, folder), 'utf8'),
      output: readFileSync(new URL(`output/${file}`, folder), 'utf8').trim(),
    }))
  : [];

describe('JCS vectors', { skip: folder ? false : '../shared/vectors/jcs is not here' }, () => {
  for (const { file, input, output } of vectors) {
    const hash = createHash('sha256').update(`3\0{"counter":${output},"kind":"clock"}`).digest('hex');

    it(`${file}: canonical text`, () => assert.equal(jcs(JSON.parse(input)), output));

    for (const { name, H } of readings) {
      it(`${file}: ${name}`, () => assert.equal(H.reqHash({ kind: 'clock', counter: JSON.parse(input) }), hash));
      if (!H.reqHashJson) continue;
      it(`${file}: ${name}, as text`, () => assert.equal(H.reqHashJson(`{"kind":"clock","counter":${input}}`), hash));
    }
  }
});
