// What is recorded of a call, what never is, and what happens when recording fails.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { HumanMessage } from '@langchain/core/messages';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { withRewind } from 'tapeproof/middleware';
import { Recorder } from 'tapeproof/recorder';
import { fileStore, listRuns, readTrace } from 'tapeproof/store';
import { z } from 'zod';
import { z as z3 } from 'zod3';
import { filesIn, temporaryFolder } from '../recorder/folder.mjs';
import { outcome, provider } from './cases.mjs';
import { GRAPHS, hasVersion3, KEY, MODELS, MODES, parts, weather } from './matrix.mjs';
import { recording } from './recording.mjs';

after(() => provider.close());

const { ChatOpenAI: openai, ChatAnthropic: anthropic } = MODELS;
const root = fileURLToPath(new URL('../..', import.meta.url));

describe('what is never recorded', () => {
  it('keys, and the objects that have them', async () => {
    const folder = temporaryFolder();
    const recorder = new Recorder({ store: fileStore(folder), redact: { preset: [] } });
    for (const make of [openai, anthropic]) {
      const { model, tools, wrap } = await withRewind({ model: make(provider.url), tools: [weather()], recorder });
      for (const graph of GRAPHS.filter(({ name }) => /responseFormat|^createAgent$|subgraph|functional/.test(name))) {
        for (const mode of MODES.filter(({ since3 }) => hasVersion3 || !since3)) {
          const input = { messages: [{ role: 'user', content: graph.ask }] };
          await outcome(() => mode.run(graph.make(model, tools, wrap), input, graph.config));
        }
      }
      provider.state.failures.push(401);
      await outcome(() => model.invoke('Hello'));
      // Who gives a model to a tool gives it the model's key.
      const odd = wrap({ name: 'odd', schema: {}, invoke: async () => ({ model: make(provider.url) }) });
      await odd.invoke({ model: make(provider.url) });
    }
    recorder.finish(null);
    assert.equal(recorder.run.status, 'complete');
    const files = filesIn(folder);
    assert.ok(files.length > 20);
    for (const [name, text] of textsOf(folder, files)) {
      for (const secret of [KEY, KEY.slice(3, 20), 'lc_kwargs', 'openAIApiKey', 'anthropicApiKey', '__pregel']) {
        assert.ok(!text.includes(secret), `${secret} in ${name}`);
      }
    }
  });
});

function textsOf(folder, files) {
  return files.map(name => [name, readFileSync(join(folder, name), 'utf8')]);
}

describe('what is recorded', () => {
  it('a request before anybody changes it, a response before the framework does', async () => {
    const tape = recording();
    const { model } = await withRewind({ model: openai(provider.url), recorder: tape.recorder });
    const messages = [new HumanMessage({ content: [{ type: 'text', text: 'Hello' }], id: 'mine' })];
    const answer = model.invoke(messages);
    // The call is on its way.
    await new Promise(resolve => setImmediate(resolve));
    messages[0].content[0].text = 'changed';
    const said = await answer;
    said.content = 'changed';
    said.name = 'changed';
    const [{ request, response }] = tape.steps;
    assert.doesNotMatch(JSON.stringify([request, response]), /changed/);
  });

  it('times, tokens, cost, version', async () => {
    const tape = recording();
    const pricing = (model_id, { input_tokens, output_tokens }) =>
      model_id === 'gpt-4o-mini' ? (input_tokens + output_tokens) / 1000 : null;
    const { model, tools } = await withRewind({
      model: openai(provider.url),
      tools: [weather()],
      recorder: tape.recorder,
      pricing,
    });
    await model.invoke('Hello');
    await tools[0].invoke({ city: 'Paris' });
    const [one, other] = tape.steps;
    assert.deepEqual([one.tokens, one.cost_usd, one.usage.input_tokens], [18, 0.018, 11]);
    assert.deepEqual([other.tokens, other.cost_usd, other.usage], [null, null, null]);
    assert.ok(one.latency_ms > 0);
    assert.ok(Date.parse(one.started_at) <= Date.parse(one.ended_at));
    assert.equal(tape.recorder.run.tokens, 18);
  });

  it('a price that cannot be told is none', async () => {
    const tape = recording();
    const pricing = () => {
      throw new Error('no price');
    };
    const { model } = await withRewind({ model: openai(provider.url), recorder: tape.recorder, pricing });
    await model.invoke('Hello');
    assert.equal(tape.steps[0].cost_usd, null);
    assert.equal(tape.recorder.run.status, 'complete');
  });
});

