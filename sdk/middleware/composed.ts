// Runnables that are made of others: a copy that is made of the stand-ins for them.
import { isObject, isRunnable, type Live } from './live.js';

/** Where they have their parts: bindings, sequences, maps, fallbacks, branches, routers. */
const PARTS = [
  'bound',
  'first',
  'middle',
  'last',
  'runnable',
  'fallbacks',
  'steps',
  'mapper',
  'branches',
  'default',
  'runnables',
];

/** `runnable` itself when nothing in it changes. */
export function recomposed(runnable: Live, wrap: (part: Live) => unknown): Live {
  const changed: Live = {};
  for (const name of PARTS) {
    if (!Object.hasOwn(runnable, name)) continue;
    const part = runnable[name];
    const other = within(part, wrap);
    if (other !== part) changed[name] = other;
  }
  if (Object.keys(changed).length === 0) return runnable;
  return Object.assign(Object.create(Object.getPrototypeOf(runnable)), runnable, changed);
}

const within = (part: unknown, wrap: (part: Live) => unknown): unknown =>
  isRunnable(part) ? wrap(part) : contained(part, each => within(each, wrap));

/** A list or a record with `wrap` done to what is in it; anything else, and one in which nothing changes, as it is. */
export function contained<T>(container: T, wrap: (member: unknown) => unknown): T {
  if (Array.isArray(container)) {
    const others = container.map(each => wrap(each));
    return others.some((other, index) => other !== container[index]) ? (others as T) : container;
  }
  if (!isObject(container) || Object.getPrototypeOf(container) !== Object.prototype) return container;
  const others = Object.entries(container).map(([name, each]) => [name, wrap(each)] as const);
  return others.some(([name, other]) => other !== container[name]) ? (Object.fromEntries(others) as T) : container;
}
