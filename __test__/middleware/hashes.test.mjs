// The same call has the same hash, however it was made.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';
import { z as z3 } from 'zod3';
import { observe, provider } from './cases.mjs';
import { GRAPHS, hasVersion3, MODELS, parts, weather } from './matrix.mjs';

after(() => provider.close());

for (const [title, make] of Object.entries(MODELS).filter(([title]) => /^Chat\w+$/.test(title))) {
  const model = () => make(provider.url);
  const hashesOf = async (program, more) => {
    const seen = await observe(program, { model, twice: false, ...more });
    assert.equal(seen.outcome.error, undefined);
    return seen.tape.of('model').map(({ req_hash }) => req_hash);
  };

  describe(`hashes of ${title}`, () => {
    it('invoke = batch = stream = events', async () => {
      const ways = [
        bound => bound.invoke('Weather in Paris?'),
        bound => bound.batch(['Weather in Paris?']),
        async bound => parts(await bound.stream('Weather in Paris?')),
        bound => parts(bound.streamEvents('Weather in Paris?', { version: 'v2' })),
      ];
      const hashes = [];
      for (const way of ways) hashes.push(...(await hashesOf(rewind => way(rewind.model.bindTools([weather()])))));
      assert.deepEqual(hashes, Array(ways.length).fill(hashes[0]));
    });

    it('invoke = events of version 3', async () => {
      if (!hasVersion3) return;
      const [one] = await hashesOf(({ model: given }) => given.invoke('Hello'));
      const [other] = await hashesOf(({ model: given }) => parts(given.streamEvents('Hello')));
      assert.equal(one, other);
    });

    it('two runs, other ids of the provider, tools in parallel that end in another order', async () => {
      const lists = [];
      for (const [salt, delays] of [
        ['a', { Paris: 30, Rome: 1 }],
        ['b', { Paris: 1, Rome: 30 }],
      ]) {
        const slow = () =>
          tool(
            async ({ city }) => {
              await new Promise(resolve => setTimeout(resolve, delays[city]));
              return `21 degrees in ${city}`;
            },
            { name: 'get_weather', description: 'The weather', schema: z.object({ city: z.string() }) },
          );
        for (const graph of [GRAPHS[0], GRAPHS[1], GRAPHS[3]]) {
          const program = rewind => graph.make(rewind.model, rewind.tools).invoke(input(graph.ask));
          const { tape } = await observe(program, { model, tools: [slow], twice: false, salt });
          assert.equal(tape.steps.length, 4);
          lists.push({ name: graph.name, identities: tape.identities });
        }
      }
      assert.deepEqual(lists.slice(0, 3), lists.slice(3));
    });

    for (const [name, zod] of [
      ['Zod 4', z],
      ['Zod 3', z3],
    ]) {
      it(`a schema of ${name}, before and after its first use`, async () => {
        const schema = zod.object({ city: zod.string().min(2).describe('Its name'), days: zod.number().default(3) });
        const made = tool(() => 'sunny', { name: 'get_weather', description: 'The weather', schema });
        const call = ({ model: given, wrap }) => given.bindTools([wrap(made)]).invoke('Hello');
        const before = await hashesOf(call);
        schema.parse({ city: 'Rome' });
        await schema.safeParseAsync({ city: 7 });
        await made.invoke({ city: 'Rome', days: 2 });
        assert.deepEqual(await hashesOf(call), before);
      });

      it(`structured output by a schema of ${name}, before and after its first use`, async () => {
        const schema = zod.object({ city: zod.string().min(2), days: zod.number() });
        const call = ({ model: given }) => given.withStructuredOutput(schema, { name: 'extract_city' }).invoke('Hello');
        const before = await hashesOf(call);
        schema.parse({ city: 'Rome', days: 1 });
        assert.deepEqual(await hashesOf(call), before);
      });
    }

    it('what differs: Zod 3, Zod 4 and plain JSON Schema, which the provider is sent in different texts', async () => {
      const hashes = [];
      for (const schema of [
        z.object({ city: z.string() }),
        z3.object({ city: z3.string() }),
        { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false },
      ]) {
        const made = tool(() => 'sunny', { name: 'get_weather', description: 'The weather', schema });
        hashes.push(...(await hashesOf(({ model: given }) => given.bindTools([made]).invoke('Hello'))));
      }
      assert.equal(new Set(hashes).size, 3);
    });

    it('what differs: a message that has an id where it had none', async () => {
      const message = id => [new HumanMessage({ content: 'Hello', id })];
      const hashes = [];
      for (const id of [undefined, 'one', 'another']) {
        hashes.push(...(await hashesOf(({ model: given }) => given.invoke(message(id)))));
      }
      assert.notEqual(hashes[0], hashes[1]);
      assert.equal(hashes[1], hashes[2]);
    });

    it('what differs: every parameter that counts', async () => {
      const calls = [
        {},
        { temperature: 0.25 },
        { topP: 0.5 },
        { maxTokens: 20 },
        { model: title === 'ChatOpenAI' ? 'gpt-4.1' : 'claude-3-5-haiku-latest' },
      ];
      const hashes = [];
      for (const fields of calls) {
        const seen = await observe(({ model: given }) => given.invoke('Hello'), {
          model: () =>
            make(
              provider.url,
              title === 'ChatAnthropic' && fields.topP ? { temperature: undefined, ...fields } : fields,
            ),
          twice: false,
        });
        assert.equal(seen.outcome.error, undefined);
        hashes.push(seen.tape.of('model')[0].req_hash);
      }
      hashes.push(...(await hashesOf(({ model: given }) => given.bindTools([weather()]).invoke('Hello'))));
      const forced = { tool_choice: 'get_weather' };
      hashes.push(...(await hashesOf(({ model: given }) => given.bindTools([weather()], forced).invoke('Hello'))));
      assert.equal(new Set(hashes).size, calls.length + 2);
    });
  });
}

const input = content => ({ messages: [{ role: 'user', content }] });
