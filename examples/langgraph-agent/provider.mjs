// In place of OpenAI and Anthropic, on this machine: says what the agent's models would, whole and not streamed.
import { once } from 'node:events';
import { createServer } from 'node:http';

const ORDER = 'B-20417';
const MAIL = {
  to: 'ann@example.org',
  subject: `Your order ${ORDER}`,
  text: 'We refund 18.50, and the book is yours to keep.',
};

/** What the clerk does next, by the results that it has so far. */
const CLERK = [
  {
    calls: [
      ['find_order', { order: ORDER }],
      ['find_policy', { topic: 'damage' }],
    ],
  },
  null,
  { calls: [['refund', { order: ORDER, amount: 18.5 }]] },
  { calls: [['write_mail', MAIL]] },
  { text: 'Refunded 18.50 and wrote to the customer.' },
];

let calls = 0;

function openai({ model, messages }) {
  const { text = '', calls: next = [] } = CLERK[messages.filter(({ role }) => role === 'tool').length];
  const tool_calls = next.map(([name, args]) => ({
    id: `call_${Date.now()}_${calls++}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  const message = { role: 'assistant', content: text, ...(tool_calls.length > 0 && { tool_calls }) };
  const finish_reason = tool_calls.length > 0 ? 'tool_calls' : 'stop';
  const usage = { prompt_tokens: 210, completion_tokens: 24, total_tokens: 234 };
  return {
    id: `chatcmpl_${calls++}`,
    object: 'chat.completion',
    model,
    choices: [{ index: 0, message, finish_reason }],
    usage,
  };
}

function anthropic({ model, messages }) {
  const asked = JSON.stringify(messages.at(-1).content);
  const text = asked.includes('Verdict')
    ? 'Closed: refunded in full, by the rules.'
    : 'Verdict: a refund of 18.50 is right.';
  return {
    id: `msg_${calls++}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 180, output_tokens: 12 },
  };
}

export async function startProvider() {
  // A connection that a slow machine leaves idle must not be reset.
  const server = createServer({ keepAliveTimeout: 600_000 }, async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const answer = request.url.endsWith('/messages') ? anthropic : openai;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer(JSON.parse(Buffer.concat(parts).toString()))));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
