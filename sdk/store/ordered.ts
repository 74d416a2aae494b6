// The steps of a run by `seq`, read when they are wanted: of a long run only the places of its lines are in memory.
import { closeSync, openSync, readSync } from 'node:fs';
import { failure } from '../native.js';
import type { Step } from '../schema.js';
import { stepsFile } from './layout.js';
import { readPlacedSteps, stepIn } from './read.js';

export class OrderedSteps {
  /** The number of steps. */
  readonly length: number;
  /** Lines that are no steps, and steps that are not there: the next `seq` shows that they should be. */
  readonly unreadable: number;
  readonly missing: number;

  readonly #file: string;
  readonly #starts: Float64Array;
  readonly #lengths: Float64Array;
  #open: number | undefined;
  /** Whoever wants a step mostly wants it more than once. */
  #last: { index: number; step: Step } | undefined;

  /**
   * Reads all steps of a run, and keeps nothing but their places.
   *
   * @param check is given each step, in the order of the file
   * @throws {Error} `ERR_TAPEPROOF_RECORDING` for a step that is there more than once
   */
  constructor(root: string, id: string, check: (step: Step) => void) {
    this.#file = stepsFile(root, id);
    const places: { seq: number; start: number; length: number }[] = [];
    let unreadable = 0;
    for (const { step, start, length } of readPlacedSteps(root, id, () => {
      unreadable += 1;
    })) {
      places.push({ seq: step.seq, start, length });
      check(step);
    }
    places.sort((a, b) => a.seq - b.seq);
    const twice = places.find(({ seq }, at) => at > 0 && places[at - 1]?.seq === seq);
    if (twice) throw failure('ERR_TAPEPROOF_RECORDING', `/steps/${twice.seq}`);
    this.length = places.length;
    this.unreadable = unreadable;
    this.missing = places.length > 0 ? (places.at(-1)?.seq as number) + 1 - places.length : 0;
    this.#starts = Float64Array.from(places, ({ start }) => start);
    this.#lengths = Float64Array.from(places, ({ length }) => length);
  }

  /** The step at this place in the order. */
  at(index: number): Step {
    if (this.#last?.index === index) return this.#last.step;
    this.#open ??= openSync(this.#file, 'r');
    const line = Buffer.allocUnsafe(this.#lengths[index] ?? 0);
    const length = readSync(this.#open, line, 0, line.length, this.#starts[index] ?? 0);
    const step = stepIn(line.subarray(0, length));
    // Somebody has written over it since it was found.
    if (!step) throw failure('ERR_TAPEPROOF_RECORDING', '/steps');
    this.#last = { index, step };
    return step;
  }

  close(): void {
    if (this.#open !== undefined) closeSync(this.#open);
    this.#open = undefined;
  }
}
