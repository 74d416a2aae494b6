// Whoever uses a stand-in notices nothing: errors, aborts, timeouts, order, identity and classes are the target's.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChatAnthropic } from '@langchain/anthropic';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage } from '@langchain/core/messages';
import { StringOutputParser } from '@langchain/core/output_parsers';
import { Runnable, RunnableBinding, RunnableLambda, RunnableSequence } from '@langchain/core/runnables';
import { StructuredTool } from '@langchain/core/tools';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent } from 'langchain';
import { withRewind } from 'tapeproof/middleware';
import { assertComplete, observe, outcome, provider } from './cases.mjs';
import { MODELS, parts, weather } from './matrix.mjs';
import { recording } from './recording.mjs';

after(() => provider.close());

const pairs = Object.entries(MODELS).filter(([title]) => /^Chat\w+$/.test(title));
const wrapped = async (model, tools) => {
  const tape = recording();
  return { tape, ...(await withRewind({ model, tools, recorder: tape.recorder })) };
};

for (const [title, make] of pairs) {
  const model = more => () => make(provider.url, more);

  describe(`errors of ${title}`, () => {
    for (const [name, run] of [
      ['invoke', each => each.invoke('Hello')],
      ['bindTools invoke', each => each.bindTools([weather()]).invoke('Hello')],
      ['stream', async each => parts(await each.stream('Hello'))],
      ['batch', each => each.batch(['Hello'])],
      ['streamEvents', each => parts(each.streamEvents('Hello', { version: 'v2' }))],
    ]) {
      it(`${name}: a refused request`, async () => {
        const program = rewind => {
          provider.state.failures.push(400);
          return run(rewind.model);
        };
        const { tape, received, outcome: seen } = await observe(program, { model: model() });
        assert.equal(received.length, 1);
        assert.equal(seen.error.status, 400);
        const [step, ...others] = tape.steps;
        assert.deepEqual(others, []);
        assert.equal(step.response, null);
        assert.equal(step.error.name, seen.error.name);
        assert.equal(step.error.message, seen.error.message);
      });
    }

    it('withFallbacks: the model that fails and the one that answers', async () => {
      const program = rewind => {
        provider.state.failures.push(500);
        return rewind.model.withFallbacks([rewind.wrap(make(provider.url, { temperature: 0.1 }))]).invoke('Hello');
      };
      const { tape, received } = await observe(program, { model: model() });
      assert.equal(received.length, 2);
      assert.deepEqual(
        tape.steps.map(({ error }) => error === null),
        [false, true],
      );
    });

    it('withRetry: a step for every attempt', async () => {
      const program = rewind => {
        provider.state.failures.push(500);
        return rewind.model.withRetry({ stopAfterAttempt: 2 }).invoke('Hello');
      };
      const { tape, received, outcome: seen } = await observe(program, { model: model(), twice: false });
      assert.equal(seen.error, undefined);
      assert.equal(received.length, 2);
      assert.deepEqual(
        tape.steps.map(({ error }) => error === null),
        [false, true],
      );
    });

    it('the client retries below: one step, as the agent made one call', async () => {
      const program = rewind => {
        provider.state.failures.push(503);
        return rewind.model.invoke('Hello');
      };
      const { tape, received } = await observe(program, { model: model({ maxRetries: 1 }) });
      assert.equal(received.length, 2);
      assert.equal(tape.steps.length, 1);
    });
  });

  describe(`aborts and timeouts of ${title}`, () => {
    // The provider answers nothing; the agent gives up when its request has arrived, or after a time.
    const hanging = run => async rewind => {
      const controller = new AbortController();
      provider.state.pause = () => {
        controller.abort();
        return sleep(1500, undefined, { ref: false });
      };
      const { error, value } = await outcome(() => run(rewind.model, controller.signal));
      return { name: error?.name, message: error?.message, value };
    };
    for (const [name, run] of [
      ['invoke, aborted', (each, signal) => each.invoke('Hello', { signal })],
      ['stream, aborted', async (each, signal) => parts(await each.stream('Hello', { signal }))],
      ['bindTools, aborted', (each, signal) => each.bindTools([weather()]).invoke('Hello', { signal })],
      ['invoke, aborted before', each => each.invoke('Hello', { signal: AbortSignal.abort() })],
      ['invoke, timeout', each => each.invoke('Hello', { timeout: 200 })],
    ]) {
      it(name, async () => {
        const { tape, received, outcome: seen } = await observe(hanging(run), { model: model(), sends: false });
        assert.ok(seen.value.name);
        // The client may give up after the agent did.
        for (let waited = 0; tape.steps.length < received.length && waited < 200; waited++) await sleep(10);
        assert.ok(tape.steps.every(({ error }) => error !== null));
        assert.ok(tape.steps.length >= received.length);
      });
    }

    it('a stream that is left', async () => {
      const text = 'Hello '.repeat(500);
      const program = async ({ model: each }) => {
        const said = [];
        for await (const { content } of await each.stream(text)) {
          said.push(content);
          if (said.length === 3) break;
        }
        return said;
      };
      const { tape, outcome: seen } = await observe(program, { model: model() });
      assert.equal(seen.value.length, 3);
      for (let waited = 0; tape.steps.length === 0 && waited < 200; waited++) await sleep(10);
      const [{ error, response }] = tape.steps;
      assert.equal(error.name, 'StreamLeft');
      const part = typeof response.content === 'string' ? response.content : response.content[0].text;
      assert.match(part, /^An answer/);
      assert.ok(part.length < text.length);
    });

    it('concurrency', async () => {
      const inputs = Array.from({ length: 12 }, (_, index) => `Number ${index}`);
      const program = async ({ model: each }) => {
        let most = 0;
        const waiting = [];
        provider.state.pause = () =>
          new Promise(resolve => {
            most = Math.max(most, waiting.push(resolve));
            if (waiting.length === 3) for (const go of waiting.splice(0)) go();
          });
        const answers = await each.batch(inputs, { maxConcurrency: 3 });
        return { most, said: answers.map(({ content }) => content) };
      };
      const seen = await observe(program, { model: model(), twice: false });
      assert.equal(seen.outcome.value.most, 3);
      assert.deepEqual(
        seen.outcome.value.said,
        inputs.map(text => `An answer to “${text}”, é.`),
      );
      assertComplete(seen);
    });
  });
}

