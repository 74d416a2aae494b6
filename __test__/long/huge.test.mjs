// Texts of 256 Mi code units, whose hashes are known without an implementation.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { normalizeText, reqHash, reqHashJson } from 'tapeproof/hash';
import { imagePeak, MIB } from '../memory/measure.mjs';
import { anchor } from '../readings.mjs';

const UNITS = 2 ** 28;
const N = UNITS / 8;
const tool = args => ({ kind: 'tool', tool_name: 't', args });

/** SHA-256 of texts, each repeated so many times. */
function digest(...parts) {
  const hash = createHash('sha256');
  for (const [text, times] of parts) {
    const most = Math.min(times, 2 ** 12);
    const chunk = text.repeat(most);
    let left = times;
    for (; left >= most; left -= most) hash.update(chunk);
    hash.update(text.repeat(left));
  }
  return hash.digest('hex');
}

/** The hash of `tool(text)`, where the text is written as these parts. */
const hashOf = (...parts) => digest(['3\0{"args":"', 1], ...parts, ['","kind":"tool","tool_name":"t"}', 1]);
const ofNothing = digest();
const ofImage = digest(['ABC', UNITS / 4]);

const CASES = [
  [
    'ASCII',
    () => 'some.x! '.repeat(N),
    [
      ['some.x! ', N - 1],
      ['some.x!', 1],
    ],
  ],
  ['two-byte units', () => '— “é”.漢x'.repeat(N), [['— “é”.漢x', N]]],
  [
    'astral characters',
    () => '😀😀😀! '.repeat(N),
    [
      ['😀😀😀! ', N - 1],
      ['😀😀😀!', 1],
    ],
  ],
  [
    'lines',
    () => 'line.1\r\n'.repeat(N),
    [
      ['line.1\\n', N - 1],
      ['line.1', 1],
    ],
  ],
  [
    'one fence',
    () => `\`\`\`${'a  b  \n.'.repeat(N - 1)}.....`,
    [
      ['```', 1],
      ['a  b  \\n.', N - 1],
      ['.....', 1],
    ],
  ],
  ['many fences', () => '```  ```'.repeat(N), [['```  ```', N]]],
  ['white space that is no base64', () => `!${'\t \n \u3000\r\n '.repeat(N)}`, [['!', 1]]],
  ['white space', () => ' '.repeat(UNITS), [[`sha256:${ofNothing}`, 1]]],
  ['base64', () => 'QUJD'.repeat(UNITS / 4), [[`sha256:${ofImage}`, 1]]],
  ['a data URL', () => `data:;base64,${'QUJD'.repeat(UNITS / 4)}`, [[`sha256:${ofImage}`, 1]]],
  [
    'what NFC changes',
    () => 'e\u0301x.y!. '.repeat(N),
    [
      ['éx.y!. ', N - 1],
      ['éx.y!.', 1],
    ],
  ],
  ['what is escaped', () => '\u0001"\\\ud800.\ud800.!'.repeat(N), [['\\u0001\\"\\\\\\ud800.\\ud800.!', N]]],
];

describe('256 Mi code units', () => {
  for (const [name, text, parts] of CASES) it(name, () => assert.equal(reqHash(tool(text())), hashOf(...parts)));

  it('as JSON text', () => {
    const text = `{"kind":"tool","tool_name":"t","args":"${'some.x! '.repeat(N)}"}`;
    assert.equal(reqHashJson(text), hashOf(['some.x! ', N - 1], ['some.x!', 1]));
  });

  it('as a key', () => {
    const hash = digest(['3\0{"args":{"', 1], ['some.x! ', N], ['":1},"kind":"tool","tool_name":"t"}', 1]);
    assert.equal(reqHash(tool({ ['some.x! '.repeat(N)]: 1 })), hash);
  });

  it('as a raw value', () => {
    const request = { kind: 'clock', counter: 'some.x! '.repeat(N) };
    assert.equal(reqHash(request), digest(['3\0{"counter":"', 1], ['some.x! ', N], ['","kind":"clock"}', 1]));
  });

  it('through normalizeText', () => {
    const text = normalizeText('— “é”.漢x'.repeat(N));
    assert.equal(digest([text, 1]), digest(['— “é”.漢x', N]));
  });

  it('that would be too long once normalized', () => {
    // NFC takes U+0958 apart.
    const text = '\u0958'.repeat(UNITS + 64);
    for (const run of [() => normalizeText(text), () => reqHash(tool(text))]) {
      assert.throws(run, { name: 'RangeError', code: 'ERR_TAPEPROOF_MEMORY' });
      assert.equal(reqHash(anchor.request), anchor.hash);
    }
  });

  it('of base64 are copied once', { skip: process.platform === 'linux' ? false : 'reads /proc' }, async () => {
    const bytes = await imagePeak(256);
    // One copy is two bytes a unit.
    assert.ok(bytes < 2 * UNITS + 64 * MIB, `${bytes} bytes more at the peak`);
  });
});
