// What of a recording is not sealed, or only with a word about it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sealRun, sealRunToFile } from 'tapeproof/evidence';
import { readTrace } from 'tapeproof/store';
import { generateKeyPair, verify } from 'tapeproof/verify';
import { edit, editLines, recorded, sealed, tool } from './evidence/runs.mjs';
import { temporaryFolder } from './recorder/folder.mjs';

const { privateKey, publicKey } = generateKeyPair();
const pinned = { expectedPublicKey: publicKey };

describe('a partial run', () => {
  const partial = { name: 'PartialRecording', message: 'the recording is no complete account of the run' };
  const dropped = recorded([tool({ q: 0 }, 1), tool({ q: 1 }, 1n), tool({ q: 2 }, 1)]);
  const torn = recorded([tool({ q: 0 }, 1), tool({ q: 1 }, 1)]);
  editLines(torn, 'r', ([one, two]) => [one, two.slice(0, -9)]);
  const unfinished = recorded([tool({ q: 0 }, 1)]);
  edit(unfinished, 'runs/r/run.json', run => ({ ...run, status: 'partial', ended_at: null }));
  const gap = recorded([tool({ q: 0 }, 1), tool({ q: 1 }, 1), tool({ q: 2 }, 1)]);
  editLines(gap, 'r', ([one, , three]) => [one, three]);

  for (const [name, root, counts] of [
    ['a write was lost', dropped, { dropped: 1, missing: 1, unreadable: 0 }],
    ['a line was torn', torn, { dropped: 0, missing: 0, unreadable: 1 }],
    ['it never ended', unfinished, { dropped: 0, missing: 0, unreadable: 0 }],
    ['a step was taken away', gap, { dropped: 0, missing: 1, unreadable: 0 }],
  ]) {
    it(`is refused: ${name}`, () => {
      for (const seal of [sealRun, sealed]) {
        const of = seal === sealRun ? () => sealRun(root, 'r') : () => sealed(root);
        assert.throws(of, { name: 'Error', code: 'ERR_TAPEPROOF_PARTIAL' });
      }
    });

    it(`says so when it is sealed: ${name}`, () => {
      const record = sealRun(root, 'r', { privateKey, allowPartial: true });
      const error = { ...partial, ...counts };
      const end = record.events.at(-1);
      assert.deepEqual([end.status, end.error, end.dropped], ['error', error, counts.dropped]);
      assert.deepEqual([record.run.status, record.run.error], ['error', error]);
      assert.equal(verify(record, undefined, pinned).verdict, 'valid');
    });
  }

  for (const [name, strip] of [
    ['in the summary', ({ run }) => Object.assign(run, { status: 'success', error: null })],
    [
      'in the summary and the event',
      ({ run, events }) => {
        for (const place of [run, events.at(-1)]) Object.assign(place, { status: 'success', error: null });
      },
    ],
    ['with the event', ({ events }) => events.pop()],
    ['in the count alone', ({ events }) => delete events.at(-1).dropped],
  ]) {
    it(`cannot be made complete ${name}`, () => {
      const record = sealRun(dropped, 'r', { privateKey, allowPartial: true });
      strip(record);
      assert.equal(verify(record, undefined, pinned).verdict, 'invalid');
    });
  }
});

