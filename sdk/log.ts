// How recording speaks up: sparingly, about kinds of failure and never about values, and never at the agent's cost.

/** Takes one line. */
export type Log = (line: string) => void;

const MINUTE_MS = 60_000;

/** What may be said of an error: its code or its class. The message might repeat a value. */
export function reasonOf(error: unknown): string {
  try {
    const { code, name } = error as { code?: unknown; name?: unknown };
    for (const word of [code, name]) if (typeof word === 'string' && /^\w{1,64}$/.test(word)) return word;
  } catch {
    // A thrown value may be anything, such as a revoked Proxy.
  }
  return 'unknown failure';
}

/** `log`, but for what it throws or rejects. */
export function harmless(log: Log | undefined): Log {
  const write = typeof log === 'function' ? log : (line: string) => console.warn(line);
  return line => {
    try {
      const result: unknown = write(line);
      if (isThenable(result)) result.then(undefined, () => {});
    } catch {
      // Nobody is left to tell.
    }
  };
}

/** `log`, at most one line a minute: the rest is left out. */
export function sparing(log: Log): Log {
  let silentUntil = Number.NEGATIVE_INFINITY;
  return line => {
    const now = performance.now();
    if (now < silentUntil) return;
    silentUntil = now + MINUTE_MS;
    log(line);
  };
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  try {
    return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
  } catch {
    // A getter that throws, or a revoked Proxy: so it does to whoever waits for it.
    return false;
  }
}
