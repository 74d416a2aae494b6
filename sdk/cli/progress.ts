// A line on a terminal that says how far the work is; elsewhere nothing.

const INTERVAL_MS = 100;
const CLEAR = '\r\u001b[K';

/** Shows `words` on standard error, ten times a second at most. It has to be cleared before anything else is printed. */
export class Progress {
  readonly #isSeen = process.stderr.isTTY === true;
  #isShown = false;
  #last = Number.NEGATIVE_INFINITY;

  show(words: string): void {
    if (!this.#isSeen || performance.now() - this.#last < INTERVAL_MS) return;
    this.#last = performance.now();
    this.#isShown = true;
    process.stderr.write(CLEAR + words);
  }

  clear(): void {
    if (this.#isShown) process.stderr.write(CLEAR);
    this.#isShown = false;
  }
}
