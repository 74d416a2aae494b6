// A tree as HTML text.
import type { Content } from './tree.js';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escaped = (text: string): string => text.replace(/[&<>"']/g, character => ENTITIES[character] as string);

const VOID = new Set(['meta', 'link', 'br', 'input']);

/** Gives the text in parts. */
export function* html(content: Content): Generator<string> {
  if (content === false || content === null || content === undefined) return;
  if (typeof content !== 'object') {
    yield escaped(String(content));
    return;
  }
  if (!('tag' in content)) {
    for (const child of content) yield* html(child);
    return;
  }
  const { tag, attributes, children, body } = content;
  let start = `<${tag}`;
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== undefined)
      start += value === true ? ` ${name}` : ` ${name}="${escaped(`${value}`)}"`;
  }
  yield `${start}>`;
  yield* html(children);
  if (body) yield* html(body());
  if (!VOID.has(tag)) yield `</${tag}>`;
}
