// The refund desk of a bookshop: a clerk with tools, and a review by another model in a graph of its own.
import { HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { z } from 'zod';

export const tools = [
  tool(({ order }) => ({ order, title: 'The Café at Dusk', price: 18.5, customer: 'ann@example.org' }), {
    name: 'find_order',
    description: 'An order, with its customer',
    schema: z.object({ order: z.string() }),
  }),
  tool(({ topic }) => `On ${topic}: refund in full, the customer keeps the item.`, {
    name: 'find_policy',
    description: 'What the policy says on a topic',
    schema: z.object({ topic: z.string() }),
  }),
  tool(({ order, amount }) => `Refunded ${amount} for ${order}.`, {
    name: 'refund',
    description: 'Pays money back',
    schema: z.object({ order: z.string(), amount: z.number().positive() }),
  }),
  tool(({ to }) => `Sent to ${to}.`, {
    name: 'write_mail',
    description: 'Writes to a customer',
    schema: z.object({ to: z.string(), subject: z.string(), text: z.string() }),
  }),
];

/** Two more questions about what was done, answered one after the other. */
function review(reviewer) {
  const ask = question => async state => {
    const said = state.messages.at(-1).content;
    return { messages: [await reviewer.invoke([new HumanMessage(`${question}\n\n${said}`)])] };
  };
  return new StateGraph(MessagesAnnotation)
    .addNode('judge', ask('Is this refund right?'))
    .addNode('close', ask('In a line: how was it closed?'))
    .addEdge(START, 'judge')
    .addEdge('judge', 'close')
    .compile();
}

export function refundDesk({ clerk, reviewer, tools: given }) {
  const able = clerk.bindTools(given);
  return new StateGraph(MessagesAnnotation)
    .addNode('clerk', async ({ messages }) => ({ messages: [await able.invoke(messages)] }))
    .addNode('tools', new ToolNode(given))
    .addNode('review', review(reviewer))
    .addEdge(START, 'clerk')
    .addConditionalEdges('clerk', toolsCondition, { tools: 'tools', [END]: 'review' })
    .addEdge('tools', 'clerk')
    .compile();
}
