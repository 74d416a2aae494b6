// The directory store: its layout, whole files, and what a reader makes of files that are not whole.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs, {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { HASH_VERSION, reqHash, stateHash } from 'tapeproof/hash';
import { Recorder } from 'tapeproof/recorder';
import { fileStore, findRecording, listRuns, readCassette, readSteps, readTrace } from 'tapeproof/store';
import { call } from './recorder/calls.mjs';
import { filesIn, temporaryFolder } from './recorder/folder.mjs';

/** Runs `action` while hard links cannot be made. */
function withoutLinks(code, action) {
  const { linkSync } = fs;
  fs.linkSync = () => {
    throw Object.assign(new Error('no links'), { code });
  };
  syncBuiltinESMExports();
  try {
    action();
  } finally {
    fs.linkSync = linkSync;
    syncBuiltinESMExports();
  }
}

const failing = (name, code) => error => {
  assert.ok(error instanceof { Error, TypeError }[name]);
  assert.equal(error.code, `ERR_TAPEPROOF_${code}`);
  return true;
};

/** A folder with one finished run of three steps. */
function recorded() {
  const root = temporaryFolder();
  const recorder = new Recorder({ store: fileStore(root) });
  for (const q of [1, 2, 3]) recorder.record(call({ q }, `answer ${q}`));
  recorder.finish(null);
  const id = recorder.run.run_id;
  const folder = join(root, 'runs', id);
  return { root, id, run: join(folder, 'run.json'), steps: join(folder, 'steps.jsonl') };
}

const cassette = (hash, response) => ({
  ...{ hash, hash_version: HASH_VERSION, kind: 'tool', request: '{}', response, chunks: null, provider: null },
  ...{ model_version: null, redaction_map: {}, refcount: 1, recorded_at: '2026-01-01T00:00:00.000Z' },
});
const HASH = 'a'.repeat(64);

describe('store: layout', () => {
  it('files, their modes and their ends', { skip: process.platform === 'win32' && 'modes are of POSIX' }, () => {
    const root = join(temporaryFolder(), 'deep', '.rewind');
    const before = process.umask(0);
    const recorder = new Recorder({ store: fileStore(root) });
    recorder.record(call({ q: 1 }, 1));
    recorder.finish(null);
    process.umask(before);
    const { run_id } = recorder.run;
    const hash = reqHash(call({ q: 1 }).request);
    assert.deepEqual(filesIn(root), [
      `cassettes/${hash}.json`,
      `runs/${run_id}/run.json`,
      `runs/${run_id}/steps.jsonl`,
    ]);
    for (const file of filesIn(root)) {
      assert.equal(statSync(join(root, file)).mode & 0o777, 0o600, file);
      assert.equal(readFileSync(join(root, file), 'utf8').at(-1), '\n', file);
    }
    for (const folder of ['..', '.', 'runs', 'cassettes', `runs/${run_id}`]) {
      assert.equal(statSync(join(root, folder)).mode & 0o777, 0o700, folder);
    }
    const run = readFileSync(join(root, `runs/${run_id}/run.json`), 'utf8');
    assert.equal(run, `${JSON.stringify(JSON.parse(run), null, 2)}\n`);
    assert.equal(
      readFileSync(join(root, `cassettes/${hash}.json`), 'utf8').indexOf('\n'),
      statSync(join(root, `cassettes/${hash}.json`)).size - 1,
    );
  });

  it('nothing is made before the first write', () => {
    const root = join(temporaryFolder(), '.rewind');
    const store = fileStore(root);
    assert.ok(!existsSync(root));
    assert.deepEqual(listRuns(root), []);
    assert.equal(readTrace(root, 'x'), null);
    assert.equal(readCassette(root, HASH), null);
    assert.deepEqual(findRecording(root, { kind: 'clock', counter: 0 }).cassettes, []);
    store.putCassette(cassette(HASH, '1'));
    assert.ok(existsSync(root));
  });

  it('a relative folder is where it was when the store was made', () => {
    const root = temporaryFolder();
    const before = process.cwd();
    process.chdir(root);
    const store = fileStore('rewind');
    process.chdir(before);
    store.putCassette(cassette(HASH, '1'));
    assert.deepEqual(filesIn(root), [`rewind/cassettes/${HASH}.json`]);
  });

  it('runs are listed in order, and only runs', () => {
    const root = temporaryFolder();
    const store = fileStore(root);
    const { run } = new Recorder({ store, run: { run_id: 'b' } });
    store.putRun({ ...run, run_id: 'a' });
    mkdirSync(join(root, 'runs', 'without-a-run'));
    writeFileSync(join(root, 'runs', 'file'), '');
    mkdirSync(join(root, 'runs', '.hidden'));
    assert.deepEqual(listRuns(root), ['a', 'b']);
  });
});

