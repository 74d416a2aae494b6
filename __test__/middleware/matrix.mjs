// Every way in which a model is called: the models, the entry points of one, and the graphs and the modes in which a
// graph runs. What is expected of each is in `cases.mjs`.
import { ChatAnthropic } from '@langchain/anthropic';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { StringOutputParser } from '@langchain/core/output_parsers';
import { RunnableLambda } from '@langchain/core/runnables';
import { tool } from '@langchain/core/tools';
import { END, entrypoint, MemorySaver, MessagesAnnotation, START, StateGraph, task } from '@langchain/langgraph';
import { createReactAgent, ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, createMiddleware } from 'langchain';
import { initChatModel } from 'langchain/chat_models/universal';
import { z } from 'zod';

/** Planted where a key goes; nothing that is written may have it. */
export const KEY = 'sk-planted-0123456789abcdefghijklmnop';

/** The event protocol of newer versions of the framework. */
export const hasVersion3 = '_streamChatModelEvents' in BaseChatModel.prototype;

const openai = (url, more) => ({
  model: 'gpt-4o-mini',
  apiKey: KEY,
  temperature: 0.5,
  topP: 0.9,
  maxTokens: 300,
  maxRetries: 0,
  configuration: { baseURL: `${url}/v1` },
  ...more,
});
const anthropic = (url, more) => ({
  model: 'claude-sonnet-4-0',
  apiKey: KEY,
  temperature: 0.5,
  topK: 40,
  maxTokens: 300,
  maxRetries: 0,
  anthropicApiUrl: url,
  ...more,
});

export const MODELS = {
  ChatOpenAI: (url, more) => new ChatOpenAI(openai(url, more)),
  'ChatOpenAI, responses': (url, more) => new ChatOpenAI({ ...openai(url, more), useResponsesApi: true }),
  ChatAnthropic: (url, more) => new ChatAnthropic(anthropic(url, more)),
  initChatModel: (url, more) => initChatModel(undefined, { modelProvider: 'openai', ...openai(url, more) }),
};

export const weather = () =>
  tool(({ city }) => `21 degrees in ${city}`, {
    name: 'get_weather',
    description: 'The weather of a city',
    schema: z.object({ city: z.string().describe('Its name') }),
  });

const FORECAST = z.object({ summary: z.string().describe('In a word'), degrees: z.number() });

/** The parts of a stream, which may be thenable itself. */
export const parts = async stream => {
  const list = [];
  for await (const part of stream) list.push(part);
  return list;
};
const drained = async stream => parts(await stream);

const messages = () => [new HumanMessage('Hello')];
const bound = model => model.bindTools([weather()]);
const named = model => model.withConfig({ runName: 'named', tags: ['t'] });
const structured = model => model.withStructuredOutput(FORECAST, { name: 'forecast' });
const retried = model => model.withRetry({ stopAfterAttempt: 2 });
const fallback = model => model.withFallbacks([model]);
const piped = model => model.pipe(new StringOutputParser());
const fed = model => RunnableLambda.from(text => `${text}!`).pipe(model);
/** Some models name the run after themselves. */
const STRUCTURED = /^(unknown|\w*StructuredOutput)$/;
const ASK = 'What is the weather in Paris?';

async function* given(...inputs) {
  yield* inputs;
}

