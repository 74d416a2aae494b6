// What is not observed, as docs/recording.md says, and what to do instead.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { InMemoryCache } from '@langchain/core/caches';
import { createReactAgent, ToolNode } from '@langchain/langgraph/prebuilt';
import { createAgent, summarizationMiddleware } from 'langchain';
import { initChatModel } from 'langchain/chat_models/universal';
import { withRewind } from 'tapeproof/middleware';
import { Counter, provider } from './cases.mjs';
import { GRAPHS, KEY, MODELS, weather } from './matrix.mjs';
import { recording } from './recording.mjs';

after(() => provider.close());

const ask = content => ({ messages: [{ role: 'user', content }] });

/** Runs an agent that `make` makes, and counts: requests received, steps recorded, calls as the framework tells them. */
async function count(make, input = ask('Hello')) {
  provider.reset();
  const tape = recording();
  const raw = MODELS.ChatOpenAI(provider.url);
  const rewind = await withRewind({ model: raw, tools: [weather()], recorder: tape.recorder });
  const counter = new Counter();
  await (await make(rewind, raw)).invoke(input, { callbacks: [counter] });
  return {
    sent: provider.state.log.length,
    models: tape.of('model').length,
    told: counter.models,
    tools: tape.of('tool').length,
  };
}

describe('not observed', () => {
  const byName = 'openai:gpt-4o-mini';
  const environment = { OPENAI_BASE_URL: undefined, OPENAI_API_KEY: KEY };
  const named = async run => {
    const before = Object.keys(environment).map(name => [name, process.env[name]]);
    Object.assign(process.env, { ...environment, OPENAI_BASE_URL: `${provider.url}/v1` });
    try {
      return await run();
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  };

  it('a model by its name; wrapped, it is', async () => {
    assert.deepEqual(await named(() => count(() => createAgent({ model: byName, tools: [] }))), {
      sent: 1,
      models: 0,
      told: 1,
      tools: 0,
    });
    const wrapped = async ({ wrap }) => createAgent({ model: wrap(await initChatModel(byName)), tools: [] });
    assert.deepEqual(await named(() => count(wrapped)), { sent: 1, models: 1, told: 1, tools: 0 });
  });

  it('a model of middleware; wrapped, it is', async () => {
    const middleware = model =>
      summarizationMiddleware({
        model,
        maxTokensBeforeSummary: 1,
        messagesToKeep: 1,
        trigger: { tokens: 1 },
        keep: { messages: 1 },
      });
    const long = {
      messages: Array.from({ length: 12 }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', content: `Text ${at}` })),
    };
    const agent = inner => (rewind, raw) =>
      createAgent({ model: rewind.model, tools: [], middleware: [middleware(inner(rewind, raw))] });
    const bare = await count(
      agent((_, raw) => raw),
      long,
    );
    assert.equal(bare.sent, bare.told);
    assert.equal(bare.models, bare.sent - 1);
    const wrapped = await count(
      agent(({ wrap }, raw) => wrap(raw)),
      long,
    );
    assert.equal(wrapped.models, wrapped.sent);
  });

  it('tools in a node that was made before; made of the wrapped ones, they are', async () => {
    const node = new ToolNode([weather()]);
    const agent = given => rewind => createReactAgent({ llm: rewind.model, tools: given(rewind) });
    assert.equal(
      (
        await count(
          agent(() => node),
          ask(GRAPHS[0].ask),
        )
      ).tools,
      0,
    );
    assert.equal(
      (
        await count(
          agent(({ tools }) => new ToolNode(tools)),
          ask(GRAPHS[0].ask),
        )
      ).tools,
      2,
    );
  });

  it('what is within a model', async () => {
    const found = await count(({ model }) => model.completions, 'Hello');
    assert.deepEqual([found.sent, found.models], [1, 0]);
  });

  it('an answer out of a cache, which is no call', async () => {
    provider.reset();
    const tape = recording();
    const raw = MODELS.ChatOpenAI(provider.url, { cache: new InMemoryCache() });
    const { model } = await withRewind({ model: raw, recorder: tape.recorder });
    const said = [await model.invoke('Hello'), await model.invoke('Hello')];
    assert.equal(said[0].content, said[1].content);
    assert.deepEqual([provider.state.log.length, tape.steps.length], [1, 1]);
  });
});
