// Recorded runs: the list, the steps of one, one step, and two runs side by side.
import type { ComparedStep, Comparison } from '../evidence.js';
import type { Cassette, Run, Step } from '../schema.js';
import { short, visible } from '../visible.js';
import { amount, cost, dollars, duration, type Pricing } from './amounts.js';
import { section } from './audit.js';
import { beside } from './events.js';
import { type Content, h } from './tree.js';
import { count, value } from './value.js';
import { RESULTS } from './words.js';

/** A run as the list has it, or why it cannot be read. */
export type Listed = { run_id: string } & ({ run: Run; steps: number; pricing: Pricing } | { problem: string });

/** A part of the steps of a run. */
export interface RunPage {
  /** What its folder is called; what the run says of itself may be anything. */
  run_id: string;
  run: Run;
  steps: Step[];
  from: number;
  total: number;
  problems: string[];
}

export interface StepPage {
  run_id: string;
  step: Step;
  cassette: Cassette | null;
  /** The other steps that made the same call, and how many there are more. */
  elsewhere: { run_id: string; seq: number }[];
  more: number;
  /** Runs that could not be looked through. */
  unread: number;
}

const path = (...names: (string | number)[]): string => `#/${names.map(encodeURIComponent).join('/')}`;

const number = (any: unknown, words: (n: number) => string): Content =>
  h('td', { class: 'number' }, typeof any === 'number' && Number.isFinite(any) ? words(any) : '');

const table = (
  caption: string,
  heads: readonly string[],
  numbers: readonly number[],
  rows: readonly Content[],
): Content =>
  h(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    h(
      'table',
      {},
      h('caption', { class: 'spoken' }, caption),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ...heads.map((head, at) => h('th', { scope: 'col', class: numbers.includes(at) && 'number' }, head)),
        ),
      ),
      h('tbody', {}, ...rows),
    ),
  );

const status = ({ status, dropped }: Run): Content => {
  const lost = amount(dropped) > 0 ? `, ${count(amount(dropped))} writes lost` : '';
  return status === 'complete' && !lost ? 'complete' : h('span', { class: 'partial' }, `${short(status)}${lost}`);
};

export function runsView(runs: readonly Listed[]): Content {
  const rows = runs.map(listed => {
    const { run_id } = listed;
    const link = h('td', { class: 'id' }, h('a', { href: path('runs', run_id) }, visible(run_id)));
    if ('problem' in listed) return h('tr', {}, link, h('td', { colspan: 6, class: 'problem-text' }, listed.problem));
    const { run, steps, pricing } = listed;
    return h(
      'tr',
      {},
      link,
      h(
        'td',
        {},
        short(run.started_at)
          .replace('T', ' ')
          .replace(/\.\d+Z$/, 'Z'),
      ),
      h('td', {}, status(run)),
      number(steps, count),
      number(run.tokens, count),
      h('td', { class: 'number' }, cost(run, pricing)),
      number(run.latency_ms, duration),
    );
  });
  return [
    h('h1', { class: 'plain', tabindex: '-1' }, 'Recorded runs'),
    h(
      'p',
      { class: 'note' },
      'A recording is a folder that can be edited; only a sealed record shows that nothing was.',
    ),
    runs.length === 0
      ? h('p', {}, 'There are none.')
      : table('Recorded runs', ['run', 'started', 'status', 'steps', 'tokens', 'cost', 'latency'], [3, 4, 5, 6], rows),
    runs.length > 1 && compareForm(runs.map(({ run_id }) => run_id)),
  ];
}

function compareForm(ids: readonly string[]): Content {
  const choice = (name: string, chosen: number) =>
    h(
      'label',
      {},
      `${name} `,
      h('select', { name }, ...ids.map((id, at) => h('option', { value: id, selected: at === chosen }, visible(id)))),
    );
  return section(
    'compare',
    'Compare two',
    h(
      'form',
      { class: 'inline', id: 'compare' },
      choice('A', ids.length - 2),
      choice('B', ids.length - 1),
      h('button', { type: 'submit' }, 'Compare'),
    ),
  );
}