describe('identity', () => {
  const bare = MODELS.ChatOpenAI(provider.url);
  const tool = weather();

  it('classes, names, JSON', async () => {
    const { model, tools } = await wrapped(bare, [tool]);
    assert.ok(model instanceof ChatOpenAI && model instanceof BaseChatModel && model instanceof Runnable);
    assert.ok(tools[0] instanceof StructuredTool);
    assert.equal(model.constructor, ChatOpenAI);
    assert.ok(Runnable.isRunnable(model) && Runnable.isRunnable(tools[0]));
    assert.equal(model.getName(), bare.getName());
    assert.deepEqual(model.lc_id, bare.lc_id);
    assert.deepEqual(model.toJSON(), bare.toJSON());
    assert.equal(JSON.stringify(model), JSON.stringify(bare));
    assert.equal(JSON.stringify(tools[0]), JSON.stringify(tool));
    assert.deepEqual(Object.keys(model), Object.keys(bare));
    assert.equal(model.invoke.name, bare.invoke.name);
    assert.equal(tools[0].schema, tool.schema);
    assert.equal(tools[0].func, tool.func);
  });

  it('one stand-in for one thing, and no stand-in for a stand-in', async () => {
    const { model, tools, wrap } = await wrapped(bare, [tool]);
    assert.equal(wrap(bare), model);
    assert.equal(wrap(model), model);
    assert.equal(wrap(tool), tools[0]);
    assert.equal(model.invoke, model.invoke);
    assert.notEqual(model, bare);
    for (const value of [undefined, null, 7, 'openai:gpt-4o', {}, [], () => 1]) assert.equal(wrap(value), value);
  });

  it('another recorder has another one, and each call is recorded once', async () => {
    provider.reset();
    const one = await wrapped(bare);
    const other = await wrapped(one.model);
    await other.model.invoke('Hello');
    assert.equal(one.tape.steps.length + other.tape.steps.length, 1);
    assert.equal(other.tape.steps.length, 1);
  });

  it('fields are set on the target', async () => {
    const target = MODELS.ChatOpenAI(provider.url);
    const { model } = await wrapped(target);
    model.temperature = 0.1;
    assert.equal(target.temperature, 0.1);
    assert.ok('temperature' in model);
  });

  it('createAgent takes the tools that it was given', async () => {
    const { model, tools } = await wrapped(bare, [tool]);
    const agent = createAgent({ model, tools });
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'What is the weather in Paris?' }] });
    assert.ok(messages.at(-1) instanceof AIMessage);
  });

  it('what a model has not it has not', async () => {
    const target = new FakeListChatModel({ responses: ['one', 'two'] });
    class NoStream extends BaseChatModel {
      _llmType() {
        return 'none';
      }
      async _generate() {
        return { generations: [{ text: 'whole', message: new AIMessage('whole') }] };
      }
    }
    const { model, wrap, tape } = await wrapped(new NoStream({}));
    assert.equal(model._streamResponseChunks, BaseChatModel.prototype._streamResponseChunks);
    assert.deepEqual(
      (await parts(await model.stream('Hello'))).map(({ content }) => content),
      ['whole'],
    );
    assert.equal((await wrap(target).invoke('Hello')).content, 'one');
    assert.deepEqual(
      tape.steps.map(({ request }) => request.provider),
      ['none', target._llmType()],
    );
  });
});

