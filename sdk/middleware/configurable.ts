// `initChatModel`: a model that is chosen when it is called.
import { isObject, type Live, type Method } from './live.js';

/** What was called on it before there was a model is done now, on the stand-in for that one. */
export async function modelInstance(
  model: Live,
  method: Method,
  args: unknown[],
  wrap: <T>(value: T) => T,
): Promise<unknown> {
  const operations = isObject(model['_queuedMethodOperations']) ? model['_queuedMethodOperations'] : {};
  const bare = Object.create(model, { _queuedMethodOperations: { value: {}, writable: true } });
  let instance = wrap(await method.apply(bare, args)) as Live;
  for (const [name, given] of Object.entries(operations)) {
    const operation = instance[name];
    if (typeof operation === 'function') instance = wrap(await operation.apply(instance, given as unknown[])) as Live;
  }
  return instance;
}
