// The chain as a strip: a link for each event, or for as many as one link must stand for.
import { short } from '../visible.js';
import { breakOf, eventsOf, type Shown, type State, stateOf, titleOf } from './record.js';
import { type Content, h, mark, spoken } from './tree.js';
import { count } from './value.js';

/** So many links are still told apart, and passed with the Tab key. */
const LINKS = 48;

const STATES: Record<State, string> = { whole: '', broken: ': the chain breaks here', after: ': after the break' };

export function chain(shown: Shown): Content {
  const events = eventsOf(shown);
  const { checks } = shown.result;
  const broken = breakOf(shown);
  const links: Content[] = [];
  // The broken event has a link of its own: nothing may hide it.
  const size = Math.max(1, Math.ceil(events.length / (LINKS - 2)));
  for (let from = 0; from < events.length; ) {
    let to = Math.min(from + size, events.length);
    if (from < broken && broken < to) to = broken;
    if (from === broken) to = from + 1;
    links.push(h('li', {}, link(events, from, to, stateOf(from, broken))));
    from = to;
  }
  const isSigned = checks.signature === 'valid' || checks.signature === 'valid-unpinned';
  return [
    h('a', { class: 'skip', href: '#after-chain' }, 'Skip the chain'),
    h(
      'ol',
      { class: 'chain', 'aria-label': 'The chain of events' },
      ...links,
      end(
        checks.digest ? 'whole' : 'broken',
        'digest',
        checks.digest ? 'as the manifest says' : 'not as the manifest says',
      ),
      end(
        checks.signature === 'invalid' ? 'broken' : isSigned ? 'whole' : 'after',
        'signature',
        isSigned ? 'made for the digests in the manifest' : checks.signature,
      ),
    ),
    h('p', { class: 'legend', id: 'after-chain' }, legend(events.length, broken, size)),
  ];
}

function link(events: readonly unknown[], from: number, to: number, state: State): Content {
  const isOne = to === from + 1;
  const { type, of } = titleOf(events[from]);
  const what = isOne
    ? `Event ${from}, ${short(type, 24)}${of == null ? '' : ` ${short(of, 40)}`}`
    : `Events ${from} to ${to - 1}`;
  const text = state === 'broken' ? [mark('✗'), String(from)] : isOne || from === 0 ? String(from) : `${from}–`;
  return h(
    'a',
    { href: `#event-${from}`, class: `cell ${state}`, 'aria-label': `${what}${STATES[state]}`, title: what },
    text,
  );
}

const end = (state: State, name: string, words: string): Content =>
  h('li', {}, h('span', { class: `cell end ${state}` }, state === 'broken' && mark('✗'), name, spoken(`: ${words}`)));

function legend(length: number, broken: number, size: number): string {
  const each = size === 1 ? '' : ` A link stands for up to ${count(size)} events.`;
  if (length === 0) return 'There are no events.';
  if (broken === Number.POSITIVE_INFINITY) return `${count(length)} linked events.${each}`;
  const rest = length - broken - 1;
  const after =
    rest === 0
      ? ''
      : ` Nothing after it is proven either: ${rest === 1 ? 'the event behind it rests' : `the ${count(rest)} events behind it rest`} on a hash that does not hold.`;
  return `The chain holds up to event ${broken}, where it breaks.${after}${each}`;
}
