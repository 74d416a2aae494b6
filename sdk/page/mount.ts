// A tree as a document. Text goes in as text: there is no markup on this way.
import type { Content, Element as Tree } from '../view/tree.js';

/** Puts `content` in the place of what `parent` holds. */
export function mount(parent: Element, content: Content): void {
  const made = document.createDocumentFragment();
  append(made, content);
  parent.replaceChildren(made);
}

function append(parent: Node, content: Content): void {
  if (content === false || content === null || content === undefined) return;
  if (typeof content !== 'object') parent.appendChild(document.createTextNode(String(content)));
  else if ('tag' in content) parent.appendChild(element(content));
  else for (const child of content) append(parent, child);
}

function element({ tag, attributes, children, body }: Tree): Element {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== undefined) made.setAttribute(name, value === true ? '' : String(value));
  }
  append(made, children);
  if (body) {
    if (attributes['open']) append(made, body());
    else made.addEventListener('toggle', () => append(made, body()), { once: true });
  }
  return made;
}

/** The one element of this id. */
export function part(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`expected #${id}`);
  return found;
}

/** Tells those who do not see what has changed. */
export function announce(words: string): void {
  part('status').textContent = words;
}