describe('store: cassettes', () => {
  it('are written once', () => {
    const root = temporaryFolder();
    assert.equal(fileStore(root).putCassette(cassette(HASH, '1')), HASH);
    const path = join(root, 'cassettes', `${HASH}.json`);
    const { mtimeMs, ino } = statSync(path);
    for (const store of [fileStore(root), fileStore(root)]) {
      assert.equal(store.putCassette({ ...cassette(HASH, '1'), recorded_at: 'later' }), HASH);
      const other = `${HASH}.${stateHash(2).slice(7, 23)}`;
      assert.equal(store.putCassette(cassette(HASH, '2')), other);
      assert.equal(store.putCassette(cassette(HASH, '2')), other);
      assert.equal(store.putCassette(cassette(HASH, ' 1 ')), HASH);
      assert.equal(readCassette(root, other).response, '2');
    }
    assert.equal(readCassette(root, HASH).response, '1');
    assert.deepEqual([statSync(path).mtimeMs, statSync(path).ino], [mtimeMs, ino]);
    assert.equal(readdirSync(join(root, 'cassettes')).length, 2);
  });

  it('that others have damaged keep their place, and ours gets another', () => {
    for (const text of ['', '{"hash', '[]', '{}', JSON.stringify({ ...cassette(HASH, '1'), hash_version: 2 })]) {
      const root = temporaryFolder();
      mkdirSync(join(root, 'cassettes'));
      writeFileSync(join(root, 'cassettes', `${HASH}.json`), text);
      const ref = fileStore(root).putCassette(cassette(HASH, '1'));
      assert.equal(ref, `${HASH}.${stateHash(1).slice(7, 23)}`);
      assert.equal(readCassette(root, ref).response, '1');
      assert.equal(readFileSync(join(root, 'cassettes', `${HASH}.json`), 'utf8'), text);
    }
  });

  it('that are removed are written again', () => {
    const root = temporaryFolder();
    const store = fileStore(root);
    for (const response of ['1', '2']) store.putCassette(cassette(HASH, response));
    for (const name of readdirSync(join(root, 'cassettes'))) rmSync(join(root, 'cassettes', name));
    const refs = ['1', '2'].map(response => store.putCassette(cassette(HASH, response)));
    assert.deepEqual(
      refs.map(ref => readCassette(root, ref).response),
      ['1', '2'],
    );
  });

  it('appear whole where there are no hard links', () => {
    const root = temporaryFolder();
    withoutLinks('EPERM', () => {
      for (const response of ['1', '2', '1']) fileStore(root).putCassette(cassette(HASH, response));
    });
    assert.equal(readCassette(root, HASH).response, '1');
    assert.equal(readdirSync(join(root, 'cassettes')).length, 2);
  });

  it('leave nothing behind when they cannot be written', () => {
    const root = temporaryFolder();
    const store = fileStore(root);
    store.putCassette(cassette(HASH, '1'));
    withoutLinks('EIO', () => {
      assert.throws(() => store.putCassette(cassette('b'.repeat(64), '1')), { code: 'EIO' });
    });
    assert.deepEqual(readdirSync(join(root, 'cassettes')), [`${HASH}.json`]);
  });
});

const BAD_NAMES = [
  '../x',
  '..',
  '.',
  '',
  '/etc/passwd',
  'a/b',
  'a\\b',
  'a\0',
  'C:a',
  '.hidden',
  'a.',
  7,
  null,
  undefined,
  ['..'],
];