describe('models of one’s own', () => {
  const own = () => ({
    _llmType: () => 'mine',
    modelName: 'm-1',
    temperature: 0.3,
    invoke: async input => ({
      role: 'ai',
      content: `said ${JSON.stringify(input)}`,
      usage_metadata: { total_tokens: 3 },
    }),
    async *stream() {
      yield 'one ';
      yield 'two';
    },
    bindTools(tools, more) {
      return { ...this, invoke: async () => 'bound', tools, more };
    },
    withStructuredOutput() {
      return { invoke: async input => JSON.stringify(await this.invoke(input)) };
    },
  });

  for (const [name, input, messages] of [
    ['a text', 'Hello', [{ role: 'user', content: 'Hello' }]],
    ['a message', { role: 'user', content: 'Hello' }, [{ role: 'user', content: 'Hello' }]],
    ['a list', [{ type: 'human', content: 'Hello', id: 'x' }], [{ role: 'human', content: 'Hello', id: 'x' }]],
    ['a pair', [['system', 'Be brief']], [{ role: 'system', content: 'Be brief' }]],
    [
      'calls and results',
      [
        { role: 'assistant', content: '', tool_calls: [{ name: 't', args: {}, id: 'c' }] },
        { role: 'tool', content: 'r', tool_call_id: 'c', name: 't' },
      ],
      [
        { role: 'assistant', content: '', tool_calls: [{ name: 't', args: {}, id: 'c' }] },
        { role: 'tool', content: 'r', tool_call_id: 'c', name: 't' },
      ],
    ],
    ['a prompt', { toChatMessages: () => [new HumanMessage('Hello')] }, [{ role: 'human', content: 'Hello' }]],
  ]) {
    it(`asked ${name}`, async () => {
      const tape = recording();
      const { model } = await withRewind({ model: own(), recorder: tape.recorder });
      await model.invoke(input, { metadata: { langgraph_node: 'plan' } });
      const [{ node, request, tokens }] = tape.steps;
      assert.equal(node, 'plan');
      assert.equal(tokens, 3);
      assert.deepEqual(request, { kind: 'model', provider: 'mine', model_id: 'm-1', messages, temperature: 0.3 });
    });
  }

  it('streamed, bound, structured', async () => {
    const tape = recording();
    const { model } = await withRewind({ model: own(), recorder: tape.recorder });
    assert.deepEqual(await parts(model.stream('Hello')), ['one ', 'two']);
    const schema = { type: 'object', properties: {} };
    assert.equal(
      await model.bindTools([{ name: 't', description: 'd', schema }], { tool_choice: 't' }).invoke('Hello'),
      'bound',
    );
    await model.withStructuredOutput({}).invoke('Hello');
    const [streamed, bound, structured, ...rest] = tape.steps;
    assert.equal(streamed.response, 'one two');
    assert.deepEqual(bound.request.tool_schemas, [{ name: 't', description: 'd', parameters: schema }]);
    assert.equal(bound.request.tool_choice, 't');
    assert.equal(structured.request.provider, 'mine');
    assert.deepEqual(rest, []);
  });

  it('a live schema is its JSON Schema where it tells one, and never itself', async () => {
    const tape = recording();
    const model = { ...own(), bindTools: () => ({ invoke: async () => 'bound' }) };
    const rewind = await withRewind({ model, recorder: tape.recorder });
    for (const zod of [z, z3]) {
      const schema = zod.object({ city: zod.string() });
      const tools = [{ name: 't', description: 'd', schema, invoke() {} }];
      const format = { response_format: { type: 'json_schema', schema } };
      for (const used of [false, true]) {
        if (used) schema.parse({ city: 'Rome' });
        await rewind.model.bindTools(tools, format).invoke('Hello');
      }
    }
    const [one, again, three, threeAgain] = tape.steps.map(({ request }) => request);
    assert.deepEqual(again, one);
    assert.deepEqual(threeAgain, three);
    const tells = z.object({})['~standard'].jsonSchema !== undefined;
    assert.deepEqual(one.tool_schemas[0].parameters?.properties, tells ? { city: { type: 'string' } } : undefined);
    assert.deepEqual(one.response_format.schema, one.tool_schemas[0].parameters);
    assert.deepEqual(three.tool_schemas, [{ name: 't', description: 'd' }]);
    assert.deepEqual(three.response_format, { type: 'json_schema' });
  });

  it('a node by its place, by its name', async () => {
    const tape = recording();
    const { model } = await withRewind({ model: own(), recorder: tape.recorder });
    for (const config of [
      { configurable: { checkpoint_ns: 'outer:1|inner:2' }, runName: 'r' },
      { metadata: { checkpoint_ns: 'plan:1' } },
      { runName: 'r' },
      {},
      undefined,
    ]) {
      await model.invoke('Hello', config);
    }
    assert.deepEqual(
      tape.steps.map(({ node }) => node),
      ['inner', 'plan', 'r', 'unknown', 'unknown'],
    );
  });
});

