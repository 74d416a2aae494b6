// A value from a record as it is read by people. However large it is, what is shown is not.
import { short, visible } from '../visible.js';
import { type Content, h } from './tree.js';

/** Of one text. */
const LONGEST = 2000;
/** Of a value: so many characters, so many values inside of it, so deep. */
const CHARACTERS = 8000;
const VALUES = 200;
const DEPTH = 8;

const lines = (text: string): string => text.split('\n').map(visible).join('\n');

interface Budget {
  characters: number;
  values: number;
}

/** A value with everything in it, or as much of it as can be read. */
export const value = (any: unknown): Content => inner(any, { characters: CHARACTERS, values: VALUES }, 0);

function inner(any: unknown, budget: Budget, depth: number): Content {
  budget.values -= 1;
  if (typeof any === 'string') return string(any, budget);
  if (typeof any !== 'object' || any === null) return h('span', { class: 'literal' }, String(any));
  if (depth === DEPTH) return h('span', { class: 'more' }, 'more, deeper in the record');
  return Array.isArray(any) ? list(any, budget, depth) : object(any as Record<string, unknown>, budget, depth);
}

function string(text: string, budget: Budget): Content {
  if (text === '') return h('span', { class: 'more' }, 'empty text');
  const shown = text.slice(0, Math.max(80, Math.min(LONGEST, budget.characters)));
  budget.characters -= shown.length;
  const rest = text.length - shown.length;
  return [
    h('span', { class: 'text' }, lines(shown)),
    rest > 0 && h('span', { class: 'more' }, ` … and ${count(rest)} characters more, in the record`),
  ];
}

function list(items: readonly unknown[], budget: Budget, depth: number): Content {
  if (items.length === 0) return h('span', { class: 'more' }, 'empty list');
  const shown: Content[] = [];
  for (const item of items) {
    if (budget.values <= 0 || budget.characters <= 0) break;
    shown.push(h('li', {}, message(item, budget) ?? inner(item, budget, depth + 1)));
  }
  const rest = items.length - shown.length;
  return [h('ol', { class: 'list', start: 0 }, ...shown), rest > 0 && more(rest)];
}

/** What a message is nearly always: who, and what. */
function message(item: unknown, budget: Budget): Content | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const { role, content, ...rest } = item as Record<string, unknown>;
  if (typeof role !== 'string' || typeof content !== 'string' || Object.keys(rest).length > 0) return undefined;
  budget.values -= 1;
  return [h('span', { class: 'name' }, short(role, 24)), ' ', string(content, budget)];
}

function object(members: Record<string, unknown>, budget: Budget, depth: number): Content {
  const shown: Content[] = [];
  let [seen, total] = [0, 0];
  for (const name in members) {
    if (!Object.hasOwn(members, name)) continue;
    total += 1;
    if (budget.values <= 0 || budget.characters <= 0) continue;
    seen += 1;
    budget.characters -= Math.min(name.length, 80);
    shown.push(h('div', {}, h('dt', {}, short(name)), h('dd', {}, inner(members[name], budget, depth + 1))));
  }
  if (total === 0) return h('span', { class: 'more' }, 'empty');
  return [h('dl', { class: 'members' }, ...shown), total > seen && more(total - seen)];
}

const more = (rest: number): Content => h('p', { class: 'more' }, `and ${count(rest)} more, in the record`);

/** A number for people. */
export const count = (number: number): string => number.toLocaleString('en');