describe('store: names never leave the folder', () => {
  for (const name of BAD_NAMES) {
    it(JSON.stringify(name) ?? 'undefined', () => {
      const root = temporaryFolder();
      const outside = join(root, 'outside');
      writeFileSync(`${outside}.json`, JSON.stringify(cassette(HASH, '1')));
      const inner = join(root, 'rewind');
      const store = fileStore(inner);
      const { run } = new Recorder({ store });
      assert.throws(() => store.putRun({ ...run, run_id: name }), failing('TypeError', 'NAME'));
      assert.throws(() => store.appendStep({ run_id: name, seq: 0 }), failing('TypeError', 'NAME'));
      assert.throws(() => store.putCassette(cassette(name, '1')), failing('TypeError', 'NAME'));
      assert.equal(readTrace(inner, name), null);
      assert.equal(readCassette(inner, name), null);
      assert.deepEqual([...readSteps(inner, name)], []);
      assert.deepEqual(readdirSync(root).sort(), ['outside.json', 'rewind']);
    });
  }

  it('a ref with a path in it', () => {
    const { root } = recorded();
    assert.equal(readCassette(join(root, 'runs'), '../cassettes/x'), null);
  });
});

describe('store: another hash version is refused', () => {
  for (const hash_version of [HASH_VERSION - 1, HASH_VERSION + 1, String(HASH_VERSION), null, undefined]) {
    it(String(JSON.stringify(hash_version)), () => {
      const { root, id, run } = recorded();
      const store = fileStore(root);
      const old = { ...JSON.parse(readFileSync(run, 'utf8')), hash_version };
      const refused = failing('Error', 'HASH_VERSION');
      assert.throws(() => store.putRun(old), refused);
      assert.throws(() => store.putCassette({ ...cassette(HASH, '1'), hash_version }), refused);
      writeFileSync(run, JSON.stringify(old));
      assert.throws(() => readTrace(root, id), refused);
      writeFileSync(join(root, 'cassettes', `${HASH}.json`), JSON.stringify({ ...cassette(HASH, '1'), hash_version }));
      assert.throws(() => readCassette(root, HASH), refused);
    });
  }
});

describe('store: what cannot be read', () => {
  for (const [name, text] of [
    ['an empty file', ''],
    ['half a file', '{"run_id": "S3CRET'],
    ['an array', '[]'],
    ['null', 'null'],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ]) {
    it(`run.json: ${name}`, () => {
      const { root, id, run } = recorded();
      writeFileSync(run, text);
      assert.throws(
        () => readTrace(root, id),
        error => failing('Error', 'RECORDING')(error) && assert.doesNotMatch(error.message, /S3CRET/) === undefined,
      );
      assert.deepEqual(listRuns(root), [id]);
    });
  }

  for (const [name, change, pointer] of [
    ['no request', { request: undefined }, '/request'],
    ['a response that is no text', { response: {} }, '/response'],
    ['another hash than its name', { hash: 'b'.repeat(64) }, '/hash'],
  ]) {
    it(`a cassette with ${name}`, () => {
      const root = temporaryFolder();
      mkdirSync(join(root, 'cassettes'));
      writeFileSync(join(root, 'cassettes', `${HASH}.json`), JSON.stringify({ ...cassette(HASH, '1'), ...change }));
      assert.throws(() => readCassette(root, HASH), { code: 'ERR_TAPEPROOF_RECORDING', pointer });
    });
  }

  it('a file that may not be read is no missing file', () => {
    const { root, id, run } = recorded();
    rmSync(run);
    mkdirSync(run);
    assert.throws(() => readTrace(root, id), { code: 'EISDIR' });
  });
  for (const [name, put] of [
    ['a pipe', path => execFileSync('mkfifo', [path])],
    ['a device', path => symlinkSync('/dev/zero', path)],
  ]) {
    it(`${name} is not read: it need not end`, { skip: process.platform === 'win32' && 'no such files' }, () => {
      for (const file of ['run', 'steps']) {
        const recording = recorded();
        rmSync(recording[file]);
        put(recording[file]);
        assert.throws(() => readTrace(recording.root, recording.id), { code: 'ERR_TAPEPROOF_RECORDING' });
      }
    });
  }
});

