// Which objects can be read the fast way, without a difference to `Object.entries`.
import { isProxy } from 'node:util/types';

const { getPrototypeOf, prototype } = Object;
const empty = {};

/** Whether `for … in` enumerates something that every plain object inherits. A getter may bring that about at any time. */
export function hasInherited(): boolean {
  for (const _ in empty) return true;
  return false;
}

const nothing: readonly unknown[] = [];

/** Whether every array, or every object, has been given a `toJSON` by a prototype. */
export const inheritsToJSON = (): boolean => 'toJSON' in nothing;

/** Whether `for … in` enumerates exactly the object's own entries. A Proxy is not asked more than it would be. */
export function isPlain(object: object): boolean {
  if (isProxy(object)) return false;
  const parent = getPrototypeOf(object);
  return parent === null || (parent === prototype && !hasInherited());
}
