// Two runs side by side.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compareRuns, sealRun } from 'tapeproof/evidence';
import { readTrace } from 'tapeproof/store';
import { align } from '../dist/evidence/align.js';
import { edit, editLines, model, recordRun, tool } from './evidence/runs.mjs';
import { Random, runSeed } from './random/prng.mjs';
import { temporaryFolder } from './recorder/folder.mjs';

/** Two runs, each as it was recorded and as a record. */
function both(a, b, [moreA, moreB] = []) {
  const dir = temporaryFolder();
  recordRun(dir, 'a', a, moreA);
  recordRun(dir, 'b', b, moreB);
  return { dir, a: { dir, runId: 'a' }, b: { dir, runId: 'b' } };
}

/** What came out, one word a call: `same 0 0`. */
const words = ({ steps }) =>
  steps.map(({ result, a, b, pointers = [], only_redacted }) =>
    [result, a ?? '-', b ?? '-', ...pointers, ...(only_redacted ? ['redacted'] : [])].join(' '),
  );

const [A, B, C, D] = ['a', 'b', 'c', 'd'].map(q => tool({ q }, q));
const named = (tool_name, args, response) => ({ request: { kind: 'tool', tool_name, args }, response });
const error = { name: 'Error', message: 'no' };

const ROWS = [
  ['nothing and nothing', [], [], []],
  ['the same', [A, B], [A, B], ['same 0 0', 'same 1 1']],
  ['one side empty', [], [A, B], ['extra - 0', 'extra - 1']],
  ['the other side empty', [A, B], [], ['missing 0 -', 'missing 1 -']],
  ['a call more', [A, C], [A, B, C], ['same 0 0', 'extra - 1', 'same 1 2']],
  ['a call less', [A, B, C], [A, C], ['same 0 0', 'missing 1 -', 'same 2 1']],
  ['a changed call', [A, B, C], [A, D, C], ['same 0 0', 'changed 1 1 /args/q', 'same 2 2']],
  ['another tool in its place', [A, B], [A, named('mail', {}, 1)], ['same 0 0', 'missing 1 -', 'extra - 1']],
  [
    'a changed call beside another tool',
    [A, B],
    [A, named('mail', {}, 1), C],
    ['same 0 0', 'extra - 1', 'changed 1 2 /args/q'],
  ],
  ['calls that changed places', [A, B], [B, A], ['missing 0 -', 'same 1 0', 'extra - 1']],
  ['another answer', [A], [{ ...A, response: 'z' }], ['answer 0 0 /response']],
  [
    'an answer that differs within',
    [tool({}, { list: [1, { x: 1 }] })],
    [tool({}, { list: [1, { x: 2 }], y: 1 })],
    ['answer 0 0 /response/list/1/x /response/y'],
  ],
  ['an error for an answer', [A], [{ ...A, response: null, error }], ['answer 0 0 /error /response']],
  [
    'another error',
    [tool({}, null, { error })],
    [tool({}, null, { error: { name: 'Error', message: 'never' } })],
    ['answer 0 0 /error/message'],
  ],
  ['the same error', [tool({}, null, { error }), A], [tool({}, null, { error }), A], ['same 0 0', 'same 1 1']],
  [
    'one call with several answers',
    [tool({}, 1), tool({}, 2), tool({}, null, { error })],
    [tool({}, 1), tool({}, 3), tool({}, null, { error })],
    ['same 0 0', 'answer 1 1 /response', 'same 2 2'],
  ],
  ['a message', [model('hi', 'x')], [model('ho', 'x')], ['changed 0 0 /messages/0/content']],
  [
    'ids, times and white space',
    [model('hi', { id: 'x1', text: 'a  b' })],
    [model('hi', { id: 'x2', text: 'a b' })],
    ['same 0 0'],
  ],
  ['nothing in common', [A], [model('hi', 'x')], ['missing 0 -', 'extra - 0']],
];

