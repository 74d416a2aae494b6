// The timeline: what was asked beside what came back, event by event.

import type { VerifyResult } from '../verify.js';
import { short } from '../visible.js';
import { duration } from './amounts.js';
import { breakOf, eventsOf, member, type Shown, type State, sidesOf, stateOf, titleOf } from './record.js';
import { type Content, fold, h, mark } from './tree.js';
import { value } from './value.js';

/** So many events are shown at a time. */
export const PAGE = 50;

/** So few are shown open. */
const FEW = 12;

/** The events `[from, to)`. */
export function timeline(shown: Shown, from: number, to: number): Content {
  const events = eventsOf(shown).slice(from, to);
  const broken = breakOf(shown);
  return h(
    'ol',
    { class: 'timeline', start: from },
    ...events.map((event, at) => {
      const index = from + at;
      const state = stateOf(index, broken);
      return h('li', {}, one(shown, event, index, state, events.length <= FEW || state === 'broken'));
    }),
  );
}

const STATES: Record<State, Content> = {
  whole: undefined,
  broken: h('strong', { class: 'state' }, mark('✗'), ' the chain breaks here'),
  after: h('span', { class: 'state' }, 'not proven'),
};

function one({ result }: Shown, event: unknown, index: number, state: State, open: boolean): Content {
  const { type, of } = titleOf(event);
  const { asked, answered, failed } = sidesOf(event);
  const latency = member(event, 'latency_ms');
  const title = [
    h('span', { class: 'index' }, String(index)),
    h('span', { class: 'type' }, short(type, 24)),
    ' ',
    of != null && h('span', { class: 'of' }, short(of, 60)),
    duration(latency) !== '' && h('span', { class: 'latency' }, duration(latency)),
    failed && h('span', { class: 'failed' }, 'failed'),
    STATES[state],
  ];
  return fold({ id: `event-${index}`, class: `event ${state}`, open }, title, () => [
    state === 'broken' && why(result),
    asked === undefined && answered === undefined
      ? h('div', { class: 'sides' })
      : beside(type, asked, answered, failed),
    fold({ class: 'whole-event' }, 'All that the event says', () => value(event)),
  ]);
}

function why({ failures }: VerifyResult): Content {
  const { expected, actual } = failures.find(({ check }) => check === 'chain') ?? {};
  return [
    h(
      'p',
      { class: 'why' },
      'This event is not what its hash says: it, or what was before it, was changed, added, moved or removed.',
    ),
    expected !== undefined &&
      h(
        'dl',
        { class: 'members hashes' },
        h('div', {}, h('dt', {}, 'claimed'), h('dd', {}, h('code', {}, actual === undefined ? 'none' : short(actual)))),
        h('div', {}, h('dt', {}, 'computed'), h('dd', {}, h('code', {}, expected))),
      ),
  ];
}

// Maps: what is looked up there is text from a record, which may be the name of anything.
const ASKED = new Map([
  ['run', 'Input'],
  ['environment', 'Source'],
]);
const ANSWERED = new Map([
  ['run', 'Output'],
  ['reasoning', 'Text'],
]);

/** What was asked beside what came back; one below the other where there is no room. */
export function beside(type: string, asked: unknown, answered: unknown, failed: boolean): Content {
  return h(
    'div',
    { class: 'sides' },
    asked !== undefined && side(ASKED.get(type) ?? 'Request', asked),
    answered !== undefined && side(failed ? 'Error' : (ANSWERED.get(type) ?? 'Response'), answered),
  );
}

const side = (name: string, any: unknown): Content =>
  h('div', { class: 'side' }, h('h3', {}, name), h('div', { class: 'value' }, value(any)));