describe('recording that fails', () => {
  const broken = {
    'a store that throws': { store: { putRun: refuse, appendStep: refuse, putCassette: refuse } },
    'no store': { store: undefined },
  };
  for (const [name, options] of Object.entries(broken)) {
    it(`${name}: the agent runs on`, async () => {
      const recorder = new Recorder({ ...options, log: () => {} });
      const { model, tools } = await withRewind({ model: openai(provider.url), tools: [weather()], recorder });
      const agent = createReactAgent({ llm: model, tools });
      const { messages } = await agent.invoke({ messages: [{ role: 'user', content: GRAPHS[0].ask }] });
      assert.equal(messages.length, 5);
      assert.equal(recorder.run.status, 'partial');
    });
  }

  for (const [name, value] of [
    ['a cycle', cyclic()],
    ['a BigInt', 7n],
    [
      'a getter that throws',
      {
        get bad() {
          throw new Error('bad');
        },
      },
    ],
  ]) {
    it(`a tool that takes and gives ${name}`, async () => {
      const tape = recording();
      const { tools } = await withRewind({
        tools: [{ name: 'odd', invoke: async given => given }],
        recorder: tape.recorder,
      });
      assert.ok(Object.is(await tools[0].invoke(value), value));
      assert.equal(tape.recorder.run.status, 'partial');
      assert.ok(tape.lines.length > 0);
    });
  }

  it('a model that says odd things of itself', async () => {
    const tape = recording();
    const target = openai(provider.url);
    target._llmType = () => {
      throw new Error('odd');
    };
    const { model } = await withRewind({ model: target, recorder: tape.recorder });
    assert.match((await model.invoke('Hello')).content, /^An answer/);
    assert.equal(tape.recorder.run.status, 'partial');
  });

  it('options that are odd', async () => {
    for (const options of [undefined, null, {}, { model: 7, tools: 'x' }]) {
      const { model, tools, wrap } = await withRewind(options);
      assert.deepEqual([model, tools], [options?.model, options?.tools]);
      assert.equal(wrap(options), options);
    }
  });
});

describe('by the environment', () => {
  const SCRIPT = `
    import { withRewind } from '@krishnadobhal/rewind-sdk-js/middleware';
    const model = { _llmType: () => 'mine', model: 'm', invoke: async () => 'said' };
    const tool = { name: 't', schema: {}, invoke: async () => 'done' };
    const tools = [tool];
    const rewind = await withRewind({ model, tools });
    const again = await withRewind({ model });
    await rewind.model.invoke('Hello');
    await again.model.invoke('Hello');
    await rewind.tools[0].invoke({});
    console.log(rewind.model === model, rewind.tools === tools, rewind.wrap(tool) === tool, rewind.recorder === again.recorder, rewind.recorder === null);
  `;
  const run = (variables, before = '') => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'node_modules', '@krishnadobhal'), { recursive: true });
    symlinkSync(root, join(folder, 'node_modules', '@krishnadobhal', 'rewind-sdk-js'), 'junction');
    writeFileSync(join(folder, 'agent.mjs'), before + SCRIPT);
    const clean = Object.entries(process.env).filter(([name]) => !/^(REWIND|NODE)_/.test(name));
    const env = { ...Object.fromEntries(clean), ...variables };
    return { folder, ...spawnSync(process.execPath, ['agent.mjs'], { cwd: folder, env, encoding: 'utf8' }) };
  };

  it('off: the very same objects', () => {
    const { stdout, stderr } = run({});
    assert.deepEqual([stdout, stderr], ['true true true true true\n', '']);
  });

  it('on: one recorder, one run', () => {
    const { folder, stdout, stderr } = run({ REWIND_ENABLED: '1' });
    assert.deepEqual([stdout, stderr], ['false false false true false\n', '']);
    const [id, ...others] = listRuns(join(folder, '.rewind'));
    assert.deepEqual(others, []);
    const { run: recorded, steps } = readTrace(join(folder, '.rewind'), id);
    assert.deepEqual([recorded.status, steps.map(({ kind }) => kind)], ['complete', ['model', 'model', 'tool']]);
  });

  const elsewhere = "Object.defineProperty(process, 'arch', { value: 'none' });\n";

  it('an addon that cannot be loaded: one warning, and the same recording', () => {
    const [there, here] = [run({ REWIND_ENABLED: '1' }, elsewhere), run({ REWIND_ENABLED: '1' })];
    assert.equal(there.stdout, here.stdout);
    assert.match(there.stderr, /^[^\n]*\[TAPEPROOF_FALLBACK\] TapeproofWarning: [^\n]*\n[^\n]*\n$/);
    const [expected, actual] = [here, there].map(({ folder }) => {
      const [id] = listRuns(join(folder, '.rewind'));
      const { run: recorded, steps } = readTrace(join(folder, '.rewind'), id);
      return [recorded.status, steps.map(({ req_hash, response_hash }) => [req_hash, response_hash])];
    });
    assert.deepEqual(actual, expected);
  });

  it('an addon that cannot be loaded and is asked for: one warning, the very same objects', () => {
    const { stdout, stderr } = run({ REWIND_ENABLED: '1', TAPEPROOF_REQUIRE_NATIVE: '1' }, elsewhere);
    assert.equal(stdout, 'true true true true true\n');
    assert.match(stderr, /^tapeproof: not recording: [^\n]*ERR_TAPEPROOF_ADDON[^\n]*\n$/);
  });
});

function refuse() {
  throw new Error('refused');
}

function cyclic() {
  const value = {};
  value.again = value;
  return value;
}
