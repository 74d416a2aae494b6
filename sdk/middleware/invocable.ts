// Models of one's own: anything with `invoke`, observed there.
import { answerOf } from './answer.js';
import type { Call, Observer } from './call.js';
import { within } from './context.js';
import { isInvocable, isObject, type Live } from './live.js';
import { observed } from './observe.js';
import { Chunks } from './pieces.js';
import { modelRequest } from './request.js';
import type { Interceptor, Role } from './stand-in.js';
import { streamed } from './streams.js';

/** What a model was bound to, and the model that it was. */
export interface Bound {
  readonly origin: Live;
  readonly options: Live;
}

export function invocableRole(
  model: Live,
  observer: Observer,
  otherwise: Role,
  wrapBound: (value: Live, bound: Bound) => unknown,
  bound: Bound = { origin: model, options: {} },
): Role {
  const { options } = bound;
  const origin = typeof model['_llmType'] === 'function' ? model : bound.origin;
  const begin = (input: unknown, config: unknown): Call =>
    within(config, () =>
      observer.begin(() => modelRequest(origin, input, { ...options, ...(isObject(config) && config) })),
    );

  const binding =
    (optionsOf: (args: unknown[]) => unknown): Interceptor =>
    (method, self, args) => {
      const given = optionsOf(args);
      const value = method.apply(model, args);
      if (value === model) {
        Object.assign(options, given);
        return self;
      }
      return isInvocable(value)
        ? wrapBound(value, { origin, options: { ...options, ...(isObject(given) && given) } })
        : value;
    };

  const interceptors: Record<string, Interceptor> = {
    invoke: (method, _, args) => {
      const [input, config] = args;
      return observed(begin(input, config), () => within(config, () => method.apply(model, args)), answerOf);
    },
    stream: (method, _, args) => {
      const [input, config] = args;
      return streamed(
        () => begin(input, config),
        () => within(config, () => method.apply(model, args)),
        new Chunks(),
      );
    },
    bindTools: binding(([tools, more]) => ({ ...(isObject(more) && more), tools })),
    bind: binding(([more]) => more),
    withConfig: binding(() => ({})),
  };
  return (key, method) => (Object.hasOwn(interceptors, key) && interceptors[key]) || otherwise(key, method);
}
