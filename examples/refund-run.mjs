// Records a run of a refund agent, with answers from a script: node examples/refund-run.mjs [RUN] [AMOUNT]
import { Recorder } from 'tapeproof/recorder';
import { fileStore } from 'tapeproof/store';

const [run_id = 'refund-1', amount = '42.50'] = process.argv.slice(2);
const recorder = new Recorder({
  store: fileStore('.rewind'),
  run: { run_id, thread_id: 'order B-20417', started_at: '2026-03-02T09:14:07.000Z' },
});

const messages = [{ role: 'user', content: 'Order B-20417 came with a bent cover. My money back? ann@example.org' }];
const ask = (content, latency_ms, tokens) => {
  const request = { kind: 'model', provider: 'openai', model_id: 'gpt-5.2', messages: [...messages], temperature: 0 };
  recorder.record({ node: 'agent', kind: 'model', request, response: { content }, latency_ms, tokens });
  messages.push({ role: 'assistant', content });
};
const call = (tool_name, args, response, latency_ms, error = null) => {
  const request = { kind: 'tool', tool_name, args };
  recorder.record({ node: 'tools', kind: 'tool', request, response, error, latency_ms });
  messages.push({ role: 'tool', content: JSON.stringify(error ?? response) });
};
const refund = { order: 'B-20417', amount: Number(amount) };

ask('I look the order up.', 900, 310);
call('lookup_order', { order: 'B-20417' }, { title: 'The Café at Dusk', paid: 42.5 }, 120);
call('issue_refund', refund, null, 5000, { name: 'TimeoutError', message: 'no answer from the bank' });
call('issue_refund', refund, { refunded: refund.amount }, 800);
ask(`Your ${amount} € are on their way.`, 700, 390);

recorder.finish({ final_state_hash: 'sha256:0' });
console.log(`recorded ${run_id}: ${recorder.stats.steps} calls`);
