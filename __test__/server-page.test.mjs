// `tapeproof serve`: the page's files and recorded runs over HTTP, without a browser.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Recorder } from 'tapeproof/recorder';
import { fileStore } from 'tapeproof/store';
import { bench } from './cli/tapeproof.mjs';
import { ask, serve } from './server/serve.mjs';

const { folder, tapeproof } = bench();
const dir = join(folder, 'recordings');

function record(run_id, answers) {
  const recorder = new Recorder({ store: fileStore(dir), run: { run_id }, log: () => {} });
  for (const [at, response] of answers.entries()) {
    const request = { kind: 'tool', tool_name: 'pay', args: { amount: at } };
    recorder.record({ node: 'tools', kind: 'tool', request, response, latency_ms: 800, tokens: 12 });
  }
  recorder.finish({ final_state_hash: 'sha256:0' });
}
record('monday', ['paid', 'paid']);
record('tuesday', ['paid', 'refused']);
record('long', Array(450).fill('paid'));
record('torn', ['paid']);
writeFileSync(join(dir, 'runs', 'torn', 'run.json'), '{');

const started = [];
const start = async (args, env) => {
  const server = await serve(args, env);
  started.push(server);
  return server.port;
};
after(() => Promise.all(started.map(server => server.stop())));

const open = await start(['--dir', dir]);
const locked = await start(['--dir', dir], { TAPEPROOF_TOKEN: 'hush' });
const bare = await start([]);
const get = async (port, path, headers = {}) => {
  const { status, text, ...rest } = await ask(port, { path, headers });
  return {
    status,
    text,
    ...rest,
    get value() {
      return JSON.parse(text);
    },
  };
};

describe('the page', () => {
  it('has a strict policy', async () => {
    const { status, headers, text } = await get(bare, '/');
    assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8']);
    const policy = headers['content-security-policy'].split('; ');
    for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
      assert.ok(policy.includes(part), part);
    assert.doesNotMatch(headers['content-security-policy'], /unsafe|\*|https?:/);
    assert.doesNotMatch(text, /<script(?![^>]* src=)|<style| on[a-z]+=| style=/);
  });

  it('all that it loads is its own, is there, and weighs less than 150 KB', async () => {
    const wanted = ['/', '/assets/style.css'];
    const { text } = await get(bare, '/');
    wanted.push(...[...text.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path));
    const [seen, preloaded] = [new Set(), new Set(wanted)];
    let weight = 0;
    for (const path of wanted) {
      if (seen.has(path)) continue;
      seen.add(path);
      const file = await get(bare, path);
      assert.equal(file.status, 200, path);
      weight += gzipSync(file.text).length;
      if (!path.endsWith('.js')) continue;
      assert.match(file.headers['content-type'], /^text\/javascript/);
      for (const [, next] of file.text.matchAll(/^(?:import|export) [^;]*? from '([^']+)';$/gm))
        wanted.push(posix.join(posix.dirname(path), next));
    }
    assert.deepEqual([...seen].sort(), [...preloaded].sort(), 'what is imported is preloaded, and nothing else');
    assert.ok(weight < 150_000, String(weight));
  });

  it('no other file of the package', async () => {
    for (const path of [
      '/assets/native.js',
      '/assets/page/../native.js',
      '/assets/',
      '/assets/page/main.d.ts',
      '/assets/..%2f..%2fpackage.json',
    ]) {
      assert.equal((await get(bare, path)).status, 404, path);
    }
  });

  it('a way to recorded runs only where there are some', async () => {
    assert.match((await get(open, '/')).text, /Recorded runs/);
    assert.doesNotMatch((await get(bare, '/')).text, /Recorded runs/);
    assert.equal((await get(bare, '/api/runs')).status, 404);
  });
});

