// The worked example of docs/records.md, checked with the tools that it names, and its code.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import * as api from 'tapeproof/verify';

const page = readFileSync(new URL('../docs/records.md', import.meta.url), 'utf8');
const block = language => new RegExp(`^\`\`\`${language}\n([^]*?)\n\`\`\`$`, 'm').exec(page)[1];
const record = JSON.parse(block('json'));

it('the record is valid with its key pinned', () => {
  const { pubkey } = record.manifest.signature;
  assert.equal(api.verify(record, undefined, { expectedPublicKey: pubkey }).verdict, 'valid');
});

it('the script finds what the record claims', t => {
  const version = spawnSync('openssl', ['version'], { encoding: 'utf8' }).stdout ?? '';
  const hasTools =
    /^OpenSSL 3/.test(version) && ['bash', 'sha256sum'].every(tool => !spawnSync(tool, ['--version']).error);
  if (!hasTools) {
    assert.notEqual(process.env.CI, 'true', 'bash, sha256sum or OpenSSL 3 is missing');
    return t.skip('needs bash, sha256sum and OpenSSL 3');
  }
  const cwd = mkdtempSync(join(tmpdir(), 'tapeproof-'));
  try {
    const { status, stdout, stderr } = spawnSync('bash', ['-eu', '-c', block('sh')], { cwd, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    assert.equal(stdout.trim(), block('text'));
  } finally {
    rmSync(cwd, { recursive: true });
  }
  const lines = block('text').split('\n');
  const { content_digest, replay } = record.manifest;
  assert.deepEqual(lines.slice(0, -1), [
    ...record.events.map(({ _hash }) => `event    ${_hash}`),
    `cassette ${replay.cassette_digest}`,
  ]);
  assert.equal(record.events.at(-1)._hash, content_digest);
});

it('the code does what its comments say', () => {
  const code = block('js')
    .replace(/^import (\{.*?\}) from 'tapeproof\/verify';$/m, 'const $1 = api;')
    .replace(/^(\S.*); \/\/ ('[^']*').*$/gm, 'assert.equal($1, $2);');
  assert.equal(code.match(/assert/g).length, 2);
  new Function('api', 'assert', code)(api, assert);
});
