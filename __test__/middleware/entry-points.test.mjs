// Every way to call a model, on every kind of model.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertComplete, nodesOf, observe, provider } from './cases.mjs';
import { ENTRY_POINTS, MODELS } from './matrix.mjs';

after(() => provider.close());

for (const [title, make] of Object.entries(MODELS)) {
  const model = title === 'initChatModel' ? await make(provider.url) : undefined;
  describe(`entry points of ${title}`, () => {
    for (const { name, run, calls = 1, node = 'unknown', failsOn = [] } of ENTRY_POINTS) {
      it(name, async () => {
        const seen = await observe(({ model: given }) => run(given), { model: () => model ?? make(provider.url) });
        if (!failsOn.includes(title)) assert.equal(seen.outcome.error, undefined);
        assert.equal(seen.received.length, calls);
        assertComplete(seen);
        for (const found of nodesOf(seen.tape.of('model')))
          assert.match(found, node instanceof RegExp ? node : RegExp(`^${node}$`));
      });
    }
  });
}
