// A store that takes writes at once and delivers them later, in batches and in order.
import { harmless, type Log, reasonOf, sparing } from './log.js';
import type { Cassette, Run, Step } from './schema.js';
import type { AsyncStore, Store, Write } from './store/types.js';

export interface BufferOptions {
  /** Where the writes go in the end. Some may be sent twice, never out of order. */
  target: AsyncStore;
  /** Writes that may wait, 1000 by default. A write beyond is dropped. */
  maxQueue?: number | undefined;
  /** Writes that are sent at once, 100 by default. */
  maxBatch?: number | undefined;
  /** How long a write waits for others to join it, 250 by default. */
  batchMs?: number | undefined;
  /** Text that may wait, in characters, 64 Mi by default: a thousand large requests would be a gigabyte. */
  maxChars?: number | undefined;
  /** Takes one line a minute at most; standard error by default, unless a recorder listens. */
  log?: Log | undefined;
}

/** Where the writes are: together as many as there were. */
export interface Delivery {
  written: number;
  dropped: number;
  pending: number;
}

export interface BufferedStore extends Store {
  /** Sends what waits, now. A batch may fail twice; what could not be sent is `pending`, and tried again later. */
  flush(): Promise<Delivery>;
  readonly stats: { readonly written: number; readonly dropped: number; readonly queued: number };
}

/** How often a batch is tried before it is dropped. */
const ATTEMPTS = 8;
const LONGEST_PAUSE_MS = 30_000;
/** A timer of more goes off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** A batch has at least one write, however large, and no more characters than this. */
const BATCH_CHARS = 4 << 20;

/** A {@link Store} that never blocks: it queues, and a timer that keeps no process alive sends. */
export const bufferedStore = (options: BufferOptions): BufferedStore => new Buffered(options);

class Buffered implements BufferedStore {
  readonly #target: AsyncStore;
  readonly #maxQueue: number;
  readonly #maxBatch: number;
  readonly #maxChars: number;
  readonly #batchMs: number;
  readonly #log: Log | undefined;
  #listener: ((count: number) => void) | undefined;

  /** In order; the first `#taken` are the batch that is being sent, or that failed and is sent again as it was. */
  readonly #queue: Write[] = [];
  #taken = 0;
  #chars = 0;
  #attempts = 0;
  #written = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;

  constructor({ target, maxQueue, maxBatch, batchMs, maxChars, log }: BufferOptions) {
    this.#target = target;
    this.#maxQueue = numberFrom(0, maxQueue, 1000);
    this.#maxBatch = numberFrom(1, maxBatch, 100);
    this.#maxChars = numberFrom(0, maxChars, 64 << 20);
    this.#batchMs = Math.min(numberFrom(0, batchMs, 250), LONGEST_TIMER_MS);
    this.#log = sparing(harmless(log));
  }

  get stats() {
    return { written: this.#written, dropped: this.#dropped, queued: this.#queue.length };
  }

  putRun(run: Run): void {
    this.#push({ kind: 'run', run: { ...run } });
  }

  appendStep(step: Step): void {
    this.#push({ kind: 'step', step: { ...step } });
  }

  putCassette(cassette: Cassette): void {
    this.#push({ kind: 'cassette', cassette: { ...cassette } });
  }

  onDrop(listener: (count: number) => void): void {
    this.#listener = listener;
  }

  async flush(): Promise<Delivery> {
    // Another flush, or the timer, may be at it: what fails there is not what failed here.
    while (this.#sending) await this.#sending;
    // One that has failed before is tried once more: whoever exits must not wait for long.
    await this.#send(this.#attempts > 0 ? 1 : 2);
    return { written: this.#written, dropped: this.#dropped, pending: this.#queue.length };
  }

  #push(write: Write): void {
    const chars = charsOf(write);
    if (this.#queue.length >= this.#maxQueue || this.#chars + chars > this.#maxChars) return this.#drop(1, undefined);
    this.#queue.push(write);
    this.#chars += chars;
    if (this.#attempts === 0) this.#schedule(this.#queue.length >= this.#maxBatch ? 0 : this.#batchMs);
  }

  /** Sees to it that sending starts in so many milliseconds, or before. */
  #schedule(delayMs: number): void {
    if (this.#sending || (this.#timer && delayMs > 0)) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#send(1), delayMs);
    this.#timer.unref();
  }

  /** Sends until nothing waits or a batch has failed so many times in a row. */
  #send(attempts: number): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#deliver(attempts).finally(() => {
      this.#sending = undefined;
      if (this.#queue.length > 0) this.#schedule(this.#pause());
    });
    return this.#sending;
  }

  async #deliver(attempts: number): Promise<void> {
    for (let failures = 0; this.#queue.length > 0 && failures < attempts; ) {
      if (failures > 0) await pause(Math.min(this.#batchMs, LONGEST_PAUSE_MS));
      this.#taken ||= this.#batchSize();
      try {
        await this.#deliverBatch();
        this.#attempts = 0;
        failures = 0;
      } catch (error) {
        failures += 1;
        this.#attempts += 1;
        const isFull = this.#queue.length >= this.#maxQueue;
        if (this.#attempts >= ATTEMPTS || isFull) this.#drop(this.#remove(this.#taken), error);
      }
    }
  }

  async #deliverBatch(): Promise<void> {
    if (this.#target.putBatch) {
      await this.#target.putBatch(this.#queue.slice(0, this.#taken));
      this.#written += this.#remove(this.#taken);
      return;
    }
    while (this.#taken > 0) {
      await put(this.#target, this.#queue[0] as Write);
      this.#written += this.#remove(1);
    }
  }

  /** Takes writes of the batch out of the queue, and gives their number. */
  #remove(count: number): number {
    for (const write of this.#queue.splice(0, count)) this.#chars -= charsOf(write);
    this.#taken -= count;
    if (this.#taken === 0) this.#attempts = 0;
    return count;
  }

  #batchSize(): number {
    let size = 0;
    for (let chars = 0; size < Math.min(this.#maxBatch, this.#queue.length); size += 1) {
      chars += charsOf(this.#queue[size] as Write);
      if (size > 0 && chars > BATCH_CHARS) break;
    }
    return size;
  }

  #pause(): number {
    return this.#attempts === 0 ? this.#batchMs : Math.min(this.#batchMs * 2 ** this.#attempts, LONGEST_PAUSE_MS);
  }

  #drop(count: number, error: unknown): void {
    this.#dropped += count;
    if (this.#listener) {
      try {
        this.#listener(count);
      } catch {
        // It was told. What it makes of that must not end the sending.
      }
      return;
    }
    const reason = error === undefined ? 'the queue is full' : reasonOf(error);
    this.#log?.(`tapeproof: writes that could not be delivered so far: ${this.#dropped} (${reason})`);
  }
}

/** What an option says, when it is a number: with NaN, of a text that was none, nothing would ever be full or sent. */
const numberFrom = (least: number, given: unknown, fallback: number): number =>
  typeof given === 'number' && !Number.isNaN(given) ? Math.max(least, given) : fallback;

// Nothing else is ever large.
function charsOf(write: Write): number {
  if (write.kind === 'cassette') return write.cassette.request.length + write.cassette.response.length;
  return write.kind === 'step' ? (write.step.error?.message?.length ?? 0) : 0;
}

function put(target: AsyncStore, write: Write): Promise<void> {
  switch (write.kind) {
    case 'run':
      return target.putRun(write.run);
    case 'step':
      return target.appendStep(write.step);
    case 'cassette':
      return target.putCassette(write.cassette);
  }
}

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));
