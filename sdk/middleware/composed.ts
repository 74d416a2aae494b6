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

function within(part: unknown, wrap: (part: Live) => unknown): unknown {
  if (isRunnable(part)) return wrap(part);
  if (Array.isArray(part)) {
    const others = part.map(each => within(each, wrap));
    return others.some((other, index) => other !== part[index]) ? others : part;
  }
  if (isObject(part) && Object.getPrototypeOf(part) === Object.prototype) {
    const others = Object.entries(part).map(([name, each]) => [name, within(each, wrap)] as const);
    return others.some(([name, other]) => other !== part[name]) ? Object.fromEntries(others) : part;
  }
  return part;
}
