// A secret in every position of every input, beside something that fails in every other one: what comes out as error,
// log line or refusal never repeats it. Not planted are keys, by which a pointer says where a value is, and patterns: one
// that does not compile throws the engine's own error.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { inspect } from 'node:util';
import * as everything from 'tapeproof';
import { bufferedStore } from 'tapeproof/emitter';
import {
  ENV_CONFIG,
  ENV_DIR,
  ENV_ENABLED,
  ENV_ENV_FILE,
  ENV_SERVER,
  ENV_TOKEN,
  recorderFromEnv,
  resetRecorder,
} from 'tapeproof/env';
import { compareRuns, sealRun, sealRunToFile } from 'tapeproof/evidence';
import { httpStore } from 'tapeproof/http';
import { Recorder } from 'tapeproof/recorder';
import { fileStore, findRecording, listRuns, readCassette, readRun, readSteps, readTrace } from 'tapeproof/store';
import { bench } from '../cli/tapeproof.mjs';
import { ask, post, serve } from '../server/serve.mjs';

const SECRET = 'S3CRET-kq7Zp0';
/** Any six characters of it, in any case: a part of a secret is too much, too. */
const PARTS = new RegExp(Array.from({ length: SECRET.length - 5 }, (_, at) => SECRET.slice(at, at + 6)).join('|'), 'i');

const folder = mkdtempSync(join(tmpdir(), 'tapeproof-secrets-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** All that an error says, to whoever prints it. */
function clean(error) {
  if (!(error instanceof Error)) return;
  for (const said of [inspect(error, { depth: null, showHidden: true }), `${error}`, JSON.stringify({ ...error })])
    assert.doesNotMatch(said, PARTS);
}

/** Calls, and looks at what is thrown: the number of errors. */
async function failures(calls) {
  let count = 0;
  for (const call of calls) {
    try {
      await call();
    } catch (error) {
      clean(error);
      count += 1;
    }
  }
  return count;
}

/** The paths of all values in a value, itself among them. */
function* paths(value, path = []) {
  yield path;
  if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value))
    for (const key of Object.keys(value)) yield* paths(value[key], [...path, key]);
}

/** The value with another one at a path. */
function put(value, [key, ...rest], other) {
  if (key === undefined) return other;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[key] = put(value[key], rest, other);
  return copy;
}

const throwing = {
  toString() {
    throw new Error('no text');
  },
};
/** What may be wrong with a value. */
const WRONG = [
  undefined,
  null,
  1n,
  Number.NaN,
  Symbol('s'),
  () => 0,
  throwing,
  [[SECRET]],
  { a: { b: SECRET, c: 1n } },
];

/** The secret in every place, alone and with everything that may be wrong in every other place. */
function* planted(value) {
  for (const place of paths(value)) {
    const secret = put(value, place, SECRET);
    yield secret;
    for (const other of paths(secret)) {
      if (place.join().startsWith(other.join()) && other.length < place.length) continue;
      for (const wrong of WRONG) yield put(secret, other, wrong);
    }
  }
}

/** Its text with the secret in every place, ended and torn at every place. */
function* texts(value) {
  for (const place of paths(value)) {
    const text = JSON.stringify(put(value, place, SECRET)) ?? '';
    yield text;
    for (let at = 0; at < text.length; at += 1) {
      yield text.slice(0, at);
      yield `${text.slice(0, at)}\u0001${text.slice(at)}`;
    }
  }
}

const tool = { kind: 'tool', tool_name: 't', args: { a: [1, { b: 'x' }], id: 'i' }, counter: 1 };
const model = {
  ...{ kind: 'model', provider: 'p', model_id: 'm' },
  messages: [{ content: 'c' }],
  tool_schemas: [{ name: 'n' }],
};
const pair = everything.generateKeyPair();
const events = [
  { type: 'tool', run_id: 'r', seq: 0, tool_name: 't', input: { q: 1 }, output: 'o', key_projection: { drop: ['q'] } },
  { type: 'run', phase: 'end', run_id: 'r', seq: 1, status: 'success', output: 'o', error: null },
];
const record = everything.seal(events, { run: { run_id: 'r' }, privateKey: pair.privateKey });

const { reqHash, canonical, stateHash, reqHashMany, diffRequests, normalizeText, reqHashJson, stateHashJson } =
  everything;
