// Answers in pieces. What stands for a stream is asked as the stream is, and passes each piece on as it came.
import { types } from 'node:util';
import type { Answer } from './answer.js';
import type { Call } from './call.js';
import { captured, within } from './context.js';
import { isObject, type Live, type Method } from './live.js';
import { settled } from './observe.js';
import type { Pieces } from './pieces.js';
import { type Interceptor, type Role, standIn } from './stand-in.js';

type Begin = () => Call;

/** A call that gives a stream, or a promise of one. */
export function streamed(begin: Begin, action: () => unknown, pieces: Pieces): unknown {
  const tap = new Tap(begin, pieces);
  return settled(
    () => {
      const value = action();
      // In a generator nothing happens until the first piece is asked for.
      if (!types.isGeneratorObject(value)) tap.start();
      return value;
    },
    stream => {
      try {
        return through(stream, tap);
      } catch {
        // It tells nothing of itself. The call has no end, and the run a gap.
        return stream;
      }
    },
    error => tap.start().fail(error),
  );
}

/** Sees what passes of one stream. */
class Tap {
  readonly #begin: Begin;
  readonly #pieces: Pieces;
  #call: Call | undefined;
  #broken: unknown;

  constructor(begin: Begin, pieces: Pieces) {
    this.#begin = begin;
    this.#pieces = pieces;
  }

  start(): Call {
    this.#call ??= this.#begin();
    return this.#call;
  }

  on(source: Live): Live {
    return stepped(source, this, (name, step) => this.#take(name, step));
  }

  /** Of something with nothing to ask for. */
  whole(value: unknown): unknown {
    this.#attempt(() => {
      for (const piece of Array.isArray(value) ? value : [value]) this.#pieces.add(piece);
    });
    this.start().end(this.#answer);
    return value;
  }

  #take(name: string, step: () => unknown): unknown {
    if (name !== 'next' && !this.#call) return step();
    const call = this.start();
    if (name === 'return') {
      call.leave(this.#answer);
      return step();
    }
    return settled(
      step,
      taken => {
        this.#attempt(() => {
          const { done, value } = taken as IteratorResult<unknown>;
          if (done) call.end(this.#answer);
          else this.#pieces.add(value);
        });
        return taken;
      },
      error => call.fail(error),
    );
  }

  /** A piece that cannot be added costs the answer. */
  #attempt(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#broken ??= error ?? new Error('a piece that cannot be added');
    }
  }

  readonly #answer = (): Answer => {
    if (this.#broken !== undefined) throw this.#broken;
    return this.#pieces.answer();
  };
}

/** A generator each of whose steps is a part of the call that has this config. */
export function carried(config: unknown, open: () => unknown): unknown {
  const [source, there] = within(config, () => [open(), captured()] as const);
  return isObject(source) ? stepped(source, source, (_, step) => there(step)) : source;
}

/** How a step of a stream is taken. */
type Taking = (key: string, step: () => unknown) => unknown;

/** Stands for an iterable or an iterator whose steps are taken so. `key` is to know it by. */
function stepped(source: Live, key: object, take: Taking): Live {
  const asked: Interceptor = (method, self, args) => {
    const value = method.apply(self === stand ? source : self, args);
    return value === source ? stand : value;
  };
  const role: Role<string | symbol> = name => {
    if (name === 'next' || name === 'return' || name === 'throw') {
      return (method, self, args) => take(name, () => asked(method, self, args));
    }
    if (name !== Symbol.asyncIterator && name !== Symbol.iterator) return asked;
    return (method, self, args) => {
      const iterator = asked(method, self, args);
      return isObject(iterator) && iterator !== stand ? stepped(iterator, key, take) : iterator;
    };
  };
  const stand: Live = standIn(source, key, role);
  return stand;
}

/** The stream that stands for `stream`. One that has nothing to iterate over is the answer. */
function through(stream: unknown, tap: Tap): unknown {
  if (!isObject(stream) || Array.isArray(stream)) return tap.whole(stream);
  const kind = stream.constructor as unknown;
  const from = typeof kind === 'function' ? (kind as unknown as Live)['fromAsyncGenerator'] : undefined;
  // What they read is their own: they are made anew, of what passes through.
  const iterator = (): unknown =>
    tap.on((stream as unknown as AsyncIterable<Live>)[Symbol.asyncIterator]() as unknown as Live);
  if (typeof from === 'function') return (from as Method).call(kind, iterator());
  if (kind === ReadableStream) return ReadableStream.from({ [Symbol.asyncIterator]: iterator } as never);
  const iterable = [Symbol.asyncIterator, Symbol.iterator, 'next'].some(name => typeof stream[name] === 'function');
  return iterable ? tap.on(stream) : tap.whole(stream);
}
