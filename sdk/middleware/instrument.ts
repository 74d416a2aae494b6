// Decides what stands in for what. One thing has one stand-in, so that frameworks that compare find it the same.
import type { Recorder } from '../recorder.js';
import { answerOf } from './answer.js';
import { type Call, Observer, type Pricing } from './call.js';
import { contained, recomposed } from './composed.js';
import { within } from './context.js';
import { type Bound, invocableRole } from './invocable.js';
import { isInvocable, isModel, isObject, isRunnable, isTool, type Live } from './live.js';
import { modelRole } from './model.js';
import { observed } from './observe.js';
import { Chunks } from './pieces.js';
import { modelRequest } from './request.js';
import { behind, isBound, type Role, readsPrivate, standIn } from './stand-in.js';
import { streamed } from './streams.js';
import { toolRole } from './tool.js';

const instruments = new WeakMap<object, WeakMap<object, Instrument>>();

/** The instrument of a recorder and a price list; without one, the first of that recorder. */
export function instrumentOf(recorder: Recorder, pricing: Pricing | undefined): Instrument {
  const known = instruments.get(recorder) ?? new WeakMap<object, Instrument>();
  instruments.set(recorder, known);
  const key = typeof pricing === 'function' ? pricing : recorder;
  const instrument = known.get(key) ?? new Instrument(new Observer(recorder, pricing));
  known.set(key, instrument);
  if (!known.has(recorder)) known.set(recorder, instrument);
  return instrument;
}

class Instrument {
  readonly #observer: Observer;
  readonly #known = new WeakMap<object, object>();

  constructor(observer: Observer) {
    this.#observer = observer;
  }

  /** The stand-in for a model, a tool, a runnable that is made of some, or a list or record of them; else `value`. */
  readonly wrap = <T>(value: T): T => {
    const other = this.#one(value);
    return other === value && !isInvocable(value) ? this.#each(value, this.#one) : other;
  };

  /** The same, for what is a model because its caller says so. */
  readonly model = <T>(value: T): T =>
    this.#safely(value, target => {
      const other = this.#any(target);
      return other === target && isInvocable(target) ? this.#invocable(target) : other;
    });

  /** The same, for what are tools because their caller says so. */
  readonly tools = <T>(value: T): T => (isInvocable(value) ? this.#one(value) : this.#each(value, this.#asTool));

  readonly #one = <T>(value: T): T => this.#safely(value, target => this.#any(target));

  readonly #asTool = <T>(value: T): T =>
    this.#safely(value, target => (isInvocable(target) && !isModel(target) ? this.#tool(target) : this.#any(target)));

  /** A list may change, so that it has no stand-in. */
  #each<T>(value: T, wrap: (member: unknown) => unknown): T {
    try {
      return contained(value, wrap);
    } catch (error) {
      this.#observer.lose(error);
      return value;
    }
  }

  /** What cannot be wrapped stays as it is, unobserved. */
  #safely<T>(value: T, wrap: (target: Live) => object): T {
    if (!isObject(value)) return value;
    try {
      const link = behind(value);
      if (link?.recorder === this.#observer.recorder) return value;
      const target = (link?.target ?? value) as Live;
      const known = this.#known.get(target) ?? wrap(target);
      if (known !== target) this.#known.set(target, known);
      return known as T;
    } catch (error) {
      this.#observer.lose(error);
      return value;
    }
  }

  #any(target: Live): object {
    if (isModel(target))
      return this.#stand(target, modelRole(target, this.#observer, this.#orchestrated(target), this.wrap));
    if (isTool(target)) return this.#tool(target);
    if (isRunnable(target)) return recomposed(target, this.wrap);
    if (isInvocable(target) && ('_llmType' in target || 'bindTools' in target)) return this.#invocable(target);
    return target;
  }

  #tool(target: Live): object {
    // A runnable in the form of a tool may have models in it.
    const whole = isRunnable(target) ? recomposed(target, this.wrap) : target;
    return this.#stand(whole, toolRole(whole, this.#observer, this.#orchestrated(whole)));
  }

  #invocable(target: Live, bound?: Bound): object {
    const wrapBound = (value: Live, to: Bound) => this.#safely(value, other => this.#invocable(other, to));
    return this.#stand(target, invocableRole(target, this.#observer, this.#orchestrated(target), wrapBound, bound));
  }

  #stand(target: Live, role: Role): object {
    return standIn(target, this.#observer.recorder, (key, method) =>
      typeof key === 'symbol' ? null : role(key, method),
    );
  }

  /** Methods that lead to the observed ones, or that give other models. */
  #orchestrated(target: Live): Role {
    const begin = ([input, config]: unknown[]): Call =>
      within(config, () => this.#observer.begin(() => modelRequest(target, input, config)));
    return (key, method) => {
      if (!readsPrivate(method) && !isBound(target, key, method)) {
        return (_, self, args) => this.#returned(method.apply(self, args));
      }
      // On the stand-in it would throw, or it calls the target anyway. There it finds nothing observed, so it is itself.
      const isCall = isModel(target) && (key === 'invoke' || key === 'stream');
      if (!isCall) return (_, __, args) => this.#returned(method.apply(target, args));
      if (key === 'invoke') return (_, __, args) => observed(begin(args), () => method.apply(target, args), answerOf);
      return (_, __, args) =>
        streamed(
          () => begin(args),
          () => method.apply(target, args),
          new Chunks(),
        );
    };
  }

  #returned(value: unknown): unknown {
    return isRunnable(value) ? this.wrap(value) : value;
  }
}