const { redact, redactText, findSensitive } = everything;
const { verify, verifyJson, verifyJsonAsync, verifyFile, computeEventChain, computeCassetteDigest, seal } = everything;

const config = { preset: ['email'], fields: ['a.b'], custom: [/x/g] };
const keys = { expectedPublicKey: [pair.publicKey], revokedPublicKeys: [pair.publicKey] };
const draft = { run: { run_id: 'r', status: 'success' }, privateKey: pair.privateKey, hmacKey: 'k' };

/** Functions, what they are called with, and where secrets and errors are planted. */
const CALLS = {
  reqHash: [reqHash, tool, model],
  canonical: [canonical, tool, model],
  stateHash: [stateHash, tool],
  reqHashMany: [reqHashMany, [tool, model]],
  diffRequests: [value => diffRequests(...(Array.isArray(value) ? value : [value])), [tool, tool]],
  normalizeText: [normalizeText, ['x'], 'x'],
  redact: [value => redact({ a: { b: SECRET } }, value), config],
  'redact, the value': [value => redact(value, { preset: SECRET }), tool],
  redactText: [value => redactText(SECRET, value), config],
  findSensitive: [value => findSensitive({ a: { b: SECRET } }, value), config],
  verify: [verify, record],
  'verify, keys': [value => verify(record, SECRET, value), keys],
  'verify, HMAC key': [
    value => verify({ ...record, manifest: { ...record.manifest, signature: { value: 'x' } } }, value),
    ['k'],
    'k',
  ],
  computeEventChain: [computeEventChain, events],
  computeCassetteDigest: [computeCassetteDigest, events],
  seal: [value => seal(value, draft), events],
  'seal, options': [value => seal(events, value), draft],
};

describe('errors', () => {
  for (const [name, [call, ...values]] of Object.entries(CALLS)) {
    it(name, async () => {
      const inputs = values.flatMap(value => [...planted(value)]);
      assert.ok((await failures(inputs.map(input => () => call(input)))) > 0);
    });
  }

  for (const [name, call, value] of [
    ['reqHashJson', reqHashJson, tool],
    ['stateHashJson', stateHashJson, tool],
    ['verifyJson', verifyJson, { manifest: { a: 1 }, events: events.slice(0, 1) }],
    ['verifyJson, bytes', text => verifyJson(Buffer.from(text)), { manifest: { a: 1 }, events: [1] }],
    ['verifyJsonAsync', verifyJsonAsync, { manifest: { a: 1 }, events: [1] }],
    [
      'verifyFile',
      text => {
        writeFileSync(join(folder, 'record.json'), text);
        return verifyFile(join(folder, 'record.json'));
      },
      { manifest: 1, events: [1] },
    ],
  ]) {
    it(`${name}: a text`, async () => {
      assert.ok((await failures([...texts(value)].map(text => () => call(text)))) > 0);
    });
  }

  it('keys that are none, in PEM or not', async () => {
    const pems = [pair.publicKey, pair.privateKey].flatMap(pem =>
      Array.from({ length: pem.length }, (_, at) => pem.slice(0, at) + SECRET + pem.slice(at)),
    );
    const calls = pems.flatMap(pem => [
      () => verify(record, undefined, { expectedPublicKey: pem }),
      () => verify(record, undefined, { revokedPublicKeys: [pem] }),
      () => seal(events, { run: {}, privateKey: pem }),
    ]);
    assert.ok((await failures(calls)) > pems.length);
  });

  it('names of runs and of files', async () => {
    const root = join(folder, SECRET);
    const store = fileStore(root);
    const calls = [`../${SECRET}`, `${SECRET}/`, SECRET, { a: SECRET }].flatMap(name => [
      () => readRun(root, name),
      () => readSteps(root, name),
      () => readTrace(root, name),
      () => readCassette(root, name),
      () => findRecording(root, name),
      () => listRuns(name),
      () => sealRun(root, name, {}),
      () => sealRunToFile(root, name, join(folder, 'sealed.json'), {}),
      () => compareRuns({ dir: root, run_id: name }, { dir: root, run_id: name }),
      () => store.putRun({ run_id: name }),
      () => store.putCassette(name, SECRET),
      () => verifyFile(join(folder, String(name))),
    ]);
    assert.ok((await failures(calls)) > 0);
  });
});

