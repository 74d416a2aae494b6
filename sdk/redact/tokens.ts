/** The token table of one call: one original, one token, whichever matcher meets it. See `src/redact/tokens.rs`. */
export class Tokens {
  /** Each token and the name of its matcher, in the order in which they were given out; never an original. */
  readonly map: Record<string, string> = {};
  readonly #byOriginal = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  token(matcher: string, original: string): string {
    return this.#byOriginal.get(original) ?? this.#issue(matcher, original);
  }

  #issue(matcher: string, original: string): string {
    const count = this.#counts.get(matcher) ?? 0;
    this.#counts.set(matcher, count + 1);
    const token = `[redacted:${matcher}:${count}]`;
    this.#byOriginal.set(original, token);
    this.map[token] = matcher;
    return token;
  }
}
