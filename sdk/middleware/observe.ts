// Puts a call between its start and its end, and gives back what it gives.
import { types } from 'node:util';
import { isThenable } from '../log.js';
import type { Answer } from './answer.js';
import type { Call } from './call.js';
import { within } from './context.js';
import { isObject, type Live, type Method } from './live.js';
import type { Pieces } from './pieces.js';

type Steps = AsyncIterator<unknown> | Iterator<unknown>;

/** A call that gives a value or a promise. */
export function observed(call: Call, action: () => unknown, answer: (value: unknown) => Answer): unknown {
  const ended = (value: unknown): unknown => {
    call.end(() => answer(value));
    return value;
  };
  const failed = (error: unknown): never => {
    call.fail(error);
    throw error;
  };
  let value: unknown;
  try {
    value = action();
  } catch (error) {
    return failed(error);
  }
  if (types.isPromise(value)) return value.then(ended, failed);
  // Whoever asks another thenable may start it: such a call has no end here, and the run a gap.
  return isThenable(value) ? value : ended(value);
}

/** A call that gives its answer in pieces. It begins when the first one is asked for. */
export async function* tapped(
  begin: () => Call,
  open: () => unknown,
  pieces: Pieces,
): AsyncGenerator<unknown, unknown> {
  const call = begin();
  let broken: unknown;
  const answer = (): Answer => {
    if (broken !== undefined) throw broken;
    return pieces.answer();
  };
  let steps: Steps | undefined;
  try {
    const source = iteratorOf(await open());
    for (;;) {
      steps = undefined;
      const step = await source.next();
      if (step.done) {
        call.end(answer);
        return step.value;
      }
      steps = source;
      try {
        pieces.add(step.value);
      } catch (error) {
        broken ??= error ?? new Error('a piece that cannot be added');
      }
      yield step.value;
    }
  } catch (error) {
    call.fail(error);
    throw error;
  } finally {
    // Left at a yield.
    if (steps) {
      call.leave(answer);
      await steps.return?.(undefined);
    }
  }
}

/** A generator each of whose steps is a part of the call that has this config. */
export async function* carried(config: unknown, open: () => unknown): AsyncGenerator<unknown, unknown> {
  const source = iteratorOf(within(config, open));
  let steps: Steps | undefined;
  try {
    for (;;) {
      steps = undefined;
      const step = await within(config, () => source.next());
      if (step.done) return step.value;
      steps = source;
      yield step.value;
    }
  } finally {
    const left = steps;
    if (left) await within(config, () => left.return?.(undefined));
  }
}

/** The stream that stands for `stream`, of the same class, with its pieces passing through `through`. */
export function restreamed(
  stream: unknown,
  through: (open: () => unknown) => AsyncGenerator<unknown, unknown>,
): unknown {
  if (!isObject(stream)) return stream;
  const generator = through(() => stream);
  const { fromAsyncGenerator } = stream.constructor as unknown as Live;
  if (typeof fromAsyncGenerator === 'function')
    return (fromAsyncGenerator as Method).call(stream.constructor, generator);
  if (stream.constructor === ReadableStream) return ReadableStream.from(generator);
  return generator;
}

function iteratorOf(iterable: unknown): Steps {
  const source = iterable as Partial<AsyncIterable<unknown>> & Iterable<unknown>;
  return source[Symbol.asyncIterator]?.() ?? source[Symbol.iterator]();
}
