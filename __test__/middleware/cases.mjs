// Runs one case of the matrix on the agent as it is and on the agent as it is observed, and looks at what was recorded.
import assert from 'node:assert/strict';
import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { withRewind } from 'tapeproof/middleware';
import { hasVersion3 } from './matrix.mjs';
import { answerRecorded, fromBody, fromRecorded } from './neutral.mjs';
import { startProvider, usage } from './provider.mjs';
import { recording } from './recording.mjs';
import { shape } from './shape.mjs';

// The oldest ChatOpenAI sends no text beside calls of tools.
export const provider = await startProvider(fromBody, hasVersion3 ? undefined : '');

/** Counts calls by the framework's own account. */
export class Counter extends BaseCallbackHandler {
  name = 'counter';
  awaitHandlers = true;
  models = 0;
  tools = 0;

  handleChatModelStart() {
    this.models += 1;
  }

  handleToolStart() {
    this.tools += 1;
  }
}

/** What `run` gives or throws. */
export async function outcome(run) {
  try {
    return { value: await run() };
  } catch (error) {
    return { error };
  }
}

const sorted = list => list.map(each => JSON.stringify(each, sortedKeys)).sort();
const sortedKeys = (_, value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

const bodyOf = ({ body }) => body;

/**
 * The same program twice: on a model and tools as they are, and on what stands in for them. Gives what was recorded and what the provider received.
 */
export async function observe(program, { model, tools = [], twice = true, salt = '', sends = true }) {
  provider.reset();
  const bare =
    twice && (await outcome(() => program({ model: model(), tools: tools.map(make => make()), wrap: value => value })));
  const sent = provider.state.log;

  provider.reset(salt);
  const tape = recording();
  const rewind = await withRewind({ model: model(), tools: tools.map(make => make()), recorder: tape.recorder });
  const observed = await outcome(() => program(rewind));
  const received = provider.state.log;

  if (bare) {
    assert.deepEqual(shape(observed), shape(bare), 'the result of the agent');
    if (sends) assert.deepEqual(sorted(received.map(bodyOf)), sorted(sent.map(bodyOf)), 'what it sent');
  }
  assert.deepEqual(tape.lines, []);
  assert.deepEqual(tape.recorder.stats, { dropped: 0, steps: tape.steps.length });
  return { tape, received, outcome: observed };
}

/** Every request and answer of the provider is in the recording, and nothing else. */
export function assertComplete({ tape, received }) {
  const steps = tape.of('model');
  assert.equal(steps.length, received.length, 'steps of models = requests received');
  assert.deepEqual(
    sorted(steps.map(({ request }) => fromRecorded(request))),
    sorted(received.map(({ conversation }) => conversation)),
    'requests',
  );
  assert.deepEqual(
    sorted(steps.map(({ response }) => answerRecorded(response))),
    sorted(received.map(({ answer }) => answer)),
    'responses',
  );
  for (const step of steps) {
    assert.deepEqual(step.usage, usage, 'usage');
    assert.equal(step.tokens, usage.total_tokens);
    assert.equal(step.match_tier, 'recorded');
    assert.equal(step.error, null);
  }
}

export const nodesOf = steps => steps.map(({ node }) => node);
