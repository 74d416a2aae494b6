// Images and other long texts: what stands for them, at sizes that are common and at ones that are not.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { canonical, normalizeText, reqHash, reqHashJson } from 'tapeproof/hash';
import { Random } from './random/prng.mjs';
import * as twin from './reference/hash.mjs';

const sha256 = data => createHash('sha256').update(data).digest('hex');
const random = new Random(4);
const image = Buffer.from(Uint8Array.from({ length: 4 * 2 ** 20 }, () => random.below(256)));
const digest = `sha256:${sha256(image)}`;
const inLines = image.toString('base64').replace(/.{76}/g, '$&\r\n');

const request = url => ({
  kind: 'model',
  provider: 'p',
  model_id: 'm',
  messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
});

describe('a 4 MiB image', () => {
  const forms = {
    'a data URL': `data:image/png;base64,${image.toString('base64')}`,
    'bare base64': image.toString('base64'),
    'without padding': image.toString('base64').replace(/=+$/, ''),
    'in lines': inLines,
    'a data URL in lines': `data:image/png;base64,${inLines}`,
    'a rope': inLines.split('\r').reduce((rope, line) => rope + line, 'data:image/png;base64,'),
    'two-byte': `\u2028data:image/png;base64,${image.toString('base64')}`.slice(1),
  };
  for (const [name, url] of Object.entries(forms)) {
    it(name, () => {
      assert.equal(normalizeText(url), digest);
      assert.equal(reqHash(request(url)), reqHash(request(`data:;base64,${image.toString('base64')}`)));
      assert.equal(reqHashJson(JSON.stringify(request(url))), reqHash(request(url)));
      assert.equal(canonical(request(url)).messages[0].content[0].image_url.url, digest);
    });
  }
});

describe('long texts', () => {
  const long = (unit, length) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  const units = [
    'a b\n',
    'é  ',
    '漢字 ',
    '😀',
    '“quoted” — text\r\n',
    '```x```  ',
    '```',
    '\ud800 ',
    'e\u0301 ',
    '\u0000"\\',
    '\u00a0\u3000x',
  ];
  for (const unit of units) {
    for (const length of [1023, 1024, 1025, 4095, 4096, 4097, 65_535, 65_536, 1_000_003]) {
      it(`${JSON.stringify(unit)}, ${length} units`, () => {
        const text = long(unit, length);
        assert.ok(normalizeText(text) === twin.normalizeText(text));
        assert.equal(reqHash(request(text)), twin.reqHash(request(text)));
      });
    }
  }
});
