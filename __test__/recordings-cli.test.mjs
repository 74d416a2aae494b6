// tapeproof runs, show, find and prune.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { reqHash } from 'tapeproof/hash';
import { Recorder } from 'tapeproof/recorder';
import { fileStore, listRuns, readCassette, readTrace } from 'tapeproof/store';
import { call } from './recorder/calls.mjs';
import { filesIn, temporaryFolder } from './recorder/folder.mjs';
import { showLarge } from './recorder/large.mjs';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

function tapeproof(root, ...args) {
  const env = { ...process.env, REWIND_DIR: root };
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** Records a run of the calls that `[q, response, more]` name. */
function record(root, run_id, calls, started_at) {
  const run = { run_id, ...(started_at && { started_at }) };
  const recorder = new Recorder({ store: fileStore(root), run, log: () => {} });
  for (const [q, response, more] of calls) recorder.record(call({ q }, response, more));
  recorder.finish(null);
}

function recorded() {
  const root = temporaryFolder();
  const failure = { error: { name: 'TypeError', message: 'no' }, latency_ms: 250 };
  record(
    root,
    '01A',
    [
      ['a', 'one', { tokens: 5, cost_usd: 0.01, latency_ms: 1000 }],
      ['b', null, failure],
    ],
    '2026-01-01T00:00:00.000Z',
  );
  record(
    root,
    '01B',
    [
      ['a', 'one'],
      ['a', 'two'],
      ['c', 1n],
    ],
    '2026-02-01T00:00:00.000Z',
  );
  return root;
}

const request = q => call({ q }).request;

describe('tapeproof runs', () => {
  it('a table', () => {
    const { status, stdout, stderr } = tapeproof(recorded(), 'runs');
    assert.deepEqual([status, stderr], [0, '']);
    assert.equal(
      stdout,
      [
        'run  started               status            steps  tokens     cost  latency',
        `01A  2026-01-01T00:00:00Z  complete              2       5  $0.0100    1.3 s  ${'█'.repeat(24)}`,
        '01B  2026-02-01T00:00:00Z  partial (1 lost)      2       0        –    10 ms  ▎',
        '',
      ].join('\n'),
    );
  });

  it('JSON Lines', () => {
    const root = recorded();
    const runs = tapeproof(root, 'runs', '--json')
      .stdout.trim()
      .split('\n')
      .map(line => JSON.parse(line));
    assert.deepEqual(
      runs,
      listRuns(root).map(id => readTrace(root, id).run),
    );
  });

  it('no runs, and another folder', () => {
    assert.equal(tapeproof('/nonexistent', 'runs', '--dir', 'there').stdout, 'no runs in there\n');
    assert.match(tapeproof('/nonexistent', 'runs', '--dir', recorded()).stdout, /01A/);
  });

  it('one that is damaged does not hide the others', () => {
    const root = recorded();
    writeFileSync(join(root, 'runs', '01A', 'run.json'), '{"SECRET');
    const { status, stdout } = tapeproof(root, 'runs');
    assert.equal(status, 0);
    assert.match(stdout, /^01A +not what the recorder writes of one run \[ERR_TAPEPROOF_RECORDING\]$/m);
    assert.match(stdout, /^01B /m);
    const json = tapeproof(root, 'runs', '--json');
    assert.deepEqual([json.status, JSON.parse(json.stdout).run_id], [2, '01B']);
    assert.match(json.stderr, /01A: not what the recorder writes/);
  });

  it('nor does one with members of other types', () => {
    const root = recorded();
    const odd = { toString: 1, valueOf: 1, toLocaleString: 1, toJSON: 1 };
    for (const member of ['run_id', 'started_at', 'status', 'tokens', 'cost_usd', 'latency_ms', 'dropped']) {
      const run = { ...readTrace(root, '01A').run, [member]: odd };
      record(root, member, [['a', 'one']]);
      writeFileSync(join(root, 'runs', member, 'run.json'), JSON.stringify(run));
    }
    for (const member of ['run_id', 'node', 'kind', 'req_hash', 'tokens', 'cost_usd', 'latency_ms', 'error']) {
      record(root, `step-${member}`, [['a', 'one']]);
      const [step] = readTrace(root, `step-${member}`).steps;
      writeFileSync(
        join(root, 'runs', `step-${member}`, 'steps.jsonl'),
        `${JSON.stringify({ ...step, [member]: odd })}\n`,
      );
    }
    const { status, stdout, stderr } = tapeproof(root, 'runs');
    assert.deepEqual([status, stderr], [0, '']);
    assert.equal(stdout.trim().split('\n').length, 1 + 2 + 7 + 8);
    for (const id of listRuns(root)) {
      for (const args of [[id], [id, '--step', '0']]) {
        const shown = tapeproof(root, 'show', ...args);
        assert.deepEqual([shown.status, shown.stderr], [0, ''], args.join(' '));
      }
    }
  });

  for (const [name, costs, sum] of [
    ['no cost is known', [null, null], '–'],
    ['that of one call is not', [0.25, null], 'at least $0.2500'],
    ['all are', [0.25, 0.5], '$0.7500'],
    ['they are nothing', [0, 0], '$0.0000'],
  ]) {
    it(`the cost of a run of which ${name}`, () => {
      const root = temporaryFolder();
      const recorder = new Recorder({ store: fileStore(root), run: { run_id: '01A' } });
      recorder.record(call({ q: 'no model' }, 'costs nothing'));
      for (const [at, cost_usd] of costs.entries()) {
        const asked = { kind: 'model', provider: 'p', model_id: 'm', messages: [{ role: 'user', content: `${at}` }] };
        recorder.record({ node: 'agent', kind: 'model', request: asked, response: 'a', latency_ms: 1, cost_usd });
      }
      recorder.finish(null);
      assert.ok(tapeproof(root, 'runs').stdout.includes(`  ${sum}  `));
      const { stdout } = tapeproof(root, 'show', '01A');
      assert.ok(stdout.includes(`, cost ${sum}, `), stdout);
    });
  }
});

describe('tapeproof show', () => {
  it('the steps of a run, named by its beginning', () => {
    const { status, stdout, stderr } = tapeproof(recorded(), 'show', '01A');
    assert.deepEqual([status, stderr], [0, '']);
    const [a, b] = ['a', 'b'].map(q => reqHash(request(q)).slice(0, 12));
    assert.equal(
      stdout,
      [
        '01A  2026-01-01T00:00:00.000Z  complete',
        '',
        'step  node   kind  request       tokens     cost  latency',
        `   0  tools  tool  ${a}       5  $0.0100    1.0 s  ${'█'.repeat(24)}`,
        `   1  tools  tool  ${b}                –   250 ms  ██████ ✗ TypeError`,
        '',
        '5 tokens, cost $0.0100, 1.3 s',
        '',
      ].join('\n'),
    );
  });

  it('a run id that was used twice', () => {
    const root = temporaryFolder();
    for (const q of ['a', 'b'])
      record(root, '01A', [
        [q, 'one'],
        [q, 'two'],
      ]);
    assert.match(tapeproof(root, 'show', '01A').stdout, /^! 2 steps more than their numbers: some are there twice$/m);
  });

  it('what is missing', () => {
    const root = recorded();
    appendFileSync(join(root, 'runs', '01B', 'steps.jsonl'), '{"seq":9}\n{"seq":1');
    const { stdout } = tapeproof(root, 'show', '01B');
    assert.match(stdout, /^01B {2}.* {2}partial, 1 writes lost$/m);
    assert.match(stdout, /^! steps\.jsonl line 4: torn.*\n! 7 steps are missing$/m);
  });

  it('a step: its request beside its response', () => {
    const { stdout } = tapeproof(recorded(), 'show', '01A', '--step', '0');
    assert.match(stdout, /^step 0 {2}tools {2}tool {2}1\.0 s, 5 tokens, cost \$0\.0100$/m);
    assert.match(stdout, /^\{ +│ "one"$/m);
    assert.match(stdout, /^ {4}"q": "a" +│$/m);
    assert.match(tapeproof(recorded(), 'show', '01A', '--step', '1').stdout, /^✗ TypeError: no$/m);
  });

  it('JSON', () => {
    const root = recorded();
    const { run, steps } = readTrace(root, '01A');
    const lines = tapeproof(root, 'show', '01A', '--json')
      .stdout.trim()
      .split('\n')
      .map(line => JSON.parse(line));
    assert.deepEqual(lines, [run, ...steps]);
    const step = JSON.parse(tapeproof(root, 'show', '01A', '--step', '1', '--json').stdout);
    assert.deepEqual(step, { step: steps[1], cassette: readCassette(root, steps[1].cassette_ref) });
  });

  it('hostile text is not obeyed', () => {
    const root = temporaryFolder();
    const hostile = '\u001b[2J\r\u202e│';
    record(root, 'h', [[hostile, hostile, { node: hostile, error: { name: hostile, message: hostile } }]]);
    for (const args of [['runs'], ['show', 'h'], ['show', 'h', '--step', '0']]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
      assert.doesNotMatch(tapeproof(root, ...args).stdout, /[\u001b\r\u202e]/);
    }
  });

  it('values that no recorder writes', () => {
    const root = recorded();
    const odd = {
      seq: 5,
      node: null,
      kind: {},
      req_hash: 7,
      tokens: 'x',
      cost_usd: [],
      latency_ms: 'long',
      error: { name: 7 },
    };
    appendFileSync(join(root, 'runs', '01A', 'steps.jsonl'), `${JSON.stringify(odd)}\n{"seq":6}\n`);
    assert.deepEqual(
      [tapeproof(root, 'show', '01A').status, tapeproof(root, 'show', '01A', '--step', '5').status],
      [0, 0],
    );
    assert.match(tapeproof(root, 'show', '01A', '--step', '6').stdout, /its cassette is missing/);
  });

  const REFUSED = [
    ['no run', [], /expected one RUN/],
    ['a run that is not there', ['02'], /no run of this id/],
    ['a beginning that two runs have', ['01'], /2 runs begin like this/],
    ['a path', ['../../etc'], /no run of this id/],
    ['a step that is not there', ['01A', '--step', '7'], /no step of this number/],
    ['a step of no number', ['01A', '--step', ''], /no step of this number/],
    ['a folder of no name', ['01A', '--dir', ''], /^tapeproof show: expected --dir as a folder\n$/],
  ];
  for (const [name, args, message] of REFUSED) {
    it(name, () => {
      const { status, stdout, stderr } = tapeproof(recorded(), 'show', ...args);
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(stderr, message);
    });
  }

  it('a run of another hash version', () => {
    const root = recorded();
    const path = join(root, 'runs', '01A', 'run.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"hash_version": 3', '"hash_version": 2'));
    const { status, stderr } = tapeproof(root, 'show', '01A');
    assert.equal(status, 2);
    assert.equal(
      stderr,
      'tapeproof show: 01A: recorded under another hash version (at /hash_version) [ERR_TAPEPROOF_HASH_VERSION]\n',
    );
  });
});

it('a run larger than the heap', { timeout: 300_000 }, () => showLarge(64e6));

describe('a folder that is a file, or damaged', () => {
  for (const [command, ...args] of [
    ['runs'],
    ['show', '01A'],
    ['find', '-'],
    ['prune', '--run', '01A'],
    ['compare', '01A', '01B'],
  ]) {
    it(`${command} says it of the folder`, () => {
      const root = join(temporaryFolder(), 'root');
      writeFileSync(root, '');
      const env = { ...process.env, REWIND_DIR: root };
      const options = { env, encoding: 'utf8', input: JSON.stringify(request('a')) };
      const { status, stdout, stderr } = spawnSync(process.execPath, [main, command, ...args], options);
      assert.deepEqual([status, stdout], [2, '']);
      assert.equal(stderr, `tapeproof ${command}: ${root}: cannot be read [ENOTDIR]\n`);
    });
  }
});

describe('tapeproof find', () => {
  const find = (root, value, ...args) => {
    const file = join(temporaryFolder(), 'request.json');
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
    return tapeproof(root, 'find', file, ...args);
  };

  it('exact', () => {
    const { status, stdout } = find(recorded(), { ...request('a'), ignored: 1 });
    assert.equal(status, 0);
    assert.equal(
      stdout,
      `exact ${reqHash(request('a'))}\n\n"one"\n\n"two"\n\n01A  step 0  1.0 s\n01B  step 0   5 ms\n01B  step 1   5 ms\n`,
    );
  });

  it('a miss', () => {
    const { status, stdout } = find(recorded(), request('z'));
    assert.deepEqual([status, stdout], [1, `miss  ${reqHash(request('z'))}\n`]);
  });

  it('JSON', () => {
    const { hash, cassettes, steps } = JSON.parse(find(recorded(), request('a'), '--json').stdout);
    assert.deepEqual([hash, cassettes.length, steps.length], [reqHash(request('a')), 2, 3]);
  });

  it('what is no request', () => {
    assert.match(find(recorded(), '{"SECRET').stderr, /not JSON \[ERR_TAPEPROOF_SYNTAX\]$/m);
    assert.match(find(recorded(), 'null').stderr, /ERR_TAPEPROOF_REQUEST/);
  });
});

describe('tapeproof prune', () => {
  it('tells before it does, and leaves what other runs use', () => {
    const root = recorded();
    const before = filesIn(root);
    const dry = tapeproof(root, 'prune', '--run', '01A', '--dry-run');
    assert.deepEqual([dry.status, dry.stdout], [0, '01A\nwould remove 1 run and 1 cassette, 0.0 MB\n']);
    assert.deepEqual(filesIn(root), before);
    assert.equal(tapeproof(root, 'prune', '--run', '01A').stdout, '01A\nremoved 1 run and 1 cassette, 0.0 MB\n');
    assert.deepEqual(listRuns(root), ['01B']);
    assert.ok(!existsSync(join(root, 'runs', '01A')));
    for (const { cassette_ref } of readTrace(root, '01B').steps) assert.ok(readCassette(root, cassette_ref));
    assert.equal(readCassette(root, reqHash(request('b'))), null);
  });

  it('by date', () => {
    const root = recorded();
    assert.match(tapeproof(root, 'prune', '--before', '2026-01-01').stdout, /^removed 0 runs and 0 cassettes/);
    assert.match(
      tapeproof(root, 'prune', '--before', '2026-01-15T12:00:00Z').stdout,
      /^01A\nremoved 1 run and 1 cassette/,
    );
    assert.match(tapeproof(root, 'prune', '--before', '2027-01-01').stdout, /^01B\nremoved 1 run and 2 cassettes/);
    assert.deepEqual(filesIn(root), []);
  });

  it('what a run of another version, or without a run.json, uses stays', () => {
    const root = recorded();
    writeFileSync(join(root, 'runs', '01B', 'run.json'), '{}');
    tapeproof(root, 'prune', '--run', '01A');
    assert.equal(filesIn(join(root, 'cassettes')).length, 2);
  });

  it('what killed processes have left', () => {
    const root = recorded();
    for (const [name, days] of [
      ['.old-1.tmp', 2],
      ['.new-1.tmp', 0],
    ]) {
      const path = join(root, 'cassettes', name);
      writeFileSync(path, 'x');
      const time = new Date(Date.now() - days * 86_400_000);
      utimesSync(path, time, time);
    }
    tapeproof(root, 'prune', '--run', '01A');
    assert.deepEqual(
      filesIn(join(root, 'cassettes')).filter(name => name.startsWith('.')),
      ['.new-1.tmp'],
    );
  });

  it('a ref that would lead out of the folder', () => {
    const root = join(temporaryFolder(), 'rewind');
    record(root, 'x', [['a', 1]]);
    mkdirSync(join(root, '..', 'kept'));
    writeFileSync(join(root, '..', 'kept', 'file.json'), 'x');
    appendFileSync(join(root, 'runs', 'x', 'steps.jsonl'), '{"seq":1,"cassette_ref":"../../kept/file"}\n');
    assert.equal(tapeproof(root, 'prune', '--run', 'x').status, 0);
    assert.ok(existsSync(join(root, '..', 'kept', 'file.json')));
  });

  for (const [name, args] of [
    ['neither', []],
    ['both', ['--run', '01A', '--before', '2026-01-01']],
    ['a date that is none', ['--before', 'yesterday']],
    ['a number for a date', ['--before', '1']],
    ['a date and more', ['--before', '2027-01-01 (or so)']],
    ['a folder of no name', ['--before', '2027-01-01', '--dir', '']],
    ['a run that is not there', ['--run', '02']],
  ]) {
    it(name, () => {
      const root = recorded();
      assert.equal(tapeproof(root, 'prune', ...args).status, 2);
      assert.equal(listRuns(root).length, 2);
    });
  }
});
