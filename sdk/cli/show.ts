// `tapeproof show`
import { parseArgs } from 'node:util';
import type { Run, Step } from '../schema.js';
import { readCassette, readRun, readSteps } from '../store/read.js';
import { amount, cost, dollars, duration, price } from '../view/amounts.js';
import { short, visible } from '../visible.js';
import { InputError, UsageError } from './failure.js';
import { write } from './output.js';
import { DIR, DIR_HELP, folderOf, runOf } from './recordings.js';
import { bar, beside, count, line, widen } from './table.js';

export const help = `Usage: tapeproof show RUN [--step N] [--json] [--dir FOLDER]

Shows the steps of a run, or one of them: its request beside its response. RUN is an id or the beginning of one.

  --step N      the step of this number
  --json        JSON Lines: the run, then its steps; with --step the step and its cassette
${DIR_HELP}`;

const WIDTH = 120;

export async function run(args: string[]): Promise<number> {
  const options = { ...DIR, step: { type: 'string' }, json: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const [given, ...others] = positionals;
  if (given === undefined || others.length > 0) throw new UsageError('expected one RUN');
  const folder = folderOf(values.dir);
  const id = runOf(folder, given);
  try {
    const recorded = readRun(folder, id) as Run;
    if (values.step !== undefined) await showStep(folder, stepOf(folder, id, values.step), values.json);
    else if (values.json) await printLines(folder, id, recorded);
    else await showRun(folder, id, recorded);
  } catch (error) {
    throw error instanceof UsageError ? error : new InputError(id, undefined, error);
  }
  return 0;
}

function stepOf(folder: string, id: string, number: string): Step {
  const seq = /^\d+$/.test(number) ? Number(number) : Number.NaN;
  for (const step of readSteps(folder, id)) if (step.seq === seq) return step;
  throw new UsageError('no step of this number');
}

async function printLines(folder: string, id: string, recorded: Run): Promise<void> {
  await write(`${JSON.stringify(recorded)}\n`);
  for (const step of readSteps(folder, id)) await write(`${JSON.stringify(step)}\n`);
}

const NUMBERS = new Set([0, 4, 5, 6]);
const HEAD = ['step', 'node', 'kind', 'request', 'tokens', 'cost', 'latency', ''];

function cells(step: Step, longest: number): string[] {
  const failed = step.error ? `✗ ${short(step.error.name)}` : '';
  return [
    String(step.seq),
    short(step.node),
    short(step.kind),
    short(step.req_hash).slice(0, 12),
    count(step.tokens),
    dollars(step.cost_usd),
    duration(step.latency_ms),
    [bar(amount(step.latency_ms), longest), failed].filter(Boolean).join(' '),
  ];
}

/** Reads the steps twice, once for the widths: a run may be larger than memory. */
async function showRun(folder: string, id: string, recorded: Run): Promise<void> {
  const { thread_id, started_at, status, dropped, tokens, latency_ms } = recorded;
  const lost = amount(dropped) > 0 ? `, ${dropped} writes lost` : '';
  await write(`${id}  ${short(started_at)}  ${short(status)}${lost}\n`);
  if (thread_id) await write(`thread ${short(thread_id)}\n`);
  const widths: number[] = [];
  const pricing = { priced: 0, unpriced: 0 };
  let [longest, steps, last] = [0, 0, -1];
  widen(widths, HEAD);
  for (const step of readSteps(folder, id)) {
    longest = Math.max(longest, amount(step.latency_ms));
    steps += 1;
    price(pricing, step);
    last = Math.max(last, step.seq);
    widen(widths, cells(step, 0));
  }
  await write(`\n${line(HEAD, widths, NUMBERS)}`);
  const problems: string[] = [];
  for (const step of readSteps(folder, id, problem => problems.push(problem))) {
    await write(line(cells(step, longest), widths, NUMBERS));
  }
  if (last >= steps) problems.push(`${last + 1 - steps} steps are missing`);
  // As when a run id is used twice.
  if (steps > last + 1) problems.push(`${steps - last - 1} steps more than their numbers: some are there twice`);
  await write(
    `\n${[`${count(tokens)} tokens`, `cost ${cost(recorded, pricing)}`, duration(latency_ms)].filter(Boolean).join(', ')}\n`,
  );
  for (const problem of problems) await write(`! ${problem}\n`);
}

async function showStep(folder: string, step: Step, json: boolean): Promise<void> {
  const cassette = readCassette(folder, step.cassette_ref);
  if (json) {
    await write(`${JSON.stringify({ step, cassette })}\n`);
    return;
  }
  const { seq, node, kind, latency_ms, tokens, cost_usd, error, cassette_ref } = step;
  const amounts = [duration(latency_ms), count(tokens) && `${count(tokens)} tokens`, `cost ${dollars(cost_usd)}`];
  await write(`step ${seq}  ${short(node)}  ${short(kind)}  ${amounts.filter(Boolean).join(', ')}\n`);
  await write(`cassette ${short(cassette_ref, 250)}\n`);
  if (error) await write(`✗ ${short(error.name)}: ${short(error.message, 500)}\n`);
  if (!cassette) {
    await write('! its cassette is missing\n');
    return;
  }
  const width = process.stdout.columns ?? WIDTH;
  await write(`\n${beside(indented(cassette.request), indented(cassette.response), width)}`);
}

function indented(text: string): string {
  let pretty = text;
  try {
    pretty = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Shown as it is.
  }
  return pretty.split('\n').map(visible).join('\n');
}
