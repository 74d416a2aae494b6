// Puts tokens in the place of what was found.
import { native } from '../native.js';
import type { Plan } from './config.js';
import type { Copy } from './copy.js';
import { Tokens } from './tokens.js';

/** A place in a text, and the name of the matcher that found it. */
export interface Finding {
  readonly matcher: string;
  readonly start: number;
  readonly end: number;
}

const NONE = new Uint32Array(0);

/** What the matchers of the preset find in a list of texts, text after text. */
export class Findings {
  readonly #numbers: Uint32Array;
  #at = 0;

  constructor(texts: readonly string[], matchers: number) {
    const found = matchers === 0 || texts.length === 0 ? undefined : native().findSensitive(texts, matchers);
    this.#numbers = found ?? NONE;
  }

  /** Whether none are left. */
  get areDone(): boolean {
    return this.#at === this.#numbers.length;
  }

  /** Those of a text, in the order in which they take tokens. Texts are asked for in their order. */
  of(text: number): Finding[] {
    const findings: Finding[] = [];
    for (; this.#numbers[this.#at] === text; this.#at += 4) {
      const [matcher, start, end] = this.#numbers.subarray(this.#at + 1, this.#at + 4) as unknown as [
        number,
        number,
        number,
      ];
      findings.push({ matcher: matcherName(matcher), start, end });
    }
    return findings;
  }
}

const names: string[] = [];
const matcherName = (index: number): string => (names[index] ??= native().matcherName(index));

/** Replaces all that is found in the texts of a copy. */
export function scrub(copy: Copy, { matchers, patterns }: Plan): Tokens {
  const tokens = new Tokens();
  const { texts, originals } = copy;
  const findings = new Findings(texts, matchers);
  if (patterns.length === 0 && originals.size === 0 && findings.areDone) return tokens;
  texts.forEach((text, index) => {
    const original = originals.get(index);
    if (original !== undefined) {
      copy.replace(index, tokens.token('field', original.text));
      return;
    }
    let scrubbed = withTokens(text, findings.of(index), tokens);
    for (const { name, regExp } of patterns) {
      regExp.lastIndex = 0;
      scrubbed = scrubbed.replace(regExp, match => tokens.token(name, match));
    }
    if (scrubbed !== text) copy.replace(index, scrubbed);
  });
  return tokens;
}

function withTokens(text: string, findings: readonly Finding[], tokens: Tokens): string {
  if (findings.length === 0) return text;
  const replacements = findings.map(({ matcher, start, end }) => ({
    start,
    end,
    token: tokens.token(matcher, text.slice(start, end)),
  }));
  replacements.sort((a, b) => a.start - b.start);
  let scrubbed = '';
  let rest = 0;
  for (const { start, end, token } of replacements) {
    scrubbed += text.slice(rest, start) + token;
    rest = end;
  }
  return scrubbed + text.slice(rest);
}