describe('logs', () => {
  const observation = {
    ...{ node: 'n', kind: 'tool', request: tool, response: { content: ['c'] }, latency_ms: 1, tokens: 1, cost_usd: 1 },
    ...{
      error: { name: 'e', message: 'm' },
      provider: 'p',
      model_version: 'v',
      seq: 1,
      started_at: 's',
      ended_at: 'e',
    },
    usage: { input_tokens: 1 },
  };
  const lines = [];
  const log = line => lines.push(line);
  const isClean = () => {
    for (const line of lines) assert.doesNotMatch(line, PARTS);
    assert.ok(lines.length > 0);
    lines.length = 0;
  };
  const error = Object.assign(new Error(SECRET, { cause: SECRET }), { code: `E ${SECRET}`, name: `N ${SECRET}` });
  const fails = () => {
    throw error;
  };

  it('a recorder, every observation', () => {
    const nowhere = { putRun() {}, appendStep() {}, putCassette() {} };
    // One line a minute: each has a recorder of its own.
    for (const value of planted(observation)) new Recorder({ store: nowhere, log }).record(value);
    isClean();
  });

  it('a recorder whose store fails', async () => {
    for (const store of [
      { putRun: fails, appendStep: fails, putCassette: fails },
      { putRun: async () => fails(), appendStep: async () => fails(), putCassette: async () => fails() },
      fileStore(join(folder, 'record.json', SECRET)),
    ]) {
      writeFileSync(join(folder, 'record.json'), SECRET);
      const recorder = new Recorder({ store, log });
      recorder.record(observation);
      recorder.lose(error);
      recorder.finish(SECRET);
      await new Promise(setImmediate);
    }
    isClean();
  });

  it('a server that does not take what it is sent', async () => {
    const answers = [fails, async () => fails(), async () => new Response(SECRET, { status: 500, statusText: SECRET })];
    for (const fetchImpl of [...answers, undefined]) {
      const url = `http://user:${SECRET}@localhost:9/${SECRET}`;
      const target = httpStore({ url, token: SECRET, fetchImpl, timeoutMs: 50 });
      const store = bufferedStore({ target, batchMs: 1, log });
      const recorder = new Recorder({ store, log });
      recorder.record({ ...observation, response: SECRET });
      recorder.finish(SECRET);
      while (store.stats.dropped === 0) await store.flush();
    }
    isClean();
  });

  it('a URL or a token that cannot be sent', async () => {
    for (const options of [
      { url: `http://user:${SECRET}@localhost:9` },
      { url: SECRET },
      { url: `http://[${SECRET}` },
      { url: 'http://localhost:9', token: `${SECRET}\u0001` },
      { url: 'http://localhost:9', token: `${SECRET}\u{1f600}` },
    ]) {
      assert.equal(await failures([() => httpStore(options).putRun({})]), 1);
    }
  });

  it('options that are none', async () => {
    const calls = [...planted({ url: 'http://localhost:9', token: 't', timeoutMs: 1 })].map(
      value => () => httpStore(value),
    );
    assert.ok((await failures(calls)) > 0);
    await failures(
      [...planted({ store: 1, redact: config, run: { run_id: 'r' } })].map(
        value => () => new Recorder({ ...value, log }),
      ),
    );
  });

  it('the environment', async t => {
    t.mock.method(console, 'warn', log);
    for (const variable of [ENV_DIR, ENV_ENABLED, ENV_CONFIG, ENV_SERVER, ENV_TOKEN, ENV_ENV_FILE]) {
      const before = process.env[variable];
      process.env[variable] = variable === ENV_DIR ? join(folder, 'record.json', SECRET) : SECRET;
      try {
        resetRecorder();
        const recorder = await recorderFromEnv();
        recorder?.record(observation);
        recorder?.finish(null);
      } catch (thrown) {
        clean(thrown);
      } finally {
        if (before === undefined) delete process.env[variable];
        else process.env[variable] = before;
        resetRecorder();
      }
    }
    for (const line of lines) assert.doesNotMatch(line, PARTS);
  });
});

