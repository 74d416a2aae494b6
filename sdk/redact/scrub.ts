// Puts tokens in the place of what was found.
import type { Plan } from './config.js';
import type { Copy } from './copy.js';
import { type Finding, findIn } from './findings.js';
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

function withTokens(text: string, findings: readonly Finding[], tokens: Tokens): string {
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
