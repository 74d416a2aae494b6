// Records that are dropped or chosen, and what is seen of them.
import { audit, closing, lengthOf, section, VERDICTS } from '../view/audit.js';
import { PAGE, timeline } from '../view/events.js';
import { breakOf, type Shown } from '../view/record.js';
import { type Content, h } from '../view/tree.js';
import { count } from '../view/value.js';
import { visible } from '../visible.js';
import { announce, mount, part } from './mount.js';
import { type Checked, check } from './verdicts.js';

let checked: Checked[] = [];
let current = 0;
/** A later choice of files makes an earlier one void. */
let turn = 0;

export function showAudit(): void {
  mount(part('view'), [
    h('div', { id: 'intro' }),
    h('div', { id: 'drop', class: 'drop' }, h('p', {}, 'Drop records here, or'), chooser()),
    h('div', { id: 'files' }),
    h('div', { id: 'record' }),
  ]);
  const drop = part('drop');
  const chosen = drop.querySelector('input') as HTMLInputElement;
  chosen.addEventListener('change', () => void take([...(chosen.files ?? [])]));
  // The same file again may be another by now.
  chosen.addEventListener('click', () => {
    chosen.value = '';
  });
  announce('');
  if (checked.length === 0) return mount(part('intro'), intro());
  showList();
  showRecord();
}

/** Files may be dropped anywhere on the page. */
export function acceptDrops(showRecords: () => void): void {
  addEventListener('dragover', event => {
    event.preventDefault();
    document.getElementById('drop')?.classList.add('over');
  });
  addEventListener('dragleave', () => document.getElementById('drop')?.classList.remove('over'));
  addEventListener('drop', event => {
    event.preventDefault();
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    if (!document.getElementById('drop')) showRecords();
    document.getElementById('drop')?.classList.remove('over');
    void take(files);
  });
}

const chooser = (): Content =>
  h('input', {
    type: 'file',
    id: 'chooser',
    multiple: true,
    accept: '.json,application/json',
    'aria-label': 'Choose records',
  });

const intro = (): Content => [
  h('h1', { class: 'plain' }, 'Is this record what was sealed?'),
  h(
    'p',
    { class: 'lead' },
    'A record is the sealed account of what an AI agent did: what it asked, what it was answered, in order. Here you see whether anything in it was changed since, and who signed it.',
  ),
  h('p', { class: 'note' }, 'Files go to the server that this page is from, and nowhere else. It keeps nothing.'),
];

async function take(files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  const mine = ++turn;
  checked = [];
  current = 0;
  part('record').replaceChildren();
  for (const [at, file] of files.entries()) {
    announce(`Checking ${at + 1} of ${files.length}`);
    const one = await check(file);
    if (mine !== turn) return;
    checked.push(one);
    // Another view may be shown meanwhile.
    if (!document.getElementById('record')) continue;
    showList();
    // The focus goes to the first verdict, and is left where it is as the others come.
    if (at === 0) showRecord().focus();
  }
  announce(summary());
}

function summary(): string {
  const [one] = checked;
  if (checked.length === 1 && one) return `${visible(one.name)}: ${one.problem ?? one.shown?.result.verdict}`;
  const valid = checked.filter(({ shown }) => shown?.result.verdict === 'valid').length;
  return `${checked.length} records checked, ${valid} valid`;
}

function showList(): void {
  const list = part('files');
  if (checked.length < 2) return list.replaceChildren();
  const focused = [...list.querySelectorAll('button')].indexOf(document.activeElement as HTMLButtonElement);
  mount(list, [
    h('h2', { class: 'spoken' }, 'Records'),
    h(
      'ul',
      { class: 'files' },
      ...checked.map(({ name, shown }, at) =>
        h(
          'li',
          { class: shown?.result.verdict ?? 'problem' },
          h(
            'button',
            { type: 'button', 'aria-pressed': at === current ? 'true' : 'false' },
            h('span', { class: 'outcome' }, shown ? VERDICTS[shown.result.verdict] : 'No verdict'),
            h('span', { class: 'file' }, visible(name)),
          ),
        ),
      ),
    ),
  ]);
  const buttons = [...list.querySelectorAll('button')];
  buttons[focused]?.focus();
  for (const [at, button] of buttons.entries()) {
    button.addEventListener('click', () => {
      current = at;
      for (const [other, each] of buttons.entries()) each.setAttribute('aria-pressed', String(other === at));
      showRecord().focus();
    });
  }
}

/** Shows the current record, and gives its heading. */
function showRecord(): HTMLElement {
  const { name, shown, problem } = checked[current] as Checked;
  part('intro').replaceChildren();
  part('drop').classList.add('small');
  const heading = () => part('record').querySelector('h1') as HTMLElement;
  if (!shown) {
    mount(part('record'), [
      h('h1', { class: 'plain', tabindex: '-1' }, 'No verdict'),
      h('p', { class: 'lead problem-text' }, `${visible(name)}: ${problem}.`),
    ]);
    return heading();
  }
  mount(part('record'), [audit(shown), section('events', 'The events', h('div', { id: 'timeline' })), closing(shown)]);
  const broken = breakOf(shown);
  showEvents(shown, pageOf(broken < lengthOf(shown) ? broken : 0));
  return heading();
}

const pageOf = (index: number): number => Math.floor(index / PAGE) * PAGE;

function showEvents(shown: Shown, from: number): void {
  const length = lengthOf(shown);
  const to = Math.min(from + PAGE, length);
  const pages = () =>
    length > PAGE &&
    h(
      'nav',
      { class: 'pages', 'aria-label': 'Pages of events' },
      h('button', { type: 'button', class: 'quiet', 'data-from': from - PAGE, disabled: from === 0 }, 'Earlier'),
      h('span', {}, `Events ${count(from)} to ${count(to - 1)} of ${count(length)}`),
      h('button', { type: 'button', class: 'quiet', 'data-from': to, disabled: to === length }, 'Later'),
    );
  const place = part('timeline');
  mount(place, [pages(), timeline(shown, from, to)]);
  for (const button of place.querySelectorAll<HTMLElement>('button[data-from]')) {
    button.addEventListener('click', () => {
      showEvents(shown, Number(button.dataset['from']));
      place.querySelector('summary')?.focus();
    });
  }
}

/** Follows a link of the chain: shows the event, open, and goes there. */
export function goToEvent(index: number): void {
  const { shown } = checked[current] ?? {};
  if (!shown || !document.getElementById('timeline')) return;
  if (!document.getElementById(`event-${index}`)) showEvents(shown, pageOf(index));
  const event = document.getElementById(`event-${index}`) as HTMLDetailsElement | null;
  if (!event) return;
  event.open = true;
  const summary = event.querySelector('summary');
  summary?.scrollIntoView({ block: 'center' });
  summary?.focus({ preventScroll: true });
}
