// npm run bench -- --area middleware: what withRewind adds to a step of an agent. The model answers at once, so that all
// that is left is the framework, and what we add to it. Every step is a new request, recorded into a folder.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, HumanMessage } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { tool } from '@langchain/core/tools';
import { withRewind } from 'tapeproof/middleware';
import { Recorder } from 'tapeproof/recorder';
import { fileStore } from 'tapeproof/store';
import { z } from 'zod';
import { conversation } from './requests.mjs';
import { quantile } from './rounds.mjs';
import { markdownTable, plainTable } from './table.mjs';

const { values: options } = parseArgs({ options: { markdown: { type: 'boolean', default: false } } });

const CHUNKS = 100;
const ANSWER = 'The order was delivered on Monday. '.repeat(8);

class Instant extends BaseChatModel {
  _llmType() {
    return 'instant';
  }
  async _generate() {
    return { generations: [{ text: ANSWER, message: new AIMessage(ANSWER) }] };
  }
  async *_streamResponseChunks() {
    const text = ANSWER.slice(0, 3);
    for (let at = 0; at < CHUNKS; at += 1) yield new ChatGenerationChunk({ text, message: new AIMessageChunk(text) });
  }
}

const messagesOf = ({ messages, kilobytes }) => {
  const made = conversation({ messages, kilobytes }).messages;
  return salt => made.map(({ content }, at) => new HumanMessage(`${JSON.stringify(content)}${at === 0 ? salt : ''}`));
};
const drained = async stream => {
  for await (const _ of await stream);
};
const small = { messages: 10, kilobytes: 10 };

const CASES = [
  ['a tool', small, 800, ({ tools: [each] }, _, salt) => each.invoke({ city: salt })],
  ['invoke, 10 KB', small, 500, ({ model }, messages) => model.invoke(messages)],
  [`stream of ${CHUNKS} chunks, 10 KB`, small, 200, ({ model }, messages) => drained(model.stream(messages))],
  ['invoke, 100 KB', { messages: 40, kilobytes: 100 }, 200, ({ model }, messages) => model.invoke(messages)],
  ['invoke, 800 KB', { messages: 100, kilobytes: 800 }, 80, ({ model }, messages) => model.invoke(messages)],
];

async function measure([name, size, steps, run]) {
  const folder = mkdtempSync(join(tmpdir(), 'tapeproof-bench-'));
  try {
    const model = new Instant({});
    const tools = [tool(({ city }) => city, { name: 't', description: 'd', schema: z.object({ city: z.string() }) })];
    const recorder = new Recorder({ store: fileStore(folder) });
    const observed = await withRewind({ model, tools, recorder });
    const messages = messagesOf(size);
    const samples = { bare: [], observed: [] };
    const turns = Object.entries({ bare: { model, tools }, observed });
    for (let step = -20; step < steps; step += 1) {
      // Take turns: whoever goes second finds warmer caches.
      for (const [who, rewind] of step % 2 === 0 ? turns : turns.toReversed()) {
        const input = messages(` ${who} ${step}`);
        // On the processor: what else a busy machine does is only on the clock.
        const began = process.cpuUsage();
        await run(rewind, input, `${who} ${step}`);
        const { user, system } = process.cpuUsage(began);
        if (step >= 0) samples[who].push(user + system);
      }
    }
    assert.deepEqual(recorder.stats, { dropped: 0, steps: steps + 20 });
    return { name, steps, bare: quantile(samples.bare, 0.5), observed: quantile(samples.observed, 0.5) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const us = value => (value < 99.5 ? value.toPrecision(2) : value.toFixed(0));
const rows = [];
for (const each of CASES) rows.push(await measure(each));
const table = [
  ['step', 'steps', 'as it is', 'recorded', 'added'],
  ...rows.map(({ name, steps, bare, observed }) => [name, String(steps), us(bare), us(observed), us(observed - bare)]),
];
console.log(
  `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}. ` +
    'Steps in turns, microseconds on the processor, medians; the model answers at once.\n',
);
console.log(options.markdown ? markdownTable(table) : plainTable(table));