describe('command line', () => {
  const { tapeproof, file } = bench();
  const texts = {
    'torn.json': `{"kind":"tool","args":"${SECRET}`,
    'wrong.json': `{"kind":"tool","args":["${SECRET}",1e999],"tool_schemas":{"a":"${SECRET}"}}`,
    'null-event.json': `{"manifest":{"a":"${SECRET}"},"events":["${SECRET}",null]}`,
    'drop.json': `{"manifest":{"a":1},"events":[{"type":"tool","input":{},"key_projection":{"drop":["${SECRET}",1]}}]}`,
    'events.json': `[{"type":"tool","seq":"${SECRET}"}]`,
    'run.json': `{"run_id":"${SECRET}"}`,
    'key.pem': pair.privateKey.replace('MC4C', SECRET),
    'record.json': JSON.stringify(record),
  };
  for (const [name, text] of Object.entries(texts)) file(name, text);
  const env = name => ({ env: { [`TAPEPROOF_${name}`]: SECRET } });
  const rows = [
    [['hash', 'torn.json', 'wrong.json']],
    [['hash', '--lines', 'torn.json']],
    [['diff', 'torn.json', 'wrong.json']],
    [['diff', 'wrong.json', 'wrong.json']],
    [['redact', 'torn.json', '--field', SECRET]],
    [['redact', '--lines', 'torn.json']],
    [['verify', '--quiet', 'torn.json', 'wrong.json', 'null-event.json', 'drop.json', 'events.json']],
    [['verify', '--pubkey', 'key.pem', 'record.json']],
    [['verify', '--quiet', 'record.json'], env('ED25519_PUBLIC_KEYS')],
    [['verify', '--quiet', 'record.json'], env('HMAC_KEY')],
    [['verify', '--quiet', 'record.json'], env('HMAC_KEY_PREVIOUS')],
    [['seal', 'torn.json', '--run', 'run.json']],
    [['seal', 'events.json', '--run', 'torn.json']],
    [['seal', 'events.json', '--run', 'run.json']],
    [['seal', 'events.json', '--run', 'run.json', '--key', 'key.pem']],
    [['seal', 'events.json', '--run', 'run.json'], env('ED25519_PRIVATE_KEY')],
    [['show', '--dir', 'torn.json', 'run_1']],
    [['report', 'torn.json', '-o', 'report.html']],
    [['serve', '--port', '0'], env('ED25519_PUBLIC_KEYS')],
  ];
  for (const [args, options] of rows) {
    it([...args, ...Object.keys(options?.env ?? {})].join(' ').replaceAll(SECRET, 'SECRET'), () => {
      const { status, stderr } = tapeproof(args, options);
      assert.notEqual(status, 0);
      assert.match(stderr, /\w|^$/);
      assert.doesNotMatch(stderr, PARTS);
    });
  }
});

describe('server', () => {
  it('refusals and its log', async () => {
    const server = await serve([], { TAPEPROOF_HMAC_KEY: SECRET, TAPEPROOF_TOKEN: SECRET });
    try {
      const { port } = server;
      const path = `/api/${SECRET}?q=${SECRET}`;
      const answers = [
        ...[`{"a":"${SECRET}`, `"${SECRET}"`, `{"manifest":"${SECRET}","events":["${SECRET}",null]}`].map(body =>
          post(port, body),
        ),
        post(port, `{"a":"${SECRET}"}`, { 'content-type': SECRET }),
        post(port, `{"a":"${SECRET}"}`, { 'content-encoding': SECRET }),
        post(port, `{"a":"${SECRET}"}`, { authorization: `Bearer ${SECRET}x`, host: `${SECRET}.example` }),
        ask(port, { path }),
        ask(port, { path: `/${SECRET}/../${SECRET}`, headers: { cookie: SECRET, referer: SECRET, 'x-a': SECRET } }),
        ask(port, { method: 'PUT', path: '/health', body: SECRET }),
        ask(port, { path: `/api/runs/${SECRET}`, headers: { authorization: SECRET } }),
      ];
      for (const { status, text, headers } of await Promise.all(answers)) {
        assert.ok(status >= 400, `${status}`);
        assert.doesNotMatch(text + JSON.stringify(headers), PARTS);
      }
    } finally {
      await server.stop();
    }
    assert.doesNotMatch(server.log(), PARTS);
  });
});
