// Values, promises and classes of every kind pass through unchanged, and are recorded as what they are.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createAgent, createMiddleware } from 'langchain';
import { reqHash } from 'tapeproof/hash';
import { withRewind } from 'tapeproof/middleware';
import { outcome, provider } from './cases.mjs';
import { MODELS, parts, weather } from './matrix.mjs';
import { recording } from './recording.mjs';

after(() => provider.close());

const root = fileURLToPath(new URL('../..', import.meta.url));

const observedTool = async (invoke, more) => {
  const tape = recording();
  const { tools, wrap } = await withRewind({ tools: [{ name: 't', invoke, ...more }], recorder: tape.recorder });
  return { tape, wrap, tool: tools[0] };
};

describe('values', () => {
  class Temperature {
    #degrees = 21;
    toJSON() {
      return { degrees: this.#degrees };
    }
  }
  for (const [name, value, recorded] of [
    ['a Map', new Map([['a', new Set([1])]]), [['a', [1]]]],
    ['a Set', new Set([1, 'b']), [1, 'b']],
    ['a URL', new URL('http://host/path'), 'http://host/path'],
    ['a Date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['no date', new Date(Number.NaN), null],
    ['a pattern', /a+/i, '/a+/i'],
    ['an error', Object.assign(new TypeError('no'), { code: 7 }), { name: 'TypeError', message: 'no', code: 7 }],
    ['a boxed number', Object(7), 7],
    ['bytes', new Uint8Array([104, 105]), 'data:application/octet-stream;base64,aGk='],
    ['a buffer', new Uint8Array([104, 105]).buffer, 'data:application/octet-stream;base64,aGk='],
    ['what tells its JSON', new Temperature(), { degrees: 21 }],
    [
      'what tells itself',
      {
        a: 1,
        toJSON() {
          return this;
        },
      },
      { a: 1 },
    ],
  ]) {
    it(name, async () => {
      const { tape, tool } = await observedTool(({ given }) => given);
      assert.equal(tool.invoke({ given: value }), value);
      const [{ request, response, req_hash }] = tape.steps;
      assert.deepEqual([request.args.given, response], [recorded, recorded]);
      assert.equal(req_hash, reqHash({ kind: 'tool', tool_name: 't', args: { given: recorded } }));
      assert.deepEqual(tape.lines, []);
    });
  }
});

describe('what cannot be asked', () => {
  const revoked = () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  };
  const strict = () =>
    new Proxy(
      {},
      { get: () => assert.fail('asked'), getPrototypeOf: () => assert.fail('asked'), has: () => assert.fail('asked') },
    );
  const own = { _llmType: () => 'mine', model: 'm' };

  for (const [name, odd] of [
    ['a revoked Proxy', revoked],
    ['a Proxy that throws', strict],
    [
      'a getter that throws',
      () => ({
        // biome-ignore lint/suspicious/noThenProperty: whoever waits for it asks for one
        get then() {
          return assert.fail('asked');
        },
      }),
    ],
  ]) {
    for (const method of ['invoke', 'stream', 'bindTools', 'more']) {
      it(`${method} gives ${name}`, async () => {
        const value = odd();
        const { recorder } = recording();
        const target = { ...own, invoke() {}, [method]: () => value };
        const { model } = await withRewind({ model: target, recorder });
        assert.ok(Object.is(model[method]('Hello'), value));
      });
    }

    it(`${name} as the config, or a part of it`, async () => {
      const { tape, tool } = await observedTool(() => 'done');
      assert.equal(tool.invoke({}, { metadata: odd(), configurable: odd() }), 'done');
      assert.equal(tool.invoke({}, odd()), 'done');
      assert.equal(tape.steps[0].node, 'unknown');
    });
  }

  it('a price that is promised and refused', async () => {
    const { recorder } = recording();
    const usage_metadata = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const target = { ...own, invoke: () => ({ role: 'ai', content: '', usage_metadata }) };
    const pricing = () => Promise.reject(new Error('no price'));
    const { model } = await withRewind({ model: target, recorder, pricing });
    model.invoke('Hello');
    // A rejection that nobody handles fails the test.
    await new Promise(resolve => setTimeout(resolve, 5));
    assert.deepEqual([recorder.stats.steps, recorder.run.cost_usd], [1, 0]);
  });
});

describe('promises', () => {
  /** Starts when it is asked, as queries of databases and calls of providers' clients do. */
  class Lazy extends Promise {
    static get [Symbol.species]() {
      return Promise;
    }
    static of(start) {
      return Object.assign(new Lazy(resolve => resolve()), { start, started: 0 });
    }
    withResponse() {
      return this.start();
    }
    // biome-ignore lint/suspicious/noThenProperty: a promise has one
    then(resolve, reject) {
      this.started += 1;
      return this.start().then(resolve, reject);
    }
  }
  const query = start => ({
    started: 0,
    // biome-ignore lint/suspicious/noThenProperty: a query has one
    then(resolve, reject) {
      this.started += 1;
      start().then(resolve, reject);
    },
  });
  const refuse = () => Promise.reject(new TypeError('no'));

  for (const [name, make] of [
    ['a promise with more to it', Lazy.of],
    ['a query', query],
  ]) {
    it(`${name}: its value`, async () => {
      const { tape, tool } = await observedTool(() => make(async () => 'rows'));
      const given = tool.invoke({});
      assert.equal(given.started, 0);
      assert.equal(await given, 'rows');
      assert.equal(given.started, 1);
      assert.deepEqual(
        tape.steps.map(({ response }) => response),
        ['rows'],
      );
    });

    it(`${name}: its error`, async () => {
      const { tape, tool } = await observedTool(() => make(refuse));
      await assert.rejects(async () => await tool.invoke({}), TypeError);
      assert.deepEqual(
        tape.steps.map(({ error }) => error.name),
        ['TypeError'],
      );
    });
  }

  it('its class, its methods, and those of every promise', async () => {
    const { tape, tool } = await observedTool(({ fails }) => Lazy.of(fails ? refuse : async () => 'rows'));
    assert.ok(tool.invoke({}) instanceof Lazy);
    assert.equal(await tool.invoke({}).withResponse(), 'rows');
    assert.equal(await tool.invoke({}).finally(() => {}), 'rows');
    assert.equal(await tool.invoke({ fails: true }).catch(({ message }) => message), 'no');
    assert.deepEqual(
      tape.steps.map(({ response, error }) => response ?? error.name),
      ['rows', 'TypeError'],
    );
  });

  it('one that nobody waits for is unhandled, once, as it was', () => {
    const script = `
      import { withRewind } from 'tapeproof/middleware';
      import { Recorder } from 'tapeproof/recorder';
      process.on('unhandledRejection', error => console.log(error.message));
      const store = { putRun() {}, appendStep() {}, putCassette() {} };
      const refuse = async text => { throw new Error(text); };
      const { model, tools } = await withRewind({
        model: { _llmType: () => 'mine', invoke: () => refuse('model'), stream: () => refuse('stream') },
        tools: [{ name: 't', invoke: () => refuse('tool') }],
        recorder: new Recorder({ store }),
      });
      for (const call of [() => model.invoke(''), () => model.stream(''), () => tools[0].invoke({})]) {
        call();
        call().catch(() => {});
      }`;
    const args = ['--input-type=module', '--eval', script];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    assert.deepEqual([stdout, stderr], ['model\nstream\ntool\n', '']);
  });
});

describe('private members', () => {
  const kept = new WeakMap();
  const __privateGet = (self, map) => map.get(self) ?? assert.fail('not private to it');
  const _class_private_field_get = __privateGet;
  class Model {
    #model = 'm';
    model = 'm';
    constructor() {
      kept.set(this, 'kept');
    }
    _llmType() {
      return 'mine';
    }
    async invoke() {
      return this.#model;
    }
    brand() {
      return #model in this;
    }
    map() {
      return kept.get(this);
    }
    set() {
      return kept.has(this);
    }
    esbuild() {
      return __privateGet(this, kept);
    }
    swc() {
      return _class_private_field_get(this, kept);
    }
  }
  for (const [method, expected] of [
    ['brand', true],
    ['map', 'kept'],
    ['set', true],
    ['esbuild', 'kept'],
    ['swc', 'kept'],
  ]) {
    it(`as they are written: ${method}`, async () => {
      const { model } = await withRewind({ model: new Model(), recorder: recording().recorder });
      assert.equal(model[method](), expected);
    });
  }
});

describe('methods that others put in place', () => {
  const patched = (model, patch) => Object.assign(model, patch(model));
  for (const [name, put] of [
    ['nothing', model => model],
    [
      'a bound method',
      model =>
        patched(model, ({ invoke, stream }) => ({
          invoke: invoke.bind(model),
          stream: (...args) => stream.apply(model, args),
        })),
    ],
    [
      'an arrow of its class',
      model =>
        Object.assign(model, {
          patch() {
            const { invoke } = this;
            this.invoke = async (...args) => invoke.apply(this, args);
            return this;
          },
        }).patch(),
    ],
    [
      'a method of its caller',
      model =>
        patched(model, ({ invoke, stream }) => ({
          invoke(...args) {
            return invoke.apply(this, args);
          },
          stream: async function (...args) {
            return stream.apply(this, args);
          },
        })),
    ],
    [
      'a Proxy',
      model =>
        new Proxy(model, {
          get(target, key) {
            const value = Reflect.get(target, key);
            return ['invoke', 'stream'].includes(key) ? (...args) => value.apply(target, args) : value;
          },
        }),
    ],
  ]) {
    it(name, async () => {
      provider.reset();
      const tape = recording();
      const { model } = await withRewind({ model: put(MODELS.ChatOpenAI(provider.url)), recorder: tape.recorder });
      const said = await model.invoke('Hello');
      assert.equal((await parts(await model.stream('Hello'))).map(({ content }) => content).join(''), said.content);
      assert.equal(provider.state.log.length, 2);
      assert.deepEqual(
        tape.steps.map(({ response, request }) => [response.content, request.messages[0].content]),
        [
          [said.content, 'Hello'],
          [said.content, 'Hello'],
        ],
      );
    });
  }
});

describe('more than one withRewind', () => {
  it('one recorder: one stand-in, whoever asks', async () => {
    const { recorder } = recording();
    const [model, tool] = [MODELS.ChatOpenAI(provider.url), weather()];
    const one = await withRewind({ model, tools: [tool], recorder });
    const other = await withRewind({ model, tools: [tool], recorder });
    assert.ok(one.model === other.model && one.tools[0] === other.tools[0]);
    const swap = createMiddleware({
      name: 'Swap',
      wrapModelCall: (request, handler) => handler({ ...request, tools: other.tools }),
    });
    const agent = createAgent({ model: one.model, tools: one.tools, middleware: [swap] });
    const { error } = await outcome(() => agent.invoke({ messages: [{ role: 'user', content: 'Hello' }] }));
    assert.equal(error, undefined);
  });

  it('a price list of its own', async () => {
    const { recorder } = recording();
    const usage_metadata = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const target = { _llmType: () => 'mine', invoke: () => ({ role: 'ai', content: '', usage_metadata }) };
    const costs = [];
    for (const pricing of [undefined, () => 1, () => 2]) {
      const { model } = await withRewind({ model: target, recorder, pricing });
      const before = recorder.run.cost_usd;
      model.invoke('Hello');
      costs.push(recorder.run.cost_usd - before);
    }
    assert.deepEqual(costs, [0, 1, 2]);
  });
});

describe('more than one tool', () => {
  const made = () => ({ name: 't', invoke: async () => 'done' });
  for (const [name, given, pick] of [
    ['a list', [made()], ([tool]) => tool],
    ['a frozen list', Object.freeze([made()]), ([tool]) => tool],
    ['a record', { t: made() }, ({ t }) => t],
  ]) {
    it(name, async () => {
      const tape = recording();
      const { tools } = await withRewind({ tools: given, recorder: tape.recorder });
      assert.equal(await pick(tools).invoke({}), 'done');
      assert.equal(tape.steps.length, 1);
    });
  }

  it('wrapped at once, and again when there are more', async () => {
    const { recorder } = recording();
    const { wrap } = await withRewind({ recorder });
    const list = [weather()];
    const [one] = wrap(list);
    list.push(weather());
    const [again, other] = wrap(list);
    assert.ok(one === again && other !== list[1] && wrap({ other: list[1] }).other === other);
  });

  it('a list or a record of nothing to observe is the same one', async () => {
    const { wrap } = await withRewind({ recorder: recording().recorder });
    for (const value of [[], ['web_search'], { type: 'web_search' }, { deep: [weather()] }, new Map()])
      assert.equal(wrap(value), value);
  });
});

it('a run that a tool starts does not keep the config of the one before', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const seen = [];
  const kept = await new Promise(resolve => {
    observedTool(({ left }, _, { tool }) => {
      const config = { metadata: { langgraph_node: 'plan' }, state: {} };
      seen.push(new WeakRef(config.state));
      setTimeout(() => {
        if (left > 0) return tool.invoke({ left: left - 1 }, config, { tool });
        collect();
        resolve(seen.slice(0, -2).filter(reference => reference.deref()).length);
      }, 1);
    }).then(({ tool }) => tool.invoke({ left: 20 }, {}, { tool }));
  });
  assert.equal(kept, 0);
});