describe('recorded runs', () => {
  for (const [name, a, b, expected] of ROWS) {
    it(name, () => {
      const runs = both(a, b);
      const comparison = compareRuns(runs.a, runs.b);
      assert.deepEqual(words(comparison), expected);
      assert.equal(
        comparison.same,
        expected.every(word => word.startsWith('same')),
      );
      for (const [result, count] of Object.entries(comparison.counts)) {
        assert.equal(count, expected.filter(word => word.startsWith(result)).length, result);
      }
    });
  }

  it('differ only in redacted values', () => {
    const mail = to => named('mail', { to }, 'sent');
    const runs = both(
      [mail('a@example.org'), mail('b@example.org')],
      [mail('c@example.org'), A, mail('a@example.org')],
    );
    assert.deepEqual(words(compareRuns(runs.a, runs.b)), ['extra - 0', 'extra - 1', 'same 0 2', 'missing 1 -']);
    const other = both([mail('a@example.org'), A], [B, mail('c@example.org'), A]);
    assert.deepEqual(words(compareRuns(other.a, other.b)), ['extra - 0', 'changed 0 1 redacted', 'same 1 2']);
  });

  it('that ended otherwise', () => {
    const runs = both([A], [A], [{ outcome: { final_state_hash: 'x' } }, { outcome: { final_state_hash: 'y' } }]);
    const { same, counts, ending } = compareRuns(runs.a, runs.b);
    assert.deepEqual([same, counts.same, ending], [false, 1, { same: false, pointers: ['/output/final_state_hash'] }]);
  });

  it('of which one is partial', () => {
    const runs = both([A, B], [A, B]);
    editLines(runs.dir, 'b', ([one, two]) => [one, two.slice(0, -5)]);
    const comparison = compareRuns(runs.a, runs.b);
    assert.deepEqual(words(comparison), ['same 0 0', 'missing 1 -']);
    assert.deepEqual(comparison.ending.pointers, ['/error', '/status']);
  });

  it('of another recorder, which says nothing of responses', () => {
    const runs = both([A, B], [A, { ...B, response: 'z' }]);
    for (const id of ['a', 'b']) {
      editLines(runs.dir, id, lines =>
        lines.map(line => JSON.stringify({ ...JSON.parse(line), response_hash: undefined })),
      );
    }
    assert.deepEqual(words(compareRuns(runs.a, runs.b)), ['same 0 0', 'answer 1 1 /response']);
  });
});

describe('records', () => {
  const later = words => words.map(word => word.replace(/\d+/g, number => Number(number) + 1));
  const steps = comparison => words(comparison).map(word => word.split(' ').slice(0, 3).join(' '));

  for (const [name, a, b, expected] of ROWS) {
    it(name, () => {
      const runs = both(a, b);
      const [recordA, recordB] = ['a', 'b'].map(id => sealRun(runs.dir, id));
      const wanted = expected.map(word => word.split(' ').slice(0, 3).join(' '));
      assert.deepEqual(steps(compareRuns(recordA, recordB)), later(wanted));
      assert.equal(compareRuns(runs.a, recordA).same, true);
      assert.equal(compareRuns(recordB, runs.b).same, true);
      const [mixed, recorded] = [compareRuns(runs.a, recordB), compareRuns(runs.a, runs.b)];
      assert.deepEqual(
        mixed.steps.map(({ b, ...step }) => ({ ...step, b: b === null ? null : b - 1 })),
        recorded.steps.map(({ b, ...step }) => ({ ...step, b })),
      );
    });
  }

  it('whose redacted values differ are the same, as far as anyone can tell', () => {
    const mail = to => named('mail', { to }, 'sent');
    const runs = both([mail('a@example.org'), A], [mail('b@example.org'), A]);
    const [a, b] = ['a', 'b'].map(id => sealRun(runs.dir, id));
    for (const pair of [
      [a, b],
      [runs.a, b],
      [a, runs.b],
    ]) {
      assert.equal(compareRuns(...pair).same, true);
    }
    const shown = ['a', 'b'].map(id => sealRun(runs.dir, id, { withReqHash: true }));
    assert.deepEqual(words(compareRuns(...shown)), ['changed 1 1 redacted', 'same 2 2']);
  });

  it('whose hash of a response was changed: the response counts', () => {
    const runs = both([A], [A]);
    const record = sealRun(runs.dir, 'a');
    record.events[1].output = 'z';
    assert.deepEqual(words(compareRuns(record, runs.b)), ['answer 1 0 /response']);
  });

  it('of another origin', () => {
    const llm = {
      type: 'llm',
      model: { model_id: 'm' },
      request: { messages: ['hi'], tools: [] },
      response: { text: 'x' },
    };
    const env = { type: 'env', kind: 'now', key: 'k', output: 5 };
    const events = [{ type: 'reasoning', text: 'hm' }, llm, env, { type: 'other' }];
    assert.deepEqual(words(compareRuns({ events }, { events })), ['same 0 0', 'same 0 0']);
    const changed = [
      { ...llm, request: { messages: ['ho'], tools: [] } },
      { ...env, output: 6 },
    ];
    assert.deepEqual(words(compareRuns({ events }, { events: changed })), [
      'changed 0 0 /messages/0',
      'answer 0 0 /response',
    ]);
  });
});