describe('what cannot be sealed', () => {
  const good = () => recorded([tool({ q: 0 }, 1), tool({ q: 1 }, 'two')]);
  const refOf = root => readTrace(root, 'r').steps[1].cassette_ref;
  const cassette = root => `cassettes/${refOf(root)}.json`;
  const inStep = (root, members) =>
    editLines(root, 'r', ([one, two]) => [one, JSON.stringify({ ...JSON.parse(two), ...members })]);

  for (const [name, damage, code, pointer] of [
    ['a missing cassette', root => rmSync(join(root, cassette(root))), 'CASSETTE', '/steps/1/cassette_ref'],
    [
      'a torn cassette',
      root => writeFileSync(join(root, cassette(root)), '{"hash":"'),
      'CASSETTE',
      '/steps/1/cassette_ref',
    ],
    [
      'a cassette with another response',
      root => edit(root, cassette(root), value => ({ ...value, response: '"three"' })),
      'CASSETTE',
      '/steps/1/response_hash',
    ],
    [
      'a cassette whose response is not JSON',
      root => edit(root, cassette(root), value => ({ ...value, response: 'two' })),
      'CASSETTE',
      '/steps/1/cassette_ref',
    ],
    [
      'a cassette whose request is not JSON',
      root => edit(root, cassette(root), value => ({ ...value, request: '{' })),
      'CASSETTE',
      '/steps/1/cassette_ref',
    ],
    [
      'the cassette of another step',
      root => inStep(root, { cassette_ref: readTrace(root, 'r').steps[0].cassette_ref }),
      'CASSETTE',
      '/steps/1/cassette_ref',
    ],
    [
      'a ref that leads elsewhere',
      root => inStep(root, { cassette_ref: '../run' }),
      'CASSETTE',
      '/steps/1/cassette_ref',
    ],
    ['no ref', root => inStep(root, { cassette_ref: null }), 'CASSETTE', '/steps/1/cassette_ref'],
    [
      'a cassette of another hash version',
      root => edit(root, cassette(root), value => ({ ...value, hash_version: 2 })),
      'HASH_VERSION',
      '/steps/1/cassette_ref',
    ],
    [
      'a run of another hash version',
      root => edit(root, 'runs/r/run.json', run => ({ ...run, hash_version: 2 })),
      'HASH_VERSION',
      '/hash_version',
    ],
    ['a run that is none', root => writeFileSync(join(root, 'runs/r/run.json'), '[]'), 'RECORDING', ''],
    [
      'the run of another folder',
      root => edit(root, 'runs/r/run.json', run => ({ ...run, run_id: 'q' })),
      'RECORDING',
      '/run_id',
    ],
    [
      'a status that is none',
      root => edit(root, 'runs/r/run.json', run => ({ ...run, status: 'fine' })),
      'RECORDING',
      '/status',
    ],
    ['a step of another run', root => inStep(root, { run_id: 'q' }), 'RECORDING', '/steps/1/run_id'],
    ['a step of no known kind', root => inStep(root, { kind: 'dream' }), 'RECORDING', '/steps/1/kind'],
    [
      'a step that is there twice',
      root => editLines(root, 'r', lines => [...lines, lines[1]]),
      'RECORDING',
      '/steps/1',
    ],
  ]) {
    it(name, () => {
      const root = good();
      damage(root);
      const expected = { name: 'Error', code: `ERR_TAPEPROOF_${code}`, pointer };
      assert.throws(() => sealRun(root, 'r'), expected);
      const output = temporaryFolder();
      writeFileSync(join(output, 'record.json'), 'what was there');
      assert.throws(() => sealRunToFile(root, 'r', join(output, 'record.json')), expected);
      assert.deepEqual(readdirSync(output), ['record.json']);
      assert.equal(readFileSync(join(output, 'record.json'), 'utf8'), 'what was there');
    });
  }

  for (const id of ['q', '../r', '']) {
    it(`no run: ${JSON.stringify(id)}`, () => {
      assert.throws(() => sealRun(good(), id), { name: 'Error', code: 'ERR_TAPEPROOF_RUN' });
    });
  }

  for (const [name, options, code] of [
    ['a public key to sign with', { privateKey: publicKey }, 'PRIVATE_KEY'],
    ['an empty HMAC key', { hmacKey: '' }, 'SIGNING_KEY'],
    ['a time that is no text', { generatedAt: 5 }, 'SEAL'],
  ]) {
    it(name, () => {
      const output = temporaryFolder();
      const expected = { name: 'TypeError', code: `ERR_TAPEPROOF_${code}` };
      assert.throws(() => sealRun(good(), 'r', options), expected);
      assert.throws(() => sealRunToFile(good(), 'r', join(output, 'record.json'), options), expected);
      assert.deepEqual(readdirSync(output), []);
    });
  }

  it('numbers that JSON text cannot hold', () => {
    const root = good();
    const { cassette_ref } = readTrace(root, 'r').steps[1];
    edit(root, `cassettes/${cassette_ref}.json`, value => ({
      ...value,
      request: '{"kind":"tool","args":{"q":1e999}}',
    }));
    const expected = { code: 'ERR_TAPEPROOF_SEAL', pointer: '/events/2/input/q' };
    assert.throws(() => sealRun(root, 'r'), expected);
    assert.throws(() => sealed(root), expected);
  });

  it('a folder as the file', () => {
    const output = temporaryFolder();
    assert.throws(() => sealRunToFile(good(), 'r', output), Error);
    assert.deepEqual(
      readdirSync(join(output, '..')).filter(name => name.endsWith('.tmp')),
      [],
    );
  });
});
