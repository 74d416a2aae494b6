// Puts a call between its start and its end, and gives back what it gives.
import { types } from 'node:util';
import { isThenable } from '../log.js';
import type { Answer } from './answer.js';
import type { Call } from './call.js';
import { standIn } from './stand-in.js';

/** A call that gives a value or a promise. */
export function observed(call: Call, action: () => unknown, answer: (value: unknown) => Answer): unknown {
  return settled(
    action,
    value => {
      call.end(() => answer(value));
      return value;
    },
    error => call.fail(error),
  );
}

/** What `action` gives, once `ended` was told of it; what it throws, once `failed` was. */
export function settled(
  action: () => unknown,
  ended: (value: unknown) => unknown,
  failed: (error: unknown) => void,
): unknown {
  const rejected = (error: unknown): never => {
    failed(error);
    throw error;
  };
  let value: unknown;
  try {
    value = action();
  } catch (error) {
    return rejected(error);
  }
  if (!isThenable(value)) return ended(value);
  return isOrdinary(value) ? value.then(ended, rejected) : awaited(value, ended, failed);
}

/** A promise that has nothing to it but its value. */
const isOrdinary = (value: object): value is Promise<unknown> =>
  types.isPromise(value) && value.then === Promise.prototype.then && value.constructor === Promise;

/** One that has more to it, or starts when it is asked: so it does still, and whoever asks ends the call. */
function awaited(
  value: PromiseLike<unknown>,
  ended: (value: unknown) => unknown,
  failed: (error: unknown) => void,
): unknown {
  const stand: unknown = standIn(value, ended, (key, method) => {
    // They ask for `then` of what they are called on.
    if (method === Promise.prototype.catch || method === Promise.prototype.finally) return null;
    return (_, self, args) => {
      const target = self === stand ? value : self;
      if (key !== 'then') return method.apply(target, args);
      const [resolve, reject] = args;
      return method.call(
        target,
        (given: unknown) => (typeof resolve === 'function' ? resolve(ended(given)) : ended(given)),
        (error: unknown) => {
          failed(error);
          if (typeof reject === 'function') return reject(error);
          throw error;
        },
      );
    };
  });
  return stand;
}