/** Each takes a model and calls it; `calls` of the provider when not one. */
export const ENTRY_POINTS = [
  { name: 'invoke', run: model => model.invoke(messages()) },
  { name: 'batch', run: model => model.batch(['One', 'Two', 'Three']), calls: 3 },
  { name: 'generate', run: model => model.generate([messages(), messages()]), calls: 2 },
  {
    name: 'generatePrompt',
    run: model => model.generatePrompt([{ toChatMessages: messages, toString: () => 'Hello' }]),
  },
  { name: 'stream', run: model => drained(model.stream('Hello')) },
  { name: 'transform', run: model => drained(model.transform(given('Hello'), {})) },
  { name: 'streamLog', run: model => drained(model.streamLog('Hello')) },
  { name: 'streamEvents v2', run: model => drained(model.streamEvents('Hello', { version: 'v2' })) },
  {
    name: 'streamEvents v3',
    run: model => parts(hasVersion3 ? model.streamEvents('Hello') : model.streamEvents('Hello', { version: 'v1' })),
  },
  {
    name: 'asTool',
    run: model => model.asTool({ name: 'ask', description: 'Ask', schema: z.string() }).invoke('Hello'),
    node: 'ask',
  },
  { name: 'bindTools invoke', run: model => bound(model).invoke(ASK) },
  { name: 'bindTools stream', run: model => drained(bound(model).stream(ASK)) },
  { name: 'withConfig invoke', run: model => named(model).invoke('Hello'), node: 'named' },
  { name: 'withConfig stream', run: model => drained(named(model).stream('Hello')), node: 'named' },
  { name: 'withStructuredOutput invoke', run: model => structured(model).invoke('Hello'), node: STRUCTURED },
  {
    name: 'withStructuredOutput stream',
    run: model => drained(structured(model).stream('Hello')),
    node: STRUCTURED,
    // Their parsers fail at chunks that have no arguments, without us too.
    failsOn: ['ChatAnthropic', 'ChatOpenAI, responses'],
  },
  { name: 'withRetry invoke', run: model => retried(model).invoke('Hello') },
  { name: 'withRetry stream', run: model => drained(retried(model).stream('Hello')) },
  { name: 'withFallbacks invoke', run: model => fallback(model).invoke('Hello') },
  { name: 'withFallbacks stream', run: model => drained(fallback(model).stream('Hello')) },
  { name: 'withFallbacks batch', run: model => fallback(model).batch(['One', 'Two']), calls: 2 },
  { name: 'withListeners invoke', run: model => model.withListeners({}).invoke('Hello') },
  { name: 'pipe invoke', run: model => piped(model).invoke('Hello') },
  { name: 'pipe stream', run: model => drained(piped(model).stream('Hello')) },
  { name: 'lambda.pipe batch', run: model => fed(model).batch(['One', 'Two']), calls: 2 },
  { name: 'lambda.pipe stream', run: model => drained(fed(model).stream('Hello')) },
];

const BOTH = 'What is the weather in Paris and Rome?';
const looped = (model, tools, name = 'chat') =>
  new StateGraph(MessagesAnnotation)
    .addNode(name, async state => ({ messages: [await model.bindTools(tools).invoke(state.messages)] }))
    .addNode('tools', new ToolNode(tools))
    .addEdge(START, name)
    .addConditionalEdges(name, toolsCondition, ['tools', END])
    .addEdge('tools', name);

