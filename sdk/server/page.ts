// `GET /` and what the page loads: the modules it is compiled to, as they are in the package, and its style.
import { readFileSync } from 'node:fs';
import { fingerprints } from '../fingerprint.js';
import type { Keys } from '../keys.js';
import { html } from '../view/html.js';
import { STYLE } from '../view/style.js';
import { h } from '../view/tree.js';
import { reply } from './reply.js';
import type { Route } from './route.js';

/** All modules of the page, the first first. A path from outside is looked up here and nowhere else. */
const MODULES = [
  ...['main', 'audit', 'mount', 'runs', 'verdicts'].map(name => `page/${name}.js`),
  ...['amounts', 'audit', 'chain', 'events', 'record', 'runs', 'tree', 'value', 'words'].map(name => `view/${name}.js`),
  'visible.js',
];

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The page, with a way to recorded runs where there are some. */
export function pageRoutes(keys: Keys, hasRuns: boolean): Route[] {
  const shell = shellFor(fingerprints(keys[0]), hasRuns);
  const asset = (path: string, type: string, read: () => string): Route => {
    let text: string | undefined;
    return {
      method: 'GET',
      path,
      handle: ({ response }) => reply(response, 200, type, (text ??= read())),
    };
  };
  return [
    {
      method: 'GET',
      path: '/',
      handle: ({ response }) =>
        reply(response, 200, 'text/html; charset=utf-8', shell, { 'content-security-policy': POLICY }),
    },
    asset('/assets/style.css', 'text/css; charset=utf-8', () => STYLE),
    ...MODULES.map(name =>
      asset(`/assets/${name}`, 'text/javascript; charset=utf-8', () =>
        readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'),
      ),
    ),
  ];
}

function shellFor(pinned: readonly string[], hasRuns: boolean): string {
  const head = [
    h('meta', { charset: 'utf-8' }),
    h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    h('meta', { name: 'pinned', content: pinned.join(' ') }),
    h('title', {}, 'tapeproof: records'),
    // An icon that is asked for by no one needs no answer.
    h('link', { rel: 'icon', href: 'data:,' }),
    h('link', { rel: 'stylesheet', href: '/assets/style.css' }),
    ...MODULES.slice(1).map(name => h('link', { rel: 'modulepreload', href: `/assets/${name}` })),
    h('script', { type: 'module', src: '/assets/page/main.js' }),
  ];
  const body = [
    h('a', { class: 'skip', href: '#view' }, 'Skip to the content'),
    h(
      'header',
      { class: 'bar' },
      h('a', { class: 'brand', href: '#/' }, 'tapeproof'),
      hasRuns &&
        h(
          'nav',
          { 'aria-label': 'Views' },
          h('a', { href: '#/' }, 'Records'),
          ' ',
          h('a', { href: '#/runs' }, 'Recorded runs'),
        ),
    ),
    h(
      'main',
      { id: 'view', tabindex: '-1' },
      h('noscript', {}, 'This page needs JavaScript. tapeproof verify and tapeproof report do not.'),
    ),
    h('div', { id: 'status', class: 'spoken', role: 'status' }),
    h(
      'footer',
      {},
      'Verdicts are made by the server that this page is from. Trust it as far as you trust whoever runs it, or check again on your own machine.',
    ),
  ];
  return `<!doctype html>\n<html lang="en"><head>${[...html(head)].join('')}</head><body>${[...html(body)].join('')}</body></html>\n`;
}
