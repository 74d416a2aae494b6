// Puts tokens in the place of what was found.
import type { Plan } from './config.js';
import type { Copy } from './copy.js';
import { type Found, findIn, matcherName, STRIDE } from './findings.js';
import { Tokens } from './tokens.js';

/** Replaces all that is found in the texts of a copy. */
export function scrub(copy: Copy, { matchers, patterns }: Plan): Tokens {
  const tokens = new Tokens();
  const { texts, originals } = copy;
  const findings = findIn(texts, matchers);
  if (patterns.length === 0 && originals.size === 0 && findings.size === 0) return tokens;
  texts.forEach((text, index) => {
    const original = originals.get(index);
    if (original !== undefined) {
      copy.replace(index, tokens.token('field', original.text));
      return;
    }
    const found = findings.get(index);
    let scrubbed = found === undefined ? text : withTokens(text, found, tokens);
    for (const { name, regExp, accepts } of patterns) {
      regExp.lastIndex = 0;
      scrubbed = scrubbed.replace(regExp, match => (accepts?.(match) === false ? match : tokens.token(name, match)));
    }
    if (scrubbed !== text) copy.replace(index, scrubbed);
  });
  return tokens;
}

function withTokens(text: string, found: Found, tokens: Tokens): string {
  const start = (nth: number) => found[nth * STRIDE + 1] as number;
  const end = (nth: number) => found[nth * STRIDE + 2] as number;
  const replacements: string[] = [];
  const order: number[] = [];
  for (let nth = 0; nth * STRIDE < found.length; nth++) {
    replacements.push(tokens.token(matcherName(found[nth * STRIDE] as number), text.slice(start(nth), end(nth))));
    order.push(nth);
  }
  order.sort((a, b) => start(a) - start(b));
  let scrubbed = '';
  let rest = 0;
  for (const nth of order) {
    scrubbed += text.slice(rest, start(nth)) + replacements[nth];
    rest = end(nth);
  }
  return scrubbed + text.slice(rest);
}