describe('recorded runs', () => {
  it('the list, with one that cannot be read', async () => {
    const { value } = await get(open, '/api/runs');
    assert.deepEqual(
      value.map(({ run_id, steps, problem }) => [run_id, steps ?? problem]),
      [
        ['long', 450],
        ['monday', 2],
        ['torn', 'cannot be read [ERR_TAPEPROOF_RECORDING]'],
        ['tuesday', 2],
      ],
    );
    assert.equal(value[1].run.tokens, 24);
  });
  it('the steps of a run, a part at a time', async () => {
    const seqs = async from => (await get(open, `/api/runs/long/from/${from}`)).value.steps.map(({ seq }) => seq);
    assert.deepEqual(
      [(await seqs(0)).length, (await seqs(400)).at(0), (await seqs(400)).at(-1), await seqs(450)],
      [200, 400, 449, []],
    );
    assert.equal((await get(open, '/api/runs/long/from/0')).value.total, 450);
  });
  it('a step with its cassette, and where the same call is', async () => {
    const { value } = await get(open, '/api/runs/tuesday/steps/1');
    assert.equal(value.cassette.response, '"refused"');
    assert.deepEqual(value.elsewhere, [
      { run_id: 'long', seq: 1 },
      { run_id: 'monday', seq: 1 },
    ]);
  });
  it('a step whose cassette is gone', async () => {
    record(
      'gone',
      ['a', 'b', 'c'].map(letter => `only here: ${letter}`),
    );
    const { value } = await get(open, '/api/runs/gone/steps/2');
    rmSync(join(dir, 'cassettes', `${value.step.cassette_ref}.json`));
    assert.equal((await get(open, '/api/runs/gone/steps/2')).value.cassette, null);
    rmSync(join(dir, 'runs', 'gone'), { recursive: true });
  });
  it('one run that cannot be read does not hide where else the call is', async () => {
    record('unreadable', ['paid']);
    const steps = join(dir, 'runs', 'unreadable', 'steps.jsonl');
    rmSync(steps);
    mkdirSync(steps);
    const { value } = await get(open, '/api/runs/tuesday/steps/1');
    assert.deepEqual([value.elsewhere.length, value.more, value.unread], [2, 0, 1]);
    const { status, text } = await get(open, '/api/runs/unreadable/from/0');
    assert.deepEqual([status, text], [409, '{"error":{"message":"cannot be read [EISDIR]"}}']);
    rmSync(join(dir, 'runs', 'unreadable'), { recursive: true });
  });
  it('a run that says that it is another', async () => {
    record('other', ['paid']);
    const file = join(dir, 'runs', 'other', 'run.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"other"', '"monday"'));
    const { value } = await get(open, '/api/runs/other/from/0');
    assert.deepEqual([value.run_id, value.problems], ['other', ['run.json is of another run']]);
    rmSync(join(dir, 'runs', 'other'), { recursive: true });
  });
  it('are in the document of a server that shows them', async () => {
    const paths = async port => Object.keys((await get(port, '/openapi.json')).value.paths);
    assert.equal((await paths(open)).filter(path => path.startsWith('/api/runs')).length, 4);
    assert.equal((await paths(bare)).filter(path => path.startsWith('/api/runs')).length, 0);
    const security = async port => (await get(port, '/openapi.json')).value.paths['/api/runs'].get.security;
    assert.deepEqual([await security(open), await security(locked)], [undefined, [{ token: [] }]]);
  });
  it('two side by side', async () => {
    const { value } = await get(open, '/api/runs/monday/compare/tuesday');
    assert.deepEqual([value.same, value.counts.same, value.counts.answer], [false, 1, 1]);
  });
  for (const [path, status] of [
    ['/api/runs/nobody/from/0', 404],
    ['/api/runs/monday/from/x', 404],
    ['/api/runs/monday/steps/99', 404],
    ['/api/runs/monday/steps/x', 404],
    ['/api/runs/monday/steps/0x1', 404],
    ['/api/runs/monday/steps/%20', 404],
    ['/api/runs/monday/compare/nobody', 404],
    ['/api/runs/torn/from/0', 409],
    ['/api/runs/torn/steps/0', 409],
    ['/api/runs/..%2F..%2Fetc/from/0', 404],
    ['/api/runs/%2E%2E/from/0', 404],
    ['/api/runs/a%00b/steps/0', 404],
  ]) {
    it(`${status} ${path}`, async () => {
      const answer = await get(open, path);
      assert.equal(answer.status, status);
      assert.match(answer.value.error.message, /\w/);
    });
  }
  it('to be read only', async () => {
    for (const method of ['POST', 'PUT', 'DELETE'])
      assert.equal((await ask(open, { method, path: '/api/runs' })).status, 405);
  });
  it('not for other origins, nor under another name', async () => {
    const { headers } = await get(open, '/api/runs', { origin: 'https://evil.example' });
    assert.deepEqual(
      Object.keys(headers).filter(name => name.startsWith('access-control-')),
      [],
    );
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
    assert.equal((await get(open, '/api/runs', { host: 'evil.example' })).status, 421);
  });
});

describe('a token', () => {
  const paths = [
    '/api/runs',
    '/api/runs/monday/from/0',
    '/api/runs/monday/steps/0',
    '/api/runs/monday/compare/tuesday',
    '/api/runs/nobody/from/0',
  ];
  for (const path of paths) {
    it(`${path} wants it`, async () => {
      for (const headers of [
        {},
        ...['hush', 'Bearer', 'Bearer hus', 'bearer hush', 'Basic aHVzaA=='].map(authorization => ({ authorization })),
      ]) {
        assert.equal((await get(locked, path, headers)).status, 401);
      }
      assert.notEqual((await get(locked, path, { authorization: 'Bearer hush' })).status, 401);
    });
  }
  it('the page itself is for all', async () => assert.equal((await get(locked, '/')).status, 200));
  for (const host of ['0.0.0.0', '::', '192.0.2.1', 'example.org', '127.0.0.1.example.org']) {
    it(`no runs on ${host} without one`, () => {
      const { status, stderr } = tapeproof(['serve', '--port', '0', '--host', host, '--dir', dir]);
      assert.equal(status, 2);
      assert.match(stderr, /expected a token in TAPEPROOF_TOKEN/);
    });
  }
  it('nor under another name', () => {
    const { status, stderr } = tapeproof(['serve', '--port', '0', '--allow-host', 'runs.example.org', '--dir', dir]);
    assert.equal(status, 2);
    assert.match(stderr, /expected a token in TAPEPROOF_TOKEN/);
  });
  for (const token of ['schlüssel', 'one\ntwo', ' hush', '密']) {
    it(`a token that no header can hold: ${JSON.stringify(token)}`, () => {
      const { status, stderr } = tapeproof(['serve', '--port', '0', '--dir', dir], { env: { TAPEPROOF_TOKEN: token } });
      assert.equal(status, 2);
      assert.match(stderr, /expected the token in TAPEPROOF_TOKEN in ASCII/);
    });
  }
  it('no host, which would be every address', () => {
    const { status, stderr } = tapeproof(['serve', '--port', '0', '--host', '']);
    assert.equal(status, 2);
    assert.match(stderr, /expected --host as an address or a name/);
  });
  it('no folder', () => {
    const { status, stderr } = tapeproof(['serve', '--dir', join(folder, 'nowhere')]);
    assert.equal(status, 2);
    assert.match(stderr, /expected --dir as a folder/);
  });
});
