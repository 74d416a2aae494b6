// Which view the address names.
import { acceptDrops, goToEvent, showAudit } from './audit.js';
import { part } from './mount.js';
import { showRuns } from './runs.js';

/** Links within a view are followed here: the address goes on naming the view. */
document.addEventListener('click', event => {
  const link = (event.target as Element).closest?.('a[href^="#"]');
  const [, index] = /^#event-(\d+)$/.exec(link?.getAttribute('href') ?? '') ?? [];
  const target = link && document.getElementById((link.getAttribute('href') ?? '').slice(1));
  if (index !== undefined) goToEvent(Number(index));
  else if (target) {
    target.tabIndex = -1;
    target.focus();
  } else return;
  event.preventDefault();
});

function show(): void {
  const path = location.hash.replace(/^#\/?/, '');
  const [place = '', ...names] = path.split('/').map(decoded);
  for (const link of document.querySelectorAll('.bar nav a')) {
    const isHere = (link.getAttribute('href') === '#/runs') === (place === 'runs' || place === 'compare');
    if (isHere) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  if (place === 'runs' || place === 'compare') void showRuns(place, names);
  else showAudit();
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

addEventListener('hashchange', () => {
  show();
  scrollTo(0, 0);
  part('view').focus({ preventScroll: true });
});
acceptDrops(() => {
  history.replaceState(null, '', '#/');
  show();
});
show();
