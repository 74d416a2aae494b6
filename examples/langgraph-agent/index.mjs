// node examples/langgraph-agent/index.mjs, and REWIND_ENABLED=1 before it to record.
import { ChatAnthropic } from '@langchain/anthropic';
import { ChatOpenAI } from '@langchain/openai';
import { withRewind } from 'tapeproof/middleware';
import { refundDesk, tools } from './agent.mjs';
import { startProvider } from './provider.mjs';

const provider = await startProvider();
const key = { apiKey: 'none-is-needed-here' };
const model = new ChatOpenAI({
  model: 'gpt-4o-mini',
  temperature: 0.2,
  ...key,
  configuration: { baseURL: `${provider.url}/v1` },
});
const reviewer = new ChatAnthropic({
  model: 'claude-sonnet-4-0',
  temperature: 0,
  ...key,
  anthropicApiUrl: provider.url,
});

const rewind = await withRewind({ model, tools, run: { thread_id: 'refund' } });
const desk = refundDesk({ clerk: rewind.model, reviewer: rewind.wrap(reviewer), tools: rewind.tools });

const question = 'My order B-20417 came with a bent cover. Can I get my money back? Ann, ann@example.org';
const { messages } = await desk.invoke({ messages: [{ role: 'user', content: question }] });
console.log(messages.at(-1).content);
provider.close();
