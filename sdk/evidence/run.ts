// A recorded run as evidence is made of it: its steps in order, each with the cassette that is its own.
import { responseHash } from '../cassette.js';
import type { ErrorCode } from '../errors.js';
import { failure } from '../native.js';
import type { Cassette, Run, Step } from '../schema.js';
import { OrderedSteps } from '../store/ordered.js';
import { readCassette, readRun } from '../store/read.js';

export class RecordedRun {
  readonly run: Run;
  readonly steps: OrderedSteps;
  readonly #dir: string;

  /**
   * @throws {Error} `ERR_TAPEPROOF_RUN`, `ERR_TAPEPROOF_HASH_VERSION`, `ERR_TAPEPROOF_RECORDING`
   */
  constructor(dir: string, id: string) {
    const run = readRun(dir, id);
    if (!run) throw failure('ERR_TAPEPROOF_RUN', '');
    if (run.run_id !== id) throw failure('ERR_TAPEPROOF_RECORDING', '/run_id');
    this.run = run;
    this.#dir = dir;
    this.steps = new OrderedSteps(dir, id, step => {
      if (step.run_id !== id) throw failure('ERR_TAPEPROOF_RECORDING', `/steps/${step.seq}/run_id`);
    });
  }

  /** Whether something is known to be missing. */
  get isPartial(): boolean {
    const { run, steps } = this;
    // A number of lost writes that is no number is none that says that nothing was lost.
    return run.status === 'partial' || (run.dropped ?? 0) !== 0 || steps.missing > 0 || steps.unreadable > 0;
  }

  /**
   * The cassette of a step.
   *
   * @throws {Error} `ERR_TAPEPROOF_CASSETTE`, with a pointer to what the step says of it: `cassette_ref` when it is
   *   missing, unreadable or of another request, `response_hash` when it holds another response.
   *   `ERR_TAPEPROOF_HASH_VERSION`
   */
  cassetteOf(step: Step): Cassette {
    const { seq, cassette_ref, req_hash, response_hash } = step;
    const broken = (code: ErrorCode, name: string, cause?: unknown) =>
      Object.assign(failure(code, `/steps/${seq}/${name}`), cause === undefined ? {} : { cause });
    let cassette: Cassette | null;
    try {
      cassette = readCassette(this.#dir, cassette_ref);
    } catch (error) {
      const isOther = (error as NodeJS.ErrnoException).code === 'ERR_TAPEPROOF_HASH_VERSION';
      throw broken(isOther ? 'ERR_TAPEPROOF_HASH_VERSION' : 'ERR_TAPEPROOF_CASSETTE', 'cassette_ref', error);
    }
    if (cassette?.hash !== req_hash) throw broken('ERR_TAPEPROOF_CASSETTE', 'cassette_ref');
    let held: string;
    try {
      held = responseHash(cassette);
    } catch (error) {
      throw broken('ERR_TAPEPROOF_CASSETTE', 'cassette_ref', error);
    }
    // A step that another recorder wrote says nothing of its response.
    if (response_hash !== undefined && response_hash !== held) {
      throw broken('ERR_TAPEPROOF_CASSETTE', 'response_hash');
    }
    return cassette;
  }
}
