// Every graph in every mode on every model.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertComplete, Counter, nodesOf, observe, provider } from './cases.mjs';
import { GRAPHS, hasVersion3, MODELS, MODES, weather } from './matrix.mjs';

after(() => provider.close());

const modes = MODES.filter(({ since3 }) => hasVersion3 || !since3);
let cases = 0;
for (const [title, make] of Object.entries(MODELS)) {
  const model = title === 'initChatModel' ? await make(provider.url) : undefined;
  describe(`graphs with ${title}`, () => {
    for (const graph of GRAPHS) {
      const lists = [];
      const identities = ({ tape }) => (graph.withoutIds ? tape.identitiesWithoutIds : tape.identities);
      for (const mode of modes) {
        cases += 1;
        it(`${graph.name}: ${mode.name}`, async () => {
          const made = { model: () => model ?? make(provider.url), tools: [weather] };
          const program = callbacks => rewind => {
            const input = { messages: [{ role: 'user', content: graph.ask }] };
            const config = { ...graph.config, ...(callbacks && { callbacks }) };
            return mode.run(graph.make(rewind.model, rewind.tools, rewind.wrap), input, config);
          };

          const seen = await observe(program(), made);
          if (!graph.mayFail) assert.equal(seen.outcome.error, undefined);
          assertComplete(seen);
          assert.deepEqual(nodesOf(seen.tape.of('model')), graph.nodes);
          assert.deepEqual(nodesOf(seen.tape.of('tool')), graph.tools);

          lists.push({ mode, identities: identities(seen) });

          // The framework's own count, of a run in which somebody listens.
          if (title === 'initChatModel') return;
          let counter;
          const listened = await observe(rewind => program([(counter = new Counter())])(rewind), {
            ...made,
            twice: false,
          });
          assertComplete(listened);
          assert.equal(counter.models, listened.tape.of('model').length);
          assert.equal(counter.tools, listened.tape.of('tool').length);
          assert.deepEqual(identities(listened), identities(seen));
        });
      }

      it(`${graph.name}: the same steps in every mode`, () => {
        assert.equal(lists.length, modes.length);
        for (const { mode, identities: found } of lists) {
          if (graph.mayFail) continue;
          assert.deepEqual(found, lists[0].identities, mode.name);
        }
      });
    }
  });
}

it('at least 100 cases', () => assert.ok(cases >= 100, String(cases)));
