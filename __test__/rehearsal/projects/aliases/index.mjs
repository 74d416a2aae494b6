// What the users of the three published packages write, from their public pages alone.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonical, HASH_VERSION, normalizeText, reqHash, stateHash } from '@krishnadobhal/rewind-core/hash';
import { MATCH_TIERS, STEP_KINDS } from '@krishnadobhal/rewind-core/schema';
import { DEFAULT_DIR, defineConfig } from '@krishnadobhal/rewind-sdk-js/config';
import { bufferedStore } from '@krishnadobhal/rewind-sdk-js/emitter';
import { loadEnvFile, recorderFromEnv } from '@krishnadobhal/rewind-sdk-js/env';
import { httpStore } from '@krishnadobhal/rewind-sdk-js/http';
import { withRewind } from '@krishnadobhal/rewind-sdk-js/middleware';
import { Recorder } from '@krishnadobhal/rewind-sdk-js/recorder';
import { redact } from '@krishnadobhal/rewind-sdk-js/redact';
import { fileStore, listRuns, readCassette, readTrace } from '@krishnadobhal/rewind-sdk-js/store';
import { verify } from '@runback/verify';

process.chdir(mkdtempSync(join(tmpdir(), 'tapeproof-aliases-')));

// rewind-core
const request = {
  kind: 'model',
  provider: 'anthropic',
  model_id: 'claude-sonnet-5',
  messages: [{ role: 'user', content: 'summarise this' }],
};
const hash = 'faba1bab0b866b412ff8992582fc2a4bc0be5864895e9790dc4e4215fdb3301d';
assert.equal(reqHash(request), hash);
assert.match(stateHash(canonical(request)), /^sha256:[0-9a-f]{64}$/);
assert.equal(normalizeText('a  b'), 'a b');
assert.equal(HASH_VERSION, 3);
assert.deepEqual([STEP_KINDS.length, MATCH_TIERS], [6, ['exact', 'miss', 'recorded']]);

// rewind-sdk-js
const { value, map } = redact({ to: 'a@b.com', note: 'call 555-123-4567' }, { preset: 'default' });
assert.deepEqual(value, { to: '[redacted:email:0]', note: 'call [redacted:phone:0]' });
assert.deepEqual(map, { '[redacted:email:0]': 'email', '[redacted:phone:0]': 'phone' });
assert.equal(DEFAULT_DIR, '.rewind');
const config = defineConfig({ dir: '.rewind', redact: { fields: ['ssn'], custom: [/ACC-\d{8}/g] } });

const recorder = new Recorder({ store: fileStore(config.dir), redact: config.redact });
recorder.record({ node: 'plan', kind: 'model', request, response: { ssn: 1, text: 'ACC-12345678' }, latency_ms: 420 });
recorder.finish({ final_state_hash: stateHash({}) });
const [id] = listRuns('.rewind');
const { run, steps } = readTrace('.rewind', id);
assert.deepEqual([run.status, steps[0].req_hash, steps[0].match_tier], ['complete', hash, 'recorded']);
assert.match(readCassette('.rewind', steps[0].cassette_ref).response, /\[redacted:custom:0:0\]/);

const store = bufferedStore({ target: httpStore({ url: 'http://127.0.0.1:1', token: 't' }), maxQueue: 1000 });
assert.equal(typeof store.putRun, 'function');

process.env.REWIND_ENABLED = '1';
process.env.REWIND_DIR = 'elsewhere';
assert.equal(loadEnvFile(), null);
const fromEnvironment = await recorderFromEnv();
fromEnvironment.record({ node: 'n', kind: 'tool', request: { kind: 'tool', tool_name: 't', args: {} }, response: 1 });
fromEnvironment.finish({ final_state_hash: '' });
assert.ok(existsSync(join('elsewhere', 'runs', fromEnvironment.run.run_id, 'steps.jsonl')));

const model = {
  _llmType: () => 'fake',
  model: 'm',
  bindTools: () => model,
  invoke: async () => ({ content: 'hello' }),
};
const rewind = await withRewind({ model, tools: [] });
assert.deepEqual(await rewind.model.invoke('hi'), { content: 'hello' });
assert.notEqual(rewind.model, model);

// runback
const { verdict, checks } = verify({ $schema: 'runback.audit/v2', manifest: {}, run: {}, events: [] });
assert.deepEqual([verdict, checks.signature], ['invalid', 'unsigned']);
