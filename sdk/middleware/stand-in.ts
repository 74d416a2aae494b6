// A Proxy that is its target to everybody: same class, same fields, same methods, some of which are observed.
import type { Live, Method } from './live.js';

/** Answers in place of a method. `self` is what it was called on, the stand-in when it was called on nothing. */
export type Interceptor = (method: Method, self: unknown, args: unknown[]) => unknown;

/** How a method is answered; `null` leaves it as it is. */
export type Role<Key extends string | symbol = string> = (key: Key, method: Method) => Interceptor | null;

/** What a stand-in stands for, under a key that every copy of this package knows. */
const BEHIND = Symbol.for('tapeproof.behind');

export interface Behind {
  readonly target: object;
  /** What observes it. */
  readonly recorder: object;
}

/** What is behind a stand-in, undefined for anything else. */
export function behind(value: object): Behind | undefined {
  return (value as Live)[BEHIND] as Behind | undefined;
}

export function standIn<T extends object>(target: T, recorder: object, role: Role<string | symbol>): T {
  const link: Behind = { target, recorder };
  const methods = new Map<string | symbol, { method: Method; answer: Method }>();

  const answering = (key: string | symbol, method: Method): Method => {
    const known = methods.get(key);
    if (known?.method === method) return known.answer;
    const intercept = role(key, method);
    const answer = intercept
      ? new Proxy(method, { apply: (_, self, args) => intercept(method, self === undefined ? proxy : self, args) })
      : method;
    methods.set(key, { method, answer });
    return answer;
  };

  const proxy: T = new Proxy(Object.isFrozen(target) ? thawed(target) : target, {
    get(object, key) {
      if (key === BEHIND) return link;
      // Getters are asked on the target: what they read may be private to it.
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function' || key === 'constructor') return value;
      return isFixed(object, key) ? value : answering(key, value as Method);
    },
    set: (_, key, value, receiver) => Reflect.set(target, key, value, receiver === proxy ? target : receiver),
  });
  return proxy;
}

/** A frozen object but for that: what a Proxy cannot show otherwise than it is. Its fields stay what they are. */
function thawed<T extends object>(target: T): T {
  const fields = Object.getOwnPropertyDescriptors(target) as Record<PropertyKey, PropertyDescriptor>;
  for (const key of Reflect.ownKeys(fields)) Object.assign(fields[key] as PropertyDescriptor, { configurable: true });
  return Object.create(Object.getPrototypeOf(target), fields);
}

/** Invariant of a Proxy: what cannot change must be shown as it is. */
function isFixed(object: object, key: string | symbol): boolean {
  const own = Object.getOwnPropertyDescriptor(object, key);
  return own !== undefined && !own.configurable && !own.writable;
}

/** Private members as they are written, and as compilers write them; a WeakMap or WeakSet is asked for `this`. */
const PRIVATE = /\.\s*#\w|#\w+\s+in\b|class_?private_?(?:field|method)|__private\w|\.\s*(?:get|has)\(\s*this\s*\)/i;

/** Whether a method reads private members, which a Proxy has not. */
export function readsPrivate(method: Method): boolean {
  return PRIVATE.test(Function.prototype.toString.call(method));
}

/** An ordinary function that says `this`, and so is of whatever it is called on. */
const OF_ITS_CALLER = /^(?:async\s+)?(?:function\b|(?!async\b)[\w$]+\s*\()[\s\S]*\bthis\b/;

/** Whether a method is the target's alone, put in the place of its class's, and does not ask what it is called on. */
export function isBound(target: object, key: string, method: Method): boolean {
  const inherited: unknown = Object.getPrototypeOf(target)?.[key];
  if (typeof inherited !== 'function' || inherited === method) return false;
  return !OF_ITS_CALLER.test(Function.prototype.toString.call(method));
}
