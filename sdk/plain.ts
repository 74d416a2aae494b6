// Which objects can be read the fast way, without a difference to `Object.entries`.
import { isProxy } from 'node:util/types';

const { getPrototypeOf, prototype } = Object;
const empty = {};

/** Whether `for … in` enumerates something that every plain object inherits. */
export function hasInherited(): boolean {
  for (const _ in empty) return true;
  return false;
}

/** Whether `for … in` enumerates exactly the object's own entries. A Proxy is not asked more than it would be. */
export function isPlain(object: object, inherited: boolean): boolean {
  if (isProxy(object)) return false;
  const parent = getPrototypeOf(object);
  return (parent === prototype && !inherited) || parent === null;
}