export function runView({ run_id, run, steps, from, total, problems }: RunPage): Content {
  const rows = steps.map(step =>
    h(
      'tr',
      {},
      number(step.seq, String),
      h('td', {}, h('a', { href: path('runs', run_id, step.seq) }, short(step.kind, 16), spokenStep(step.seq))),
      h('td', {}, short(step.node, 40)),
      h('td', {}, h('code', {}, short(step.req_hash).slice(0, 12))),
      h('td', {}, step.error ? h('span', { class: 'partial' }, short(step.error.name, 40)) : ''),
      number(step.tokens, count),
      h('td', { class: 'number' }, dollars(step.cost_usd)),
      number(step.latency_ms, duration),
    ),
  );
  return [
    h('p', {}, h('a', { href: path('runs') }, 'All runs')),
    h('h1', { class: 'plain', tabindex: '-1' }, visible(run_id)),
    h('p', {}, short(run.started_at), ', ', status(run), run.thread_id ? `, thread ${short(run.thread_id)}` : ''),
    ...problems.map(problem => h('p', { class: 'problem-text' }, short(problem, 200))),
    table('Steps', ['step', 'kind', 'node', 'request', 'error', 'tokens', 'cost', 'latency'], [0, 5, 6, 7], rows),
    total > steps.length &&
      h(
        'nav',
        { class: 'pages', 'aria-label': 'Pages of steps' },
        from > 0 && h('a', { href: path('runs', run_id, 'from', Math.max(0, from - STEPS)) }, 'Earlier'),
        h('span', {}, `${count(from + 1)} to ${count(from + steps.length)} of ${count(total)}`),
        from + steps.length < total && h('a', { href: path('runs', run_id, 'from', from + STEPS) }, 'Later'),
      ),
  ];
}

/** So many steps of a run are sent at a time. */
export const STEPS = 200;

const spokenStep = (seq: number): Content => h('span', { class: 'spoken' }, ` step ${seq}`);

export function stepView({ run_id, step, cassette, elsewhere, more, unread }: StepPage): Content {
  const { seq, kind, node, error, latency_ms, tokens, cost_usd } = step;
  const amounts = [
    typeof latency_ms === 'number' && duration(latency_ms),
    typeof tokens === 'number' && `${count(tokens)} tokens`,
    `cost ${dollars(cost_usd)}`,
  ].filter(Boolean);
  return [
    h('p', {}, h('a', { href: path('runs', run_id) }, 'Run ', visible(run_id))),
    h('h1', { class: 'plain', tabindex: '-1' }, `Step ${seq}: ${short(kind, 16)} in ${short(node, 40)}`),
    h('p', {}, amounts.join(', ')),
    error && h('p', { class: 'partial' }, `${short(error.name)}: ${short(error.message, 500)}`),
    section(
      'call',
      'The call',
      cassette
        ? beside(kind, json(cassette.request), json(cassette.response), false)
        : h('p', { class: 'problem-text' }, 'Its cassette is missing.'),
    ),
    section(
      'elsewhere',
      'The same call elsewhere',
      elsewhere.length === 0
        ? h('p', {}, 'Nowhere else in this folder.')
        : h(
            'ul',
            {},
            ...elsewhere.map(at =>
              h('li', {}, h('a', { href: path('runs', at.run_id, at.seq) }, `${visible(at.run_id)}, step ${at.seq}`)),
            ),
            more > 0 && h('li', {}, `and ${count(more)} steps more`),
          ),
      unread > 0 && h('p', { class: 'problem-text' }, `${count(unread)} of the runs cannot be read.`),
    ),
    section('step', 'All that the step says', value(step)),
  ];
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Of a comparison, so many rows are shown: what differs comes first. */
const ROWS = 500;

export function comparisonView(a: string, b: string, { same, counts, ending, steps }: Comparison): Content {
  const place = (id: string, seq: number | null) =>
    h('td', { class: 'number' }, seq === null ? '' : h('a', { href: path('runs', id, seq) }, String(seq)));
  const all = steps.length <= ROWS ? steps : steps.filter(({ result }) => result !== 'same').slice(0, ROWS);
  const rows = all.map(step =>
    h(
      'tr',
      { class: step.result !== 'same' && 'differs' },
      h('td', {}, RESULTS[step.result]),
      place(a, step.a),
      place(b, step.b),
      h('td', { class: 'where' }, 'pointers' in step ? pointers(step) : ''),
    ),
  );
  const summary = Object.entries(counts).filter(([, many]) => many > 0);
  return [
    h('p', {}, h('a', { href: path('runs') }, 'All runs')),
    h('h1', { class: 'plain', tabindex: '-1' }, same ? 'The same' : 'Different'),
    h(
      'p',
      { class: 'lead' },
      `A is ${visible(a)}, B is ${visible(b)}. `,
      summary.map(([result, many]) => `${count(many)} ${RESULTS[result as ComparedStep['result']]}`).join(', ') ||
        'no calls',
      '.',
    ),
    h(
      'p',
      {},
      ending.same
        ? 'They ended alike.'
        : ['They ended otherwise: ', h('code', {}, ending.pointers.map(pointer => short(pointer)).join(' '))],
    ),
    all.length < steps.length && h('p', { class: 'note' }, 'Only what differs is listed.'),
    table('Calls', ['result', 'A', 'B', 'where'], [1, 2], rows),
  ];
}

const pointers = (step: Extract<ComparedStep, { pointers: string[] }>): Content =>
  step.pointers.length === 0
    ? 'only in redacted values'
    : step.pointers.slice(0, 8).map(pointer => [h('code', {}, short(pointer, 120)), ' ']);
