// Recorded runs, as the server that reads them gives them.
import { comparisonView, runsView, runView, stepView } from '../view/runs.js';
import { type Content, h } from '../view/tree.js';
import { announce, mount, part } from './mount.js';
import { refusal } from './verdicts.js';

/** Kept for as long as the tab is open. */
const TOKEN = 'tapeproof-token';

/** A later view makes an earlier one void. */
let turn = 0;

export async function showRuns(place: string, names: readonly string[]): Promise<void> {
  const mine = ++turn;
  const still = location.hash;
  announce('Loading');
  let content: Content;
  try {
    content = await viewOf(place, names);
  } catch (error) {
    if (mine !== turn || location.hash !== still) return;
    if (error instanceof Locked) return askForToken(place, names, error.wasWrong);
    content = [
      h('h1', { class: 'plain', tabindex: '-1' }, 'Not shown'),
      h('p', { class: 'problem-text' }, error instanceof Refused ? error.message : 'This page cannot show it.'),
      h('p', {}, h('a', { href: '#/runs' }, 'All runs')),
    ];
  }
  if (mine !== turn || location.hash !== still) return;
  mount(part('view'), content);
  part('view').querySelector('h1')?.focus({ preventScroll: true });
  announce('');
  const form = document.getElementById('compare');
  form?.addEventListener('submit', event => {
    event.preventDefault();
    const chosen = [...form.querySelectorAll('select')].map(({ value }) => encodeURIComponent(value));
    location.hash = `#/compare/${chosen.join('/')}`;
  });
}

async function viewOf(place: string, names: readonly string[]): Promise<Content> {
  const [a = '', b, from] = names;
  if (place === 'compare') return comparisonView(a, b ?? '', await get('runs', a, 'compare', b ?? ''));
  if (names.length === 0) return runsView(await get('runs'));
  if (b === undefined || b === 'from') return runView(await get('runs', a, 'from', from ?? '0'));
  return stepView(await get('runs', a, 'steps', b));
}

class Refused extends Error {}

class Locked extends Error {
  wasWrong = sessionStorage.getItem(TOKEN) !== null;
}

// biome-ignore lint/suspicious/noExplicitAny: what the server answers is what the view for it takes
async function get(...names: string[]): Promise<any> {
  const token = sessionStorage.getItem(TOKEN);
  const headers = new Headers();
  try {
    if (token !== null) headers.set('authorization', `Bearer ${token}`);
  } catch {
    // What no header can hold is not the token.
    throw new Locked();
  }
  const path = `/api/${names.map(encodeURIComponent).join('/')}`;
  const unreachable = () => {
    throw new Refused('The server cannot be reached.');
  };
  const response = await fetch(path, { headers }).catch(unreachable);
  if (response.status === 401) throw new Locked();
  const answer: unknown = await response.json().catch(unreachable);
  if (!response.ok) throw new Refused(refusal(answer));
  return answer;
}

function askForToken(place: string, names: readonly string[], wasWrong: boolean): void {
  const words = wasWrong ? 'That was not the token.' : 'Runs are shown to those who have the token of this server.';
  mount(part('view'), [
    h('h1', { class: 'plain', tabindex: '-1' }, 'Recorded runs'),
    h('p', {}, words),
    h(
      'form',
      { class: 'inline', id: 'token' },
      h('label', {}, 'Token ', h('input', { type: 'password', autocomplete: 'off', required: true })),
      h('button', { type: 'submit' }, 'Show runs'),
    ),
  ]);
  announce(words);
  const form = part('token');
  const input = form.querySelector('input') as HTMLInputElement;
  input.focus();
  form.addEventListener('submit', event => {
    event.preventDefault();
    sessionStorage.setItem(TOKEN, input.value);
    void showRuns(place, names);
  });
}
