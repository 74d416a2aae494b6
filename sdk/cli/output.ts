// What is written to standard output and standard error: no faster than it is read, in colour where somebody sees it,
// with a line of progress on a terminal.
import { once } from 'node:events';

/** Writes and waits until more is welcome. */
export async function write(text: string): Promise<void> {
  if (text !== '' && !process.stdout.write(text)) await once(process.stdout, 'drain');
}

// Where somebody sees colours and has not asked for none (https://no-color.org).
const CODES = { red: 31, green: 32, yellow: 33 };

export type Colour = keyof typeof CODES;

/** `text` in a colour. */
export type Paint = (colour: Colour, text: string) => string;

const isColourful = ({ isTTY }: { isTTY?: boolean }): boolean =>
  isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';

/** Paints on a terminal, and nowhere else. */
export const paintFor = (stream: { isTTY?: boolean }): Paint =>
  isColourful(stream) ? (colour, text) => `\u001b[${CODES[colour]}m${text}\u001b[39m` : (_, text) => text;

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
