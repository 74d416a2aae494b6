// Models of LangChain. Whatever is called on one, in the end one of three primitives asks the provider: they are
// observed, on the target. What leads to them is called on the stand-in, so that it finds them observed.
import { answerOfResult } from './answer.js';
import type { Call, Observer } from './call.js';
import { modelInstance } from './configurable.js';
import { captured, within } from './context.js';
import type { Live } from './live.js';
import { observed } from './observe.js';
import { Chunks, Events } from './pieces.js';
import { modelRequest, sentParams } from './request.js';
import type { Interceptor, Role } from './stand-in.js';
import { carried, streamed } from './streams.js';

/** How a model is answered; `otherwise` says it for what is no primitive and carries no config. */
export function modelRole(model: Live, observer: Observer, otherwise: Role, wrap: <T>(value: T) => T): Role {
  const begin = (primitive: string, [input, options]: unknown[]): Call =>
    observer.begin(() => modelRequest(model, input, options, sentParams(model, primitive, options)));

  const stream =
    (primitive: string, pieces: () => Chunks | Events): Interceptor =>
    (method, _, args) => {
      // The scope is that of the call; the generator runs in that of whoever reads it.
      const there = captured();
      return streamed(
        () => there(() => begin(primitive, args)),
        () => method.apply(model, args),
        pieces(),
      );
    };

  const interceptors: Record<string, Interceptor> = {
    _generate: (method, _, args) => observed(begin('_generate', args), () => method.apply(model, args), answerOfResult),
    _streamResponseChunks: stream('_streamResponseChunks', () => new Chunks()),
    _streamChatModelEvents: stream('_streamChatModelEvents', () => new Events()),

    // The config, which the primitives are not given.
    _generateUncached: (method, self, args) => within(args[2], () => method.apply(self, args)),
    _streamIterator: (method, self, args) => carried(args[1], () => method.apply(self, args)),
    streamEvents: (method, self, args) => within(args[1], () => method.apply(self, args)),
    // `initChatModel`, now and in the first versions of it.
    _getModelInstance: (method, _, args) => modelInstance(model, method, args, wrap),
    _model: (method, _, args) => modelInstance(model, method, args, wrap),
  };

  const base = baseOf(model);
  const delegates = '_queuedMethodOperations' in model;
  return (key, method) => {
    const intercept = Object.hasOwn(interceptors, key) ? interceptors[key] : undefined;
    if (!intercept) return otherwise(key, method);
    if (PRIMITIVES.has(key)) {
      // What a model does not implement says so by being that of the base class.
      if (base?.[key] === method) return null;
      // The model within is the one that asks.
      if (delegates) return otherwise(key, method);
    } else if (key === '_model' && !delegates) return otherwise(key, method);
    return intercept;
  };
}

const PRIMITIVES = new Set(['_generate', '_streamResponseChunks', '_streamChatModelEvents']);

/** The prototype of the framework's base class. */
function baseOf(model: Live): Live | undefined {
  let base: Live | undefined;
  for (let at = Object.getPrototypeOf(model); at !== null; at = Object.getPrototypeOf(at)) {
    if (Object.hasOwn(at, '_generateUncached')) base = at;
  }
  return base;
}
