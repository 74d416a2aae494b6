// The JSON reader against `JSON.parse`: the same texts accepted, with the same values in the same order.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { dump, randomText, wtf8 } from './random/json-text.mjs';
import { Random, runSeed } from './random/prng.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const seed = runSeed();
const count = 20_000;

/** What the reader makes of each text. */
function read(texts) {
  const input = Buffer.concat(texts.flatMap(text => [length(text), text]));
  const args = ['run', '--quiet', '--no-default-features', '--example', 'json_dump'];
  const { status, stdout, stderr } = spawnSync('cargo', args, { cwd: root, input, maxBuffer: 2 ** 30 });
  assert.equal(status, 0, String(stderr));
  const dumps = [];
  for (let at = 0; at < stdout.length; ) {
    const end = at + 4 + stdout.readUInt32LE(at);
    dumps.push(stdout.subarray(at + 4, end));
    at = end;
  }
  return dumps;
}

function length(bytes) {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(bytes.length);
  return head;
}

test(`JSON texts, seed ${seed}`, { timeout: 600_000 }, t => {
  const texts = Array.from({ length: count }, (_, index) => randomText(new Random(seed, index)));
  const dumps = read(texts.map(wtf8));
  assert.equal(dumps.length, count);
  let accepted = 0;
  texts.forEach((text, at) => {
    let expected = Buffer.from('!ERR_TAPEPROOF_SYNTAX');
    try {
      expected = dump(JSON.parse(text));
      accepted += 1;
    } catch (error) {
      assert.equal(error.name, 'SyntaxError');
    }
    assert.ok(dumps[at].equals(expected), `text ${at}: ${JSON.stringify(text.slice(0, 400))}`);
  });
  t.diagnostic(`${accepted} of ${count} texts are JSON`);
  assert.ok(accepted > count / 4 && accepted < (count * 3) / 4);
});