describe('what cannot be compared', () => {
  const runs = both([A], [B]);
  const at = change => {
    const other = both([A], [B]);
    change(other.dir);
    return other;
  };
  for (const [name, a, b, expected] of [
    ['a run that is not there', runs.a, { dir: runs.dir, runId: 'c' }, { code: 'ERR_TAPEPROOF_RUN' }],
    [
      'a run of another hash version',
      ...Object.values(at(dir => edit(dir, 'runs/a/run.json', run => ({ ...run, hash_version: 2 })))).slice(1),
      { code: 'ERR_TAPEPROOF_HASH_VERSION', pointer: '/hash_version' },
    ],
    [
      'a record of another hash version',
      runs.a,
      { events: [{ type: 'run', metadata: { hash_version: 2 } }] },
      { code: 'ERR_TAPEPROOF_HASH_VERSION', pointer: '/events/0/metadata/hash_version' },
    ],
    [
      'a changed call without its cassette',
      ...Object.values(
        at(dir => rmSync(join(dir, 'cassettes', `${readTrace(dir, 'a').steps[0].cassette_ref}.json`))),
      ).slice(1),
      { code: 'ERR_TAPEPROOF_CASSETTE', pointer: '/steps/0/cassette_ref' },
    ],
    ['no record', runs.a, { events: undefined }, { name: 'TypeError', code: 'ERR_TAPEPROOF_RECORD' }],
    [
      'no event',
      { events: [{}, null] },
      runs.b,
      { name: 'TypeError', code: 'ERR_TAPEPROOF_EVENT', pointer: '/events/1' },
    ],
  ]) {
    it(name, () => assert.throws(() => compareRuns(a, b), expected));
  }
});

const seed = runSeed();
describe(`alignment (seed ${seed})`, () => {
  /** The length of a longest common subsequence, as the textbook finds it. */
  function longest(a, b) {
    let row = new Array(b.length + 1).fill(0);
    for (const symbol of a) {
      const next = [0];
      for (let at = 0; at < b.length; at += 1) {
        next.push(symbol === b[at] ? row[at] + 1 : Math.max(row[at + 1], next[at]));
      }
      row = next;
    }
    return row[b.length];
  }

  for (const symbols of [1, 2, 5, 40, 200]) {
    it(`of up to ${symbols} different calls is as long as can be`, () => {
      for (let index = 0; index < 300; index += 1) {
        const random = new Random(seed, symbols * 1000 + index);
        const list = () => Uint32Array.from({ length: random.below(140) }, () => random.below(symbols));
        const [a, b] = [list(), list()];
        const pairs = [...align(a, b).entries()].filter(([, partner]) => partner >= 0);
        for (const [at, [place, partner]] of pairs.entries()) {
          assert.equal(a[place], b[partner]);
          assert.ok(at === 0 || partner > pairs[at - 1][1]);
        }
        assert.equal(pairs.length, longest(a, b), `case ${index}`);
      }
    });
  }
});

describe('tapeproof compare', () => {
  const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
  const mail = to => named('mail', { to }, 'sent');
  const runs = both(
    [A, B, C, mail('a@example.org'), tool({}, 1)],
    [A, B, D, mail('b@example.org'), tool({}, 2), model('hi', 1)],
    [{}, { outcome: { final_state_hash: 'x' } }],
  );
  const compare = (...args) => {
    const env = { ...process.env, REWIND_DIR: runs.dir };
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'compare', ...args], {
      env,
      encoding: 'utf8',
    });
    return [status, stdout, stderr];
  };
  const record = join(runs.dir, 'a.json');
  writeFileSync(record, JSON.stringify(sealRun(runs.dir, 'a')));

  it('shows what differs', () => {
    assert.deepEqual(compare('a', 'b'), [
      1,
      [
        '     A       B',
        '   0–1     0–1  the same',
        '     2       2  changed         /args/q',
        '     3       3  changed         only in redacted values',
        '     4       4  another answer  /response',
        '             5  only in B',
        '   end     end  differs         /output',
        '',
        'different: 2 the same, 1 another answer, 2 changed, 1 only in B',
        '',
      ].join('\n'),
      '',
    ]);
  });

  it('a run and its record', () => {
    assert.deepEqual(compare('a', record), [
      0,
      '     A       B\n   0–4     1–5  the same\n\nthe same: 5 the same\n',
      '',
    ]);
  });

  it('as JSON', () => {
    const [status, text] = compare('a', 'b', '--json');
    assert.equal(status, 1);
    assert.deepEqual(JSON.parse(text), compareRuns(runs.a, runs.b));
  });

  it('pointers cannot command the terminal, and long lists end', () => {
    const keys = Object.fromEntries(['\u001b[2J', 'b', 'c', 'd', 'e', 'f'].map(key => [key, 1]));
    recordRun(runs.dir, 'c', [tool({}, {})]);
    recordRun(runs.dir, 'd', [tool({}, keys)]);
    assert.match(compare('c', 'd')[1], /\/response\/\\u001b\[2J {2}\/response\/b .* and 2 more$/m);
  });

  for (const [name, args, message] of [
    ['one run', ['a'], /expected RUN_A and RUN_B/],
    ['a run that is not there', ['a', 'x'], /no run of this id/],
    ['a file that is no record', ['a', join(runs.dir, 'runs/a/run.json')], /ERR_TAPEPROOF_RECORD/],
    ['a file that is not JSON', ['a', main], /ERR_TAPEPROOF_SYNTAX/],
    ['a folder', ['a', runs.dir], /no run of this id/],
  ]) {
    it(name, () => {
      const [status, stdout, stderr] = compare(...args);
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(stderr, message);
    });
  }
});
