// Every way in which a tool is called, and every way in which its call ends.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { ToolMessage } from '@langchain/core/messages';
import { RunnableLambda } from '@langchain/core/runnables';
import { DynamicTool, tool } from '@langchain/core/tools';
import { Command, END, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { createReactAgent, ToolNode } from '@langchain/langgraph/prebuilt';
import { createAgent } from 'langchain';
import { withRewind } from 'tapeproof/middleware';
import { z } from 'zod';
import { nodesOf, observe, provider } from './cases.mjs';
import { MODELS, parts, weather } from './matrix.mjs';
import { recording } from './recording.mjs';

after(() => provider.close());

const model = () => MODELS.ChatOpenAI(provider.url);
const CALL = { name: 'get_weather', args: { city: 'Paris' }, id: 'call_x', type: 'tool_call' };
const ARGS = { city: 'Paris' };
const SAID = '21 degrees in Paris';

const made = (run, more) => () =>
  tool(run, { name: 't', description: 'A tool', schema: z.object({ n: z.number() }), ...more });
const asked = content => ({ messages: [{ role: 'user', content }] });
const use = args => asked(`use t with ${JSON.stringify(args)}`);

async function* given(...inputs) {
  yield* inputs;
}

/** The steps of tools as `[name, args, response, error's name]`. */
const told = ({ tape }) =>
  tape
    .of('tool')
    .map(({ request, response, error }) => [request.tool_name, request.args, response, error?.name ?? null]);

const MESSAGE = { role: 'tool', content: SAID, tool_call_id: 'call_x', name: 'get_weather' };

describe('tools called directly', () => {
  for (const [name, run, response, more] of [
    ['invoke with arguments', each => each.invoke(ARGS), SAID],
    ['invoke with a call', each => each.invoke(CALL), MESSAGE],
    ['call', each => each.call(ARGS), SAID],
    ['stream', async each => parts(await each.stream(ARGS)), SAID],
    ['streamEvents', each => parts(each.streamEvents(ARGS, { version: 'v2' })), SAID],
    ['withRetry', each => each.withRetry().invoke(ARGS), SAID],
    ['withConfig', each => each.withConfig({ tags: ['t'] }).invoke(ARGS), SAID],
    [
      'within a sequence',
      each =>
        RunnableLambda.from(city => ({ city }))
          .pipe(each)
          .invoke('Paris'),
      SAID,
    ],
    ['with a config', each => each.invoke(ARGS, { runName: 'mine' }), SAID, { node: 'mine' }],
  ]) {
    it(name, async () => {
      const seen = await observe(({ tools: [each] }) => run(each), { model, tools: [weather] });
      assert.equal(seen.outcome.error, undefined);
      const [[tool_name, args, found, error], ...others] = told(seen);
      assert.deepEqual([tool_name, args, error, others], ['get_weather', ARGS, null, []]);
      if (typeof response === 'string') assert.equal(found, response);
      else for (const [key, value] of Object.entries(response)) assert.equal(found[key], value, key);
      assert.deepEqual(nodesOf(seen.tape.steps), [more?.node ?? 'unknown']);
    });
  }

  it('batch', async () => {
    const seen = await observe(({ tools: [each] }) => each.batch([ARGS, { city: 'Rome' }]), {
      model,
      tools: [weather],
    });
    assert.deepEqual(told(seen), [
      ['get_weather', ARGS, SAID, null],
      ['get_weather', { city: 'Rome' }, '21 degrees in Rome', null],
    ]);
  });

  it('what a tool was made of is not the tool', async () => {
    const seen = await observe(({ tools: [each] }) => each.func(ARGS), { model, tools: [weather] });
    assert.equal(seen.outcome.value, SAID);
    assert.deepEqual(told(seen), []);
  });

  for (const [name, make, input, response] of [
    [
      'a text for a tool of text',
      () => new DynamicTool({ name: 't', description: '', func: async text => `${text}!` }),
      'hi',
      'hi!',
    ],
    ['an object', made(({ n }) => ({ n, deep: [{ n }] })), { n: 1 }, { n: 1, deep: [{ n: 1 }] }],
    ['nothing', made(() => undefined), { n: 1 }, null],
    [
      'an artifact',
      made(({ n }) => [`${n}`, { rows: [n] }], { responseFormat: 'content_and_artifact' }),
      { n: 1 },
      '1',
    ],
    [
      'a generator',
      made(async function* ({ n }) {
        yield 'half';
        return `whole ${n}`;
      }),
      { n: 1 },
      undefined,
    ],
    [
      'a Command',
      made(
        ({ n }) =>
          new Command({
            goto: 'there',
            update: { n, messages: [new ToolMessage({ content: 'c', tool_call_id: 'x' })] },
          }),
      ),
      { n: 1 },
      undefined,
    ],
    ['bytes and dates', made(() => ({ at: new Date(0), bytes: new Uint8Array([1, 2]) })), { n: 1 }, undefined],
  ]) {
    it(`gives ${name}`, async () => {
      const seen = await observe(({ tools: [each] }) => each.invoke(input), { model, tools: [make] });
      assert.equal(seen.outcome.error, undefined);
      const [[, args, found]] = told(seen);
      assert.deepEqual(args, input);
      if (response !== undefined) assert.deepEqual(found, response);
      else assert.ok(found);
    });
  }

  it('a Command is recorded with its messages', async () => {
    const make = made(
      () =>
        new Command({ goto: 'there', update: { messages: [new ToolMessage({ content: 'c', tool_call_id: 'x' })] } }),
    );
    const seen = await observe(({ tools: [each] }) => each.invoke({ n: 1 }), { model, tools: [make] });
    const [[, , { goto, update }]] = told(seen);
    assert.deepEqual(goto, ['there']);
    assert.deepEqual(update.messages, [{ role: 'tool', content: 'c', tool_call_id: 'x' }]);
  });

  it('an artifact is recorded beside the content', async () => {
    const make = made(({ n }) => [`${n}`, { rows: [n] }], { responseFormat: 'content_and_artifact' });
    const call = { name: 't', args: { n: 1 }, id: 'call_x', type: 'tool_call' };
    const seen = await observe(({ tools: [each] }) => each.invoke(call), { model, tools: [make] });
    const [[, , { content, artifact }]] = told(seen);
    assert.deepEqual([content, artifact], ['1', { rows: [1] }]);
  });
});

describe('tools that throw', () => {
  class Refused extends Error {
    name = 'Refused';
  }
  const refusing = made(() => {
    throw new Refused('no');
  });

  it('the error goes on, and is recorded', async () => {
    const seen = await observe(({ tools: [each] }) => each.invoke({ n: 1 }), { model, tools: [refusing] });
    assert.ok(seen.outcome.error instanceof Refused);
    assert.deepEqual(told(seen), [['t', { n: 1 }, null, 'Refused']]);
    assert.deepEqual(seen.tape.steps[0].error, { name: 'Refused', message: 'no' });
  });

  it('arguments that the schema refuses', async () => {
    const seen = await observe(({ tools: [each] }) => each.invoke({ n: 'one' }), { model, tools: [weatherless()] });
    assert.ok(seen.outcome.error);
    const [[, args, response, error]] = told(seen);
    assert.deepEqual([args, response], [{ n: 'one' }, null]);
    assert.ok(error);
  });

  for (const [name, thrown] of [
    ['a text', 'just text'],
    ['undefined', undefined],
    ['an object without a prototype', Object.assign(Object.create(null), { code: 7 })],
    ['a revoked Proxy', revoked()],
  ]) {
    it(`throws ${name}`, async () => {
      const tape = recording();
      const each = { name: 'mine', invoke: () => Promise.reject(thrown) };
      const { tools } = await withRewind({ tools: [each], recorder: tape.recorder });
      let caught = 'nothing';
      await tools[0].invoke({}).catch(error => {
        caught = error;
      });
      assert.ok(Object.is(caught, thrown));
      assert.equal(tape.steps.length, 1);
      assert.equal(tape.steps[0].response, null);
      assert.notEqual(tape.steps[0].error, null);
    });
  }

  for (const [name, agent] of [
    ['createReactAgent', rewind => createReactAgent({ llm: rewind.model, tools: rewind.tools })],
    [
      'ToolNode that handles errors',
      rewind => createReactAgent({ llm: rewind.model, tools: new ToolNode(rewind.tools) }),
    ],
    ['createAgent', rewind => createAgent({ model: rewind.model, tools: rewind.tools })],
  ]) {
    it(`${name}: what the agent makes of it is the same`, async () => {
      const seen = await observe(rewind => agent(rewind).invoke(use({ n: 1 })), { model, tools: [refusing] });
      assert.deepEqual(told(seen), [['t', { n: 1 }, null, 'Refused']]);
      assert.deepEqual(nodesOf(seen.tape.of('tool')), ['tools']);
    });
  }
});

describe('tools that interrupt', () => {
  const asking = made(({ n }) => `${n}: ${interrupt({ question: n })}`);

  for (const [name, agent] of [
    [
      'createReactAgent',
      rewind => createReactAgent({ llm: rewind.model, tools: rewind.tools, checkpointer: new MemorySaver() }),
    ],
    [
      'createAgent',
      rewind => createAgent({ model: rewind.model, tools: rewind.tools, checkpointer: new MemorySaver() }),
    ],
  ]) {
    it(`${name}: passed on, marked, and run again on resume`, async () => {
      const program = async rewind => {
        const graph = agent(rewind);
        const config = { configurable: { thread_id: '7' } };
        const first = await graph.invoke(use({ n: 1 }), config);
        return [first, await graph.invoke(new Command({ resume: 'yes' }), config)];
      };
      const seen = await observe(program, { model, tools: [asking] });
      assert.equal(seen.outcome.error, undefined);
      const [one, other, ...rest] = told(seen);
      assert.deepEqual(one, ['t', { n: 1 }, null, 'GraphInterrupt']);
      assert.deepEqual([other[0], other[1], other[2].content, other[3]], ['t', { n: 1 }, '1: yes', null]);
      assert.deepEqual(rest, []);
      assert.equal(seen.tape.of('model').length, 2);
      const [before, after] = seen.tape.of('tool');
      assert.equal(before.req_hash, after.req_hash);
    });
  }
});

describe('tools in graphs', () => {
  const BOTH = asked('What is the weather in Paris and Rome?');
  for (const [name, agent] of [
    ['createReactAgent', rewind => createReactAgent({ llm: rewind.model, tools: rewind.tools })],
    [
      'createReactAgent, one task a call',
      rewind => createReactAgent({ llm: rewind.model, tools: rewind.tools, version: 'v2' }),
    ],
    ['createAgent', rewind => createAgent({ model: rewind.model, tools: rewind.tools })],
  ]) {
    it(`${name}: in parallel, in the order of the calls`, async () => {
      const seen = await observe(rewind => agent(rewind).invoke(BOTH), { model, tools: [weather] });
      assert.deepEqual(
        told(seen).map(([, { city }]) => city),
        ['Paris', 'Rome'],
      );
      assert.deepEqual(
        seen.tape.steps.map(({ seq }) => seq),
        [0, 1, 2, 3],
      );
    });
  }

  it('a subgraph as a tool, and the calls within it', async () => {
    const program = ({ model: given, tools: [inner], wrap }) => {
      const graph = new StateGraph(MessagesAnnotation)
        .addNode('expert', async state => {
          const said = await given.bindTools([inner]).invoke(state.messages);
          const call = { ...said.tool_calls[0], type: 'tool_call' };
          return { messages: [said, await inner.invoke(call)] };
        })
        .addEdge(START, 'expert')
        .addEdge('expert', END)
        .compile();
      const outer = wrap(
        tool(async ({ n }) => (await graph.invoke(asked(`What is the weather in City${n}?`))).messages.at(-1).content, {
          name: 't',
          description: 'Asks',
          schema: z.object({ n: z.number() }),
        }),
      );
      return createReactAgent({ llm: given, tools: [outer] }).invoke(use({ n: 1 }));
    };
    const seen = await observe(program, { model, tools: [weather] });
    assert.equal(seen.outcome.error, undefined);
    assert.deepEqual(
      seen.tape.steps.map(({ node, kind }) => `${node} ${kind}`),
      ['agent model', 'tools tool', 'expert model', 'expert tool', 'agent model'],
    );
  });
});

describe('runnables in the form of a tool', () => {
  const like = () =>
    RunnableLambda.from(text => `${text}!`).asTool({ name: 'shout', description: 'Shouts', schema: z.string() });
  for (const [name, run, calls = [['hi', 'hi!']]] of [
    ['invoke', each => each.invoke('hi')],
    [
      'batch',
      each => each.batch(['hi', 'ho']),
      [
        ['hi', 'hi!'],
        ['ho', 'ho!'],
      ],
    ],
    ['stream', async each => parts(await each.stream('hi'))],
    ['transform', each => parts(each.transform(given('h', 'i'), {}))],
    [
      'within a sequence that streams',
      async each =>
        parts(
          await RunnableLambda.from(text => text)
            .pipe(each)
            .stream('hi'),
        ),
    ],
  ]) {
    it(name, async () => {
      const seen = await observe(({ tools: [each] }) => run(each), { model, tools: [like] });
      assert.equal(seen.outcome.error, undefined);
      assert.deepEqual(
        told(seen),
        calls.map(([args, response]) => ['shout', args, response, null]),
      );
    });
  }
});

describe('tools that are no tools of LangChain', () => {
  it('those of the provider stay as they are', async () => {
    const server = [{ type: 'web_search' }, 'a name', null];
    const { tools } = await withRewind({ tools: server, recorder: recording().recorder });
    assert.deepEqual(tools, server);
    assert.ok(tools.every((each, index) => each === server[index]));
  });

  it('anything with a name and invoke, frozen too', async () => {
    for (const freeze of [each => each, Object.freeze]) {
      const tape = recording();
      const each = freeze({ name: 'mine', invoke: async ({ n }) => n + 1, schema: {}, more: () => 'more' });
      const { tools } = await withRewind({ tools: [each], recorder: tape.recorder });
      assert.equal(await tools[0].invoke({ n: 1 }), 2);
      assert.equal(tools[0].more, each.more);
      assert.deepEqual(Object.keys(tools[0]), Object.keys(each));
      assert.deepEqual(told({ tape }), [['mine', { n: 1 }, 2, null]]);
    }
  });

  it('a frozen one stays what it is', async () => {
    const each = Object.freeze({ name: 'mine', invoke: async () => 1 });
    const { tools } = await withRewind({ tools: [each], recorder: recording().recorder });
    assert.throws(() => {
      tools[0].name = 'other';
    }, TypeError);
    assert.equal(tools[0].name, 'mine');
  });

  it('a tool by the name that it has when it is called', async () => {
    const tape = recording();
    const { tools } = await withRewind({ tools: [{ name: 'one', invoke: async () => 1 }], recorder: tape.recorder });
    tools[0].name = 'other';
    await tools[0].invoke({});
    assert.deepEqual(told({ tape }), [['other', {}, 1, null]]);
  });
});

function weatherless() {
  return made(() => 'never');
}

function revoked() {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
