// The server against its own description: each answer is one that the document tells of, and looks as it says.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Random } from './random/prng.mjs';
import { recordText, SIGNER } from './random/record.mjs';
import { temporaryFolder } from './recorder/folder.mjs';
import { recordOddRuns } from './recorder/odd.mjs';
import { at, conforms } from './server/schema.mjs';
import { ask, keepAlive, serve } from './server/serve.mjs';

const CASES = 800;
const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'];

const dir = temporaryFolder();
const oddRuns = recordOddRuns(dir);
const TOKEN = 'hush';
const server = await serve(['--quiet', '--dir', dir], {
  TAPEPROOF_ED25519_PUBLIC_KEYS: SIGNER.publicKey,
  TAPEPROOF_TOKEN: TOKEN,
});
after(() => server.stop());
const agent = keepAlive(4);
after(() => agent.destroy());
const send = options => ask(server.port, { agent, ...options });
const document = JSON.parse((await send({ path: '/openapi.json' })).text);

const seen = new Set();

/** Asserts that an answer is among those of an operation. */
function check(operation, { status, headers, text }, about) {
  const described = operation.responses[status];
  assert.ok(described, `${about}: ${status} is not in the document`);
  const content = described.content[headers['content-type']];
  assert.ok(content, `${about}: ${headers['content-type']} is not in the document`);
  const value = headers['content-type'] === 'application/json' ? JSON.parse(text) : text;
  assert.ok(conforms(value, content.schema, document), `${about}: ${text}`);
  for (const [name, { schema }] of Object.entries(described.headers ?? {})) {
    assert.ok(conforms(Number(headers[name.toLowerCase()]), schema, document), `${about}: ${name}`);
  }
  seen.add(`${operation.operationId} ${status}`);
}

describe('the document', () => {
  it('is OpenAPI 3.1, and all its references lead somewhere', () => {
    assert.match(document.openapi, /^3\.1\./);
    for (const [, pointer] of JSON.stringify(document).matchAll(/"\$ref":"(.*?)"/g)) assert.ok(at(document, pointer));
  });

  for (const [path, operations] of Object.entries(document.paths)) {
    it(`${path}: the methods are those of the server`, async () => {
      for (const method of METHODS) {
        const { status } = await send({ method: method.toUpperCase(), path });
        const isThere = operations[method] ?? (method === 'head' && operations.get);
        assert.equal(status !== 405, Boolean(isThere), method);
      }
    });
    for (const [method, operation] of Object.entries(operations)) {
      it(`${method} ${path}: what any request may get`, async () => {
        check(operation, await send({ method, path }), path);
        check(operation, await send({ method, path, headers: { host: 'other.example' } }), path);
      });
    }
  }
});

describe('POST /api/audit/verify', () => {
  const path = '/api/audit/verify';
  const operation = document.paths[path].post;
  const random = new Random(7);
  const TYPES = [
    ['application/json', 30],
    ['application/json;charset=utf-8', 5],
    ['text/json', 1],
    ['', 1],
  ];
  const bodies = [
    [20, () => Buffer.from(recordText(random))],
    [1, () => Buffer.from(Array.from({ length: random.below(40) }, () => random.below(256)))],
    [1, () => Buffer.from(random.pick(['', '0', 'null', '[]', '{}', '{"manifest":{},"events":[null]}', '\ufeff{}']))],
    [1, () => Buffer.alloc(random.pick([(8 << 20) + 1, 8 << 20]), ' ')],
  ];
  it(`${CASES} random requests (seed 7)`, async () => {
    for (let index = 0; index < CASES; index += 1) {
      const [type] = random.oneIn(20) ? random.pick(TYPES) : TYPES[0];
      const headers = {
        ...(type && { 'content-type': type }),
        ...(random.oneIn(4) && { 'transfer-encoding': 'chunked' }),
      };
      const body = index % 100 === 99 ? bodies[3][1]() : random.weighted(bodies.slice(0, 3))();
      check(operation, await send({ method: 'POST', path, headers, body }), `case ${index}`);
    }
  });
  it('they came to every answer but those of a server in trouble', () => {
    const expected = Object.keys(operation.responses).filter(status => !['408', '500', '503'].includes(status));
    for (const status of expected) assert.ok(seen.has(`verify ${status}`), status);
  });
});

describe('GET /api/runs', () => {
  const operationOf = template => document.paths[template].get;
  const asked = async (template, names = {}) => {
    const path = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(names[name]));
    const answer = await send({ path, headers: { authorization: `Bearer ${TOKEN}` } });
    assert.notEqual(answer.status, 500, path);
    check(operationOf(template), answer, path);
    return answer;
  };
  it('every run of the folder is in the list', async () => {
    const { text } = await asked('/api/runs');
    assert.deepEqual(
      JSON.parse(text)
        .map(({ run_id }) => run_id)
        .sort(),
      [...oddRuns].sort(),
    );
  });
  it('runs of odd types and odd files, part by part, step by step, side by side', async () => {
    for (const run of [...oddRuns, 'nobody', '..', '__proto__', ' ']) {
      for (const from of ['0', '-1', '0x1']) await asked('/api/runs/{run}/from/{from}', { run, from });
      for (const seq of ['0', '9', '0.0']) await asked('/api/runs/{run}/steps/{seq}', { run, seq });
      for (const other of [run, 'better']) await asked('/api/runs/{run}/compare/{other}', { run, other });
    }
  });
  it('they came to every answer but that of a bug', () => {
    for (const template of Object.keys(document.paths).filter(path => path.startsWith('/api/runs'))) {
      const { operationId, responses } = operationOf(template);
      // The folder itself can be read.
      const never = operationId === 'runs' ? ['409', '500'] : ['500'];
      const expected = Object.keys(responses).filter(status => !never.includes(status));
      for (const status of expected) assert.ok(seen.has(`${operationId} ${status}`), `${operationId} ${status}`);
    }
  });
});