/** Each makes a graph of a model and its tools. `nodes`: those of the model calls, in their order. */
export const GRAPHS = [
  {
    name: 'createReactAgent',
    make: (model, tools) => createReactAgent({ llm: model, tools }),
    ask: BOTH,
    nodes: ['agent', 'agent'],
    tools: ['tools', 'tools'],
  },
  {
    name: 'createReactAgent, prompt and send',
    make: (model, tools) => createReactAgent({ llm: model, tools, prompt: 'Be brief.', version: 'v2', name: 'brief' }),
    ask: BOTH,
    nodes: ['agent', 'agent'],
    tools: ['tools', 'tools'],
  },
  {
    name: 'createReactAgent, responseFormat',
    make: (model, tools) => createReactAgent({ llm: model, tools, responseFormat: FORECAST }),
    ask: ASK,
    nodes: ['agent', 'agent', 'generate_structured_response'],
    tools: ['tools'],
    // Parsing the answer fails in some modes on some models, without us too.
    mayFail: true,
  },
  {
    name: 'createAgent',
    make: (model, tools) => createAgent({ model, tools, systemPrompt: 'Be brief.' }),
    ask: BOTH,
    nodes: ['model_request', 'model_request'],
    tools: ['tools', 'tools'],
  },
  {
    name: 'createAgent, middleware',
    make: (model, tools) =>
      createAgent({
        model,
        tools,
        middleware: [
          createMiddleware({
            name: 'Warmer',
            wrapModelCall: (request, handler) => handler({ ...request, messages: [...request.messages] }),
            beforeModel: state => ({ messages: state.messages.slice(0, 0) }),
          }),
        ],
      }),
    ask: ASK,
    nodes: ['model_request', 'model_request'],
    tools: ['tools'],
  },
  {
    name: 'StateGraph, ToolNode',
    make: (model, tools) => looped(model, tools).compile({ checkpointer: new MemorySaver() }),
    config: { configurable: { thread_id: '7' } },
    ask: BOTH,
    nodes: ['chat', 'chat'],
    tools: ['tools', 'tools'],
  },
  {
    name: 'subgraph',
    make: (model, tools) =>
      new StateGraph(MessagesAnnotation)
        .addNode('inner', looped(model, tools, 'expert').compile())
        .addNode('outer', async state => ({ messages: [await model.invoke(state.messages.slice(0, 1))] }))
        .addEdge(START, 'inner')
        .addEdge('inner', 'outer')
        .compile(),
    ask: ASK,
    nodes: ['expert', 'expert', 'outer'],
    tools: ['tools'],
  },
  {
    name: 'functional API',
    make: (model, tools) => {
      const think = task('think', asked => model.bindTools(tools).invoke(asked));
      const act = task('act', call => tools[0].invoke(call));
      return entrypoint({ name: 'flow' }, async ({ messages: asked }) => {
        const said = await think(asked);
        const results = await Promise.all(said.tool_calls.map(call => act({ ...call, type: 'tool_call' })));
        const last = await model.invoke([...asked, said, ...results]);
        return { messages: [last] };
      });
    },
    ask: ASK,
    nodes: ['think', 'flow'],
    tools: ['act'],
    // No reducer gives ids here: some messages have one only when somebody listens.
    withoutIds: true,
  },
  {
    name: 'a model within a tool, a model that streams',
    make: (model, _, wrap) => {
      const expert = wrap(
        tool(async ({ question }) => (await model.invoke(question)).content, {
          name: 'expert',
          description: 'Knows',
          schema: z.object({ question: z.string() }),
        }),
      );
      return new StateGraph(MessagesAnnotation)
        .addNode('ask', async () => ({ messages: [new AIMessage(String(await expert.invoke({ question: 'Why?' })))] }))
        .addNode('streams', async () => {
          const said = await drained(model.stream('Because', { metadata: { mine: true } }));
          return { messages: [new AIMessage(said.map(({ content }) => JSON.stringify(content)).join(''))] };
        })
        .addEdge(START, 'ask')
        .addEdge('ask', 'streams')
        .compile();
    },
    ask: 'Why?',
    nodes: ['ask', 'streams'],
    tools: ['ask'],
  },
];

export const MODES = [
  { name: 'invoke', run: (graph, input, config) => graph.invoke(input, config) },
  {
    name: 'stream values',
    run: (graph, input, config) => drained(graph.stream(input, { ...config, streamMode: 'values' })),
  },
  {
    name: 'stream messages',
    run: (graph, input, config) =>
      drained(graph.stream(input, { ...config, streamMode: ['messages', 'updates'], subgraphs: true })),
  },
  {
    name: 'streamEvents v2',
    run: (graph, input, config) => drained(graph.streamEvents(input, { ...config, version: 'v2' })),
  },
  {
    name: 'streamEvents v3',
    since3: true,
    run: async (graph, input, config) => {
      const run = await graph.streamEvents(input, { ...config, version: 'v3' });
      const events = await drained(run);
      return { events: events.length, output: await run.output };
    },
  },
];
