// What a request says beside its messages and tools, and what it must not say.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { AIMessage, AIMessageChunk, HumanMessage } from '@langchain/core/messages';
import { withRewind } from 'tapeproof/middleware';
import { outcome, provider } from './cases.mjs';
import { KEY, MODELS } from './matrix.mjs';
import { recording } from './recording.mjs';

after(() => provider.close());

const { ChatOpenAI: openai } = MODELS;

describe('what OpenAI is sent beside', () => {
  const requestOf = async (input, fields) => {
    const tape = recording();
    const { model } = await withRewind({ model: openai(provider.url, fields), recorder: tape.recorder });
    await model.invoke(input);
    return tape.steps[0].request;
  };

  it('the model that its parameters name', async () => {
    assert.equal((await requestOf('Hello', { modelKwargs: { model: 'gpt-4.1' } })).model_id, 'gpt-4.1');
    assert.equal(provider.state.log.at(-1).body.model, 'gpt-4.1');
  });

  it('calls that nobody could read', async () => {
    const unread = (args, how) => {
      const call = { id: 'call_x', type: 'function', function: { name: 'get_weather', arguments: args } };
      return [new HumanMessage('Hello'), how([call]), new HumanMessage('Well?')];
    };
    const waited = calls => new AIMessage({ content: '', additional_kwargs: { tool_calls: calls } });
    const streamed = ([
      {
        id,
        function: { name, arguments: args },
      },
    ]) =>
      new AIMessageChunk({ content: '', tool_call_chunks: [{ id, name, args, index: 0, type: 'tool_call_chunk' }] });
    const told = ([
      {
        id,
        function: { name, arguments: args },
      },
    ]) => {
      const call = { type: 'invalid_tool_call', id, name, args, error: 'no JSON' };
      return new AIMessage({ content: [call], invalid_tool_calls: [call] });
    };
    const ways = [waited, streamed, told].map(how => requestOf(unread('{"city": Par', how)));
    for (const { messages } of await Promise.all(ways)) {
      const calls = [{ name: 'get_weather', args: '{"city": Par', id: 'call_x' }];
      assert.deepEqual(messages[1], { role: 'ai', content: '', invalid_tool_calls: calls });
    }
  });

  it('a call in the form that was before tools', async () => {
    const call = { name: 'get_weather', arguments: '{}' };
    const message = new AIMessage({ content: '', additional_kwargs: { function_call: call } });
    const { messages } = await requestOf([new HumanMessage('Hello'), message]);
    assert.deepEqual(messages[1], { role: 'ai', content: '', function_call: call });
  });
});

describe('what lets a provider in', () => {
  it('is not a part of its tools', async () => {
    const tape = recording();
    const { model } = await withRewind({
      model: openai(provider.url, { useResponsesApi: true }),
      recorder: tape.recorder,
    });
    const server = {
      type: 'mcp',
      server_label: 'mine',
      server_url: 'https://host.example/',
      require_approval: 'never',
    };
    const secret = { authorization: KEY, headers: { Authorization: `Bearer ${KEY}` } };
    const options = { headers: { authorization: KEY }, configurable: { apiKey: KEY }, metadata: { key: KEY } };
    await outcome(() => model.bindTools([{ ...server, ...secret }]).invoke('Hello', options));
    assert.deepEqual(tape.steps[0].request.tool_schemas, [server]);
    assert.ok(!JSON.stringify(tape.steps).includes(KEY));
  });
});
