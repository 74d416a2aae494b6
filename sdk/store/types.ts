import type { Cassette, Run, Step } from '../schema.js';

/** Where a recorder puts what it has. What a method throws costs the recorder one write and the run its completeness. */
export interface Store {
  /** Puts a run, whole: a later one with the same `run_id` takes its place. */
  putRun(run: Run): void;
  /** Adds a step to its run. */
  appendStep(step: Step): void;
  /** Keeps a cassette. A store may return the ref under which it keeps it, which becomes the step's `cassette_ref`. */
  putCassette(cassette: Cassette): void;
  /** Called once by the recorder of this store: `listener` wants to hear of writes that were taken and then lost. */
  onDrop?(listener: (count: number) => void): void;
}

/** One write, as it is queued and sent. */
export type Write = { kind: 'run'; run: Run } | { kind: 'step'; step: Step } | { kind: 'cassette'; cassette: Cassette };

/** A store that takes its time. Every write may come twice. */
export interface AsyncStore {
  putRun(run: Run): Promise<void>;
  appendStep(step: Step): Promise<void>;
  putCassette(cassette: Cassette): Promise<void>;
  /** Many writes in order, all or none. */
  putBatch?(writes: readonly Write[]): Promise<void>;
}

/** The store that {@link fileStore} makes. */
export interface FileStore extends Store {
  /** Keeps a cassette and returns its ref: `<hash>`, or `<hash>.<16 hex>` for another response to the same request. */
  putCassette(cassette: Cassette): string;
}

/** A run as it was read back. */
export interface Trace {
  run: Run;
  /** By `seq`. */
  steps: Step[];
  /** What is wrong with the file of steps: lines that cannot be read, a torn last line, gaps in `seq`. */
  problems: string[];
}

/** All that was recorded of one request. */
export interface Recording {
  /** `reqHash` of the request. */
  hash: string;
  /** The responses to it, the first recorded one first. */
  cassettes: Cassette[];
  steps: Step[];
}
