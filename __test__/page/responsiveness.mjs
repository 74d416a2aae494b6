// How long the page takes over records of 8 MiB, the figures of docs/page.md: node __test__/page/responsiveness.mjs
import { cpus } from 'node:os';
import { generateKeyPair, seal } from 'tapeproof/verify';
import { serve } from '../server/serve.mjs';
import { file, launch } from './browser.mjs';

const BYTES = 8 << 20;
const ROUNDS = 5;
const { privateKey, publicKey } = generateKeyPair();

const tool = (seq, output) => ({ type: 'tool', tool_name: 'search', seq, run_id: 'run_1', input: { q: seq }, output });
const sealed = events => JSON.stringify(seal(events, { run: { run_id: 'run_1' }, privateKey }));

/** As many of these events as there is room for. */
function filled(output) {
  const empty = sealed([]).length;
  const each = sealed([tool(10_000, output)]).length - empty + 1;
  return sealed(Array.from({ length: Math.floor((BYTES - empty) / each) }, (_, seq) => tool(seq, output)));
}

const room = BYTES - 2000;
const records = {
  'events of 2 KB': filled('x'.repeat(1700)),
  'events of 0.3 KB': filled('x'),
  'one text': sealed([tool(0, 'x'.repeat(room))]),
  'one list of numbers': sealed([tool(0, Array(room >> 1).fill(7))]),
};

const median = numbers => numbers.sort((a, b) => a - b)[numbers.length >> 1];

const server = await serve(['--quiet'], { TAPEPROOF_ED25519_PUBLIC_KEYS: publicKey });
const browser = await launch();
console.log(`${(cpus()[0]?.model ?? '').trim()}, ${cpus().length} cores`);
for (const [name, text] of Object.entries(records)) {
  const path = file(`${name}.json`, text);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { page } = await browser.open(`http://127.0.0.1:${server.port}/`);
    const chooser = await page.waitForSelector('#chooser');
    await page.evaluate(() => {
      globalThis.longest = 0;
      new PerformanceObserver(list => {
        for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
      }).observe({ entryTypes: ['longtask'] });
      addEventListener(
        'change',
        () => {
          globalThis.began = performance.now();
        },
        true,
      );
      globalThis.painted = () => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
      new MutationObserver(async (_, observer) => {
        if (!document.querySelector('#record .verdict')) return;
        observer.disconnect();
        await globalThis.painted();
        globalThis.shown = performance.now() - globalThis.began;
      }).observe(document.body, { childList: true, subtree: true });
    });
    await chooser.uploadFile(path);
    await page.waitForFunction(() => globalThis.shown !== undefined);
    rounds.push(
      await page.evaluate(async () => {
        // What is a task of more than 50 ms is told a little later.
        const settled = () => new Promise(resolve => setTimeout(resolve, 200));
        await settled();
        const longest = globalThis.longest;
        globalThis.longest = 0;
        const links = document.querySelectorAll('a.cell');
        const began = performance.now();
        links[links.length - 1].click();
        await globalThis.painted();
        const opened = performance.now() - began;
        return { shown: globalThis.shown, longest, opened };
      }),
    );
    await page.browserContext().close();
  }
  const of = figure => `${Math.round(median(rounds.map(round => round[figure])))} ms`;
  console.log(`| ${name} | ${of('shown')} | ${of('longest')} | ${of('opened')} |`);
}
await browser.close();
await server.stop();
