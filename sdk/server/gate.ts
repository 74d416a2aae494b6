// Lets so many through at once; others wait in line, but not for ever.

/** Leaves the gate; calling it again does nothing. */
export type Leave = () => void;

interface Waiting {
  admit(leave: Leave): void;
  timer: NodeJS.Timeout | undefined;
}

export class Gate {
  readonly #places: number;
  readonly #waitMs: number | undefined;
  readonly #line = new Set<Waiting>();
  #inside = 0;

  /** `waitMs`: how long to wait at most; for ever unless it is given. */
  constructor(places: number, waitMs?: number) {
    this.#places = places;
    this.#waitMs = waitMs;
  }

  /** Waits for a place. `undefined` when none came free in time, or when `gone` was aborted before. */
  async enter(gone: AbortSignal): Promise<Leave | undefined> {
    if (gone.aborted) return undefined;
    if (this.#inside < this.#places) return this.#admit();
    return new Promise(resolve => {
      const waiting: Waiting = { admit: leave => settle(leave), timer: undefined };
      const settle = (leave: Leave | undefined) => {
        clearTimeout(waiting.timer);
        gone.removeEventListener('abort', giveUp);
        this.#line.delete(waiting);
        resolve(leave);
      };
      const giveUp = () => settle(undefined);
      if (this.#waitMs !== undefined) waiting.timer = setTimeout(giveUp, this.#waitMs);
      gone.addEventListener('abort', giveUp);
      this.#line.add(waiting);
    });
  }

  #admit(): Leave {
    this.#inside += 1;
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.#inside -= 1;
      for (const next of this.#line) return next.admit(this.#admit());
    };
  }
}
