// One observed call, from its start to its end. What goes wrong here makes the run partial and stays here.
import { isThenable } from '../log.js';
import type { Observation, Recorder } from '../recorder.js';
import type { RecordedError, Usage } from '../schema.js';
import type { Answer } from './answer.js';
import { nodeHere } from './context.js';
import { isObject } from './live.js';

/** What a call costs, in US dollars; null when that is not known. */
export type Pricing = (model_id: string, usage: Usage) => number | null | undefined;

type Request = Observation['request'];

/** What a stream is recorded with whose reader went away: the part that was read, and this. */
const LEFT: RecordedError = { name: 'StreamLeft', message: 'the reader left the stream before its end' };

export class Observer {
  constructor(
    readonly recorder: Recorder,
    readonly pricing: Pricing | undefined,
  ) {}

  /** A call that starts now. Its request is copied before anybody can change it, unless it is known at the end only. */
  begin(request: () => Request, when?: 'at the end'): Call {
    return new Call(this, request, when === 'at the end');
  }

  /** Something of ours failed: a call was not observed, or not to its end. */
  lose(error: unknown): void {
    try {
      this.recorder.lose(error);
    } catch {
      // A recorder of one's own may lack it.
    }
  }
}

export class Call {
  readonly #observer: Observer;
  readonly #began = performance.now();
  readonly #startedAt = new Date().toISOString();
  #start: { request: () => Request; node: string; seq: number } | undefined;

  constructor(observer: Observer, request: () => Request, late: boolean) {
    this.#observer = observer;
    this.#attempt(() => {
      const seq = observer.recorder.reserve();
      const copy = late ? undefined : request();
      this.#start = { request: copy ? () => copy : request, node: nodeHere(), seq };
    });
  }

  end(answer: () => Answer): void {
    this.#record(answer, null);
  }

  fail(error: unknown): void {
    this.#record(() => ({ response: null }), describe(error));
  }

  /** Its reader went away. */
  leave(answer: () => Answer): void {
    this.#record(answer, LEFT);
  }

  #record(answer: () => Answer, error: RecordedError | null): void {
    const start = this.#start;
    // Either it was lost at its start, or it has ended.
    if (!start) return;
    this.#start = undefined;
    this.#attempt(() => {
      const { response, usage = null, model_version = null } = answer();
      const request = start.request();
      const latency_ms = performance.now() - this.#began;
      this.#observer.recorder.record({
        node: start.node,
        seq: start.seq,
        request,
        kind: request.kind,
        response,
        error,
        latency_ms,
        usage,
        model_version,
        tokens: usage?.total_tokens ?? null,
        cost_usd: request.kind === 'model' && usage ? this.#cost(String(request['model_id']), usage) : null,
        provider: request.kind === 'model' ? String(request['provider']) : null,
        started_at: this.#startedAt,
        ended_at: new Date().toISOString(),
      });
    });
  }

  #cost(model_id: string, usage: Usage): number | null {
    try {
      const cost: unknown = this.#observer.pricing?.(model_id, usage);
      if (isThenable(cost)) cost.then(undefined, () => {});
      return typeof cost === 'number' ? cost : null;
    } catch {
      return null;
    }
  }

  #attempt(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#start = undefined;
      this.#observer.lose(error);
    }
  }
}

/** An interrupt is thrown too: the graph stops there, and asks again on resume. */
function describe(error: unknown): RecordedError {
  try {
    if (!isObject(error)) return { name: 'Error', message: String(error) };
    if (error['is_bubble_up'] === true && 'interrupts' in error) {
      return { name: 'GraphInterrupt', message: String(error['message']) };
    }
    return { name: String(error['name'] ?? 'Error'), message: String(error['message'] ?? '') };
  } catch {
    return { name: 'Error', message: '' };
  }
}