describe('store: steps', () => {
  const seqs = steps => steps.map(step => step.seq);

  const DAMAGES = [
    [
      'a last line that is torn',
      file => truncateSync(file, statSync(file).size - 20),
      [0, 1],
      /^steps\.jsonl line 3: torn/,
    ],
    ['a last line that lacks its end only', file => truncateSync(file, statSync(file).size - 1), [0, 1, 2]],
    ['a last line of zeros', file => appendFileSync(file, Buffer.alloc(100)), [0, 1, 2], /line 4: torn/],
    ['a line that is no JSON', file => appendFileSync(file, 'S3CRET\n{"seq":3}\n'), [0, 1, 2, 3], /line 4: not a step/],
    ['a line that is no step', file => appendFileSync(file, '{"seq":"3"}\n'), [0, 1, 2], /line 4: not a step/],
    [
      'a line that is no UTF-8',
      file => appendFileSync(file, Buffer.from('{"seq":3,"node":"\xff"}\n', 'latin1')),
      [0, 1, 2],
      /line 4/,
    ],
    ['lines that are empty', file => appendFileSync(file, '\n\n{"seq":3}\n'), [0, 1, 2, 3]],
    ['CRLF', file => appendFileSync(file, '{"seq":3}\r\n'), [0, 1, 2, 3]],
    ['a gap', file => appendFileSync(file, '{"seq":4}\n'), [0, 1, 2, 4], /^step 3 is missing$/],
    [
      'a wide gap',
      file => appendFileSync(file, `{"seq":${2 ** 40}}\n`),
      [0, 1, 2, 2 ** 40],
      /^steps 3 to 1099511627775 are missing$/,
    ],
    [
      'a step that is there twice',
      file => appendFileSync(file, '{"seq":1}\n'),
      [0, 1, 1, 2],
      /^step 1 is there more than once$/,
    ],
    ['another order', file => appendFileSync(file, '{"seq":4}\n{"seq":3}\n'), [0, 1, 2, 3, 4]],
    ['no file', file => rmSync(file), []],
    ['an empty file', file => truncateSync(file), []],
  ];
  for (const [name, damage, expected, problem] of DAMAGES) {
    it(name, () => {
      const { root, id, steps: file } = recorded();
      damage(file);
      const { steps, problems } = readTrace(root, id);
      assert.deepEqual(seqs(steps), expected);
      assert.equal(problems.length, problem ? 1 : 0, problems.join());
      if (problem) assert.match(problems[0], problem);
      assert.doesNotMatch(problems.join(), /S3CRET/);
    });
  }

  it('of every length, across the edges of what is read at once', () => {
    const { root, id, steps: file } = recorded();
    const lengths = [65_500, 65_535, 65_536, 65_537, 200_000, 1, 131_072];
    for (const [at, length] of lengths.entries())
      appendFileSync(file, `${JSON.stringify({ seq: at + 3, node: 'é'.repeat(length) })}\n`);
    const { steps, problems } = readTrace(root, id);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      steps.slice(3).map(step => step.node.length),
      lengths,
    );
  });

  it('can be read one at a time, and left', () => {
    const { root, id } = recorded();
    for (const { seq } of readSteps(root, id)) {
      assert.equal(seq, 0);
      break;
    }
  });

  it('of a file that was removed and is there again are not taken for all', () => {
    const root = temporaryFolder();
    const store = fileStore(root);
    const { run } = new Recorder({ store });
    const file = join(root, 'runs', run.run_id, 'steps.jsonl');
    store.appendStep({ run_id: run.run_id, seq: 0 });
    rmSync(file);
    assert.throws(() => store.appendStep({ run_id: run.run_id, seq: 1 }), { code: 'ENOENT' });
    store.appendStep({ run_id: run.run_id, seq: 2 });
    assert.equal(readFileSync(file, 'utf8'), `{"run_id":"${run.run_id}","seq":2}\n`);
  });

  it('a store goes on with the run of a process that was killed: its torn line takes no other with it', () => {
    const { root, id, steps } = recorded();
    appendFileSync(steps, '{"seq":3,"half":"');
    const store = fileStore(root);
    store.appendStep({ run_id: id, seq: 3 });
    store.appendStep({ run_id: id, seq: 4 });
    const trace = readTrace(root, id);
    assert.deepEqual(
      trace.steps.map(({ seq }) => seq),
      [0, 1, 2, 3, 4],
    );
    assert.deepEqual(trace.problems, ['steps.jsonl line 4: not a step']);
  });

  it('a store goes on with the run of another', () => {
    const { root, id } = recorded();
    fileStore(root).appendStep({ run_id: id, seq: 3 });
    assert.equal(readTrace(root, id).steps.length, 4);
  });
});

it('a recording can be copied', () => {
  const { root, id, run, steps } = recorded();
  const copy = temporaryFolder();
  mkdirSync(join(copy, 'runs', id), { recursive: true });
  copyFileSync(run, join(copy, 'runs', id, 'run.json'));
  copyFileSync(steps, join(copy, 'runs', id, 'steps.jsonl'));
  chmodSync(join(copy, 'runs', id, 'run.json'), 0o444);
  assert.deepEqual(readTrace(copy, id), readTrace(root, id));
});
