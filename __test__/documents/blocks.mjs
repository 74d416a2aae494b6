// Markdown documents as the tests see them: their fenced blocks, with the places where they stand.
import { readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);

/** The text of a document, by its path in the repository. */
export const documentText = path => readFileSync(new URL(path, root), 'utf8');

/**
 * The fenced blocks of a text: `{language, lines, line}`. `line` is the number of the first line inside.
 *
 * @param {string} text
 */
export function blocks(text) {
  const found = [];
  let block;
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^```(\S*)/.exec(line);
    if (!fence) {
      block?.lines.push(line);
    } else if (block) {
      found.push(block);
      block = undefined;
    } else {
      block = { language: fence[1], lines: [], line: index + 2 };
    }
  }
  if (block) throw new Error(`line ${block.line}: a block without an end`);
  return found;
}
