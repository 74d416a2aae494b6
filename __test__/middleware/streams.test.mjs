// Streams of one's own: whatever a model gives, its caller gets the same, and what passed is recorded.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { LLM } from '@langchain/core/language_models/llms';
import { GenerationChunk } from '@langchain/core/outputs';
import { RunnableLambda } from '@langchain/core/runnables';
import { withRewind } from 'tapeproof/middleware';
import { z } from 'zod';
import { outcome } from './cases.mjs';
import { parts } from './matrix.mjs';
import { recording } from './recording.mjs';
import { shape } from './shape.mjs';

class Emitter extends EventEmitter {
  final = 'final';
  async *[Symbol.asyncIterator]() {
    yield 'a';
    yield 'b';
  }
}

class Private {
  #pieces = ['a', 'b'];
  *[Symbol.iterator]() {
    yield* this.#pieces;
  }
  async *[Symbol.asyncIterator]() {
    yield* this.#pieces;
  }
  count() {
    return this.#pieces.length;
  }
}

const listed = iterable => [...iterable];

/** What `stream` gives, what is done with it, and what is recorded: the response and the name of the error. */
const ROWS = [
  ['an array', () => ['a', 'b'], listed, 'ab'],
  [
    'a generator',
    function* () {
      yield 'a';
      yield 'b';
    },
    listed,
    'ab',
  ],
  [
    'an emitter',
    () => new Emitter(),
    async each => [await parts(each.on('x', () => {})), each.final, each instanceof Emitter],
    'ab',
  ],
  ['private members', async () => new Private(), async each => [await parts(each), each.count()], 'ab'],
  ['private members, at once', () => new Private(), each => [listed(each), each.count()], 'ab'],
  ['a stream of Node', () => Readable.from(['a', 'b']), parts, 'ab'],
  ['a stream of the web', () => ReadableStream.from(['a', 'b']), parts, 'ab'],
  [
    'a stream of the web in two',
    async () => ReadableStream.from(['a', 'b']),
    each => Promise.all(each.tee().map(parts)),
    'ab',
  ],
  ['no prototype', () => Object.setPrototypeOf({ [Symbol.iterator]: () => ['a', 'b'].values() }, null), listed, 'ab'],
  ['nothing to iterate over', () => ({ on: 1 }), ({ on }) => on, { on: 1 }],
  ['nothing', () => undefined, each => each, null],
  [
    'what is thrown into it',
    async function* () {
      try {
        yield 'a';
      } catch (error) {
        yield `caught ${error}`;
      }
    },
    async each => [await each.next(), await each.throw('it'), await each.next()],
    'acaught it',
  ],
  [
    'what it says last',
    async function* () {
      try {
        yield 'a';
      } finally {
        yield 'late';
      }
    },
    async each => [await each.next(), await each.return('left'), await each.next()],
    'a',
    'StreamLeft',
  ],
  [
    'what it is told',
    async function* () {
      yield yield 'a';
    },
    async each => [await each.next(), await each.next('b'), await each.next()],
    'ab',
  ],
  [
    'an error in it',
    async function* () {
      yield 'a';
      throw new TypeError('broken');
    },
    parts,
    null,
    'TypeError',
  ],
  [
    'no stream at once',
    () => {
      throw new TypeError('refused');
    },
    each => each,
    null,
    'TypeError',
  ],
  ['no stream in the end', () => Promise.reject(new TypeError('refused')), each => each, null, 'TypeError'],
];

describe('a stream of one’s own', () => {
  for (const [name, stream, use, response, error = null] of ROWS) {
    it(name, async () => {
      const own = () => ({ _llmType: () => 'mine', model: 'm', invoke: async () => 'said', stream });
      const program = async model => {
        const given = model.stream('Hello');
        return use(given instanceof Promise ? await given : given);
      };
      const tape = recording();
      const { model } = await withRewind({ model: own(), recorder: tape.recorder });
      const [seen, bare] = [await outcome(() => program(model)), await outcome(() => program(own()))];
      assert.deepEqual(shape(seen), shape(bare));
      await new Promise(resolve => setImmediate(resolve));
      assert.deepEqual(
        tape.steps.map(step => [step.response, step.error?.name ?? null]),
        [[response, error]],
      );
      assert.deepEqual(tape.lines, []);
    });
  }

  it('one that nobody reads is no call when it is a generator, and a gap when it is not', async () => {
    for (const [stream, next] of [
      [async function* () {}, 0],
      [async () => new Emitter(), 1],
    ]) {
      const tape = recording();
      const { model } = await withRewind({
        model: { _llmType: () => 'mine', invoke() {}, stream },
        recorder: tape.recorder,
      });
      await model.stream('Hello');
      assert.deepEqual([tape.steps.length, tape.recorder.reserve()], [0, next]);
    }
  });
});

describe('a runnable in the form of a tool that fails', () => {
  const failing = () =>
    RunnableLambda.from(() => {
      throw new TypeError('no');
    }).asTool({ name: 't', description: 'Fails', schema: z.string() });
  for (const [name, run] of [
    ['invoke', each => each.invoke('x')],
    ['batch', each => each.batch(['x'])],
    ['stream', async each => parts(await each.stream('x'))],
    ['transform', each => parts(each.transform(ReadableStream.from(['x']), {}))],
  ]) {
    it(name, async () => {
      const tape = recording();
      const { tools } = await withRewind({ tools: [failing()], recorder: tape.recorder });
      const { error } = await outcome(() => run(tools[0]));
      assert.ok(error instanceof TypeError);
      assert.deepEqual(
        tape.steps.map(step => [step.request.args, step.response, step.error.name]),
        [['x', null, 'TypeError']],
      );
    });
  }
});

describe('a model for text', () => {
  class Text extends LLM {
    _llmType() {
      return 'text';
    }
    async _call() {
      return 'ab';
    }
    async *_streamResponseChunks() {
      for (const text of ['a', 'b']) yield new GenerationChunk({ text });
    }
  }
  it('gives the same streamed and waited for', async () => {
    const tape = recording();
    const { model } = await withRewind({ model: new Text({}), recorder: tape.recorder });
    await model.invoke('Hello');
    await parts(await model.stream('Hello'));
    const [one, other] = tape.steps;
    assert.deepEqual([one.response, one.req_hash], ['ab', other.req_hash]);
    assert.deepEqual(other.response, one.response);
  });
});