describe('what is handed in', () => {
  const compositions = {
    'a bound model': model => model.bindTools([weather()]),
    'a sequence': model =>
      RunnableLambda.from(text => text)
        .pipe(model)
        .pipe(new StringOutputParser()),
    'a binding': model => new RunnableBinding({ bound: model, config: {} }),
    retries: model => model.withRetry({ stopAfterAttempt: 1 }),
    fallbacks: model => model.withFallbacks([model]),
    'structured output': model =>
      model.withStructuredOutput({ type: 'object', properties: { a: { type: 'string' } } }, { name: 'extract_a' }),
    'structured output with the message': model =>
      model.withStructuredOutput(
        { type: 'object', properties: { a: { type: 'string' } } },
        { name: 'extract_a', includeRaw: true },
      ),
    'a map': model =>
      RunnableSequence.from([{ one: model, other: model }, said => said.one.content + said.other.content]),
  };
  for (const [title, make] of pairs) {
    for (const [name, compose] of Object.entries(compositions)) {
      it(`${name} of ${title}`, async () => {
        const raw = () => compose(make(provider.url));
        const seen = await observe(({ model }) => model.invoke('Hello'), { model: raw });
        assert.equal(seen.outcome.error, undefined);
        assert.ok(seen.received.length > 0);
        assertComplete(seen);
        const composed = raw();
        const { model, wrap } = await wrapped(composed);
        assert.equal(model.constructor, composed.constructor);
        assert.equal(wrap(composed), model);
      });
    }
  }
});

describe('subclasses with private members', () => {
  class Private extends ChatAnthropic {
    #prefix = 'Dear';
    get prefix() {
      return this.#prefix;
    }
    async invoke(input, options) {
      return super.invoke(`${this.#prefix} ${input}`, options);
    }
    greet(name) {
      return `${this.#prefix} ${name}`;
    }
    async _generate(messages, options, manager) {
      assert.ok(this.#prefix);
      return super._generate(messages, options, manager);
    }
  }
  const make = () => new Private({ model: 'claude-sonnet-4-0', apiKey: 'k', anthropicApiUrl: provider.url });

  it('work, and their calls are recorded', async () => {
    const seen = await observe(async ({ model }) => [model.prefix, model.greet('you'), await model.invoke('you')], {
      model: make,
    });
    assert.equal(seen.outcome.error, undefined);
    assert.equal(seen.tape.steps.length, 1);
    const bound = await observe(({ model }) => model.bindTools([weather()]).invoke('Hello'), { model: make });
    assert.equal(bound.outcome.error, undefined);
    assert.equal(bound.tape.steps.length, 1);
  });
});

describe('what a stand-in cannot be', () => {
  it('the target itself, or a structured clone', async () => {
    const { model } = await wrapped(MODELS.ChatOpenAI(provider.url));
    assert.throws(() => structuredClone(model), { name: 'DataCloneError' });
  });
});
