// `tapeproof verify` of folders that hold more than records: nothing that was not looked at passes for valid.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { generateKeyPair, seal } from 'tapeproof/verify';
import { bench } from '../cli/tapeproof.mjs';

const { folder, file } = bench();
const { privateKey, publicKey } = generateKeyPair();
const record = JSON.stringify(seal([{ type: 'env', seq: 0 }], { run: {}, privateKey }));
const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
file('key.pub', publicKey);

/** Who root becomes, to whom nothing is forbidden. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const canBecome = isRoot && spawnSync(process.execPath, ['-e', ''], { uid: NOBODY, gid: NOBODY }).status === 0;
const cannotBeForbidden =
  (process.platform === 'win32' && 'modes are of POSIX') || (isRoot && !canBecome && 'to root nothing is forbidden');

function verify(path) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'verify', '--pubkey', 'key.pub', path], {
    cwd: folder,
    encoding: 'utf8',
    ...(canBecome && { uid: NOBODY, gid: NOBODY }),
  });
  return { status, stdout, stderr };
}

const said = (...lines) => lines.map(line => `tapeproof verify: ${line}\n`).join('');

describe('what must not be read', { skip: cannotBeForbidden }, () => {
  const forbid = (path, mode) => chmodSync(join(folder, path), mode);
  chmodSync(folder, 0o755);

  it('a folder', () => {
    file('locked/a.json', record);
    forbid('locked', 0);
    assert.deepEqual(verify('locked'), { status: 1, stdout: '', stderr: said('locked: cannot be read [EACCES]') });
    forbid('locked', 0o755);
    assert.deepEqual([verify('locked').status, verify('locked').stderr], [0, '']);
  });

  it('a folder whose files have names, and nothing else', () => {
    file('listed/a.json', record);
    file('listed/link/b.json', record);
    symlinkSync('link', join(folder, 'listed', 'there'));
    forbid('listed', 0o444);
    const { status, stderr } = verify('listed');
    assert.equal(status, 1);
    const unread = ['a.json', 'link', 'there'].map(name => `listed/${name}: cannot be read [EACCES]`);
    assert.equal(stderr, said(...unread));
    forbid('listed', 0o755);
  });

  it('a folder among others, a file, and a link to what is in such a folder', () => {
    file('among/a.json', record);
    file('among/b/b.json', record);
    file('among/c.json', record);
    file('elsewhere/records/d.json', record);
    symlinkSync('../elsewhere/records', join(folder, 'among', 'd'));
    file('among/e.json', record);
    for (const path of ['among/b', 'among/c.json', 'elsewhere']) forbid(path, 0);
    const { status, stdout, stderr } = verify('among');
    assert.equal(status, 1);
    assert.match(stdout, /\n5 records: 2 valid, 3 not read\n$/);
    assert.equal(stderr, said(...['b', 'c.json', 'd'].map(name => `among/${name}: cannot be read [EACCES]`)));
    for (const path of ['among/b', 'among/c.json', 'elsewhere']) forbid(path, 0o755);
  });

  it('a key', () => {
    file('record.json', record);
    file('secret.pub', publicKey);
    forbid('secret.pub', 0);
    const args = [main, 'verify', '--pubkey', 'secret.pub', 'record.json'];
    const options = { cwd: folder, encoding: 'utf8', ...(canBecome && { uid: NOBODY, gid: NOBODY }) };
    const { status, stderr } = spawnSync(process.execPath, args, options);
    assert.deepEqual([status, stderr], [1, said('secret.pub: cannot be read [EACCES]')]);
  });
});

describe('what cannot be found', { skip: process.platform === 'win32' && 'names are of POSIX' }, () => {
  it('a link to nothing, which may have been a folder', () => {
    file('dangling/a.json', record);
    symlinkSync('/nonexistent/records', join(folder, 'dangling', 'b'));
    const { status, stdout, stderr } = verify('dangling');
    assert.equal(status, 1);
    assert.match(stdout, /\n2 records: 1 valid, 1 not read\n$/);
    assert.equal(stderr, said('dangling/b: a link to nothing'));
  });

  it('names that are not UTF-8', { skip: process.platform !== 'linux' && 'all names are UTF-8' }, () => {
    file('bytes/target/a.json', record);
    const name = text => Buffer.concat([Buffer.from(join(folder, 'bytes/')), Buffer.from(text, 'latin1')]);
    writeFileSync(name('1\xff.json'), record);
    mkdirSync(name('2\xff'));
    symlinkSync('target', name('3\xff'));
    writeFileSync(name('4\xff.txt'), 'no record');
    const { status, stdout, stderr } = verify('bytes');
    assert.equal(status, 1);
    assert.match(stdout, /\n4 records: 1 valid, 3 not read\n$/);
    assert.equal(stderr, said(...['1�.json', '2�', '3�'].map(path => `bytes/${path}: its name is not UTF-8`)));
  });

  it('pipes and devices are no records', () => {
    mkdirSync(join(folder, 'devices'));
    execFileSync('mkfifo', [join(folder, 'devices', 'a.json')]);
    symlinkSync('/dev/zero', join(folder, 'devices', 'b.json'));
    symlinkSync('/dev/zero', join(folder, 'devices', 'c'));
    const { status, stderr } = verify('devices');
    assert.deepEqual([status, stderr], [1, said('devices/a.json: not a file', 'devices/b.json: not a file')]);
  });
});
