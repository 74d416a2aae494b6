// What is shown, before it is HTML or a document: text is text until the end, whatever a record holds.

export interface Element {
  tag: string;
  /** `true` is an attribute without a value; `false` and `undefined` are none. Names and schemes are our own. */
  attributes: Readonly<Record<string, string | number | boolean | undefined>>;
  children: readonly Content[];
  /** Of a `details`: what it holds, made when it is opened first, or when it is written. */
  body?: () => Content;
}

export type Content = string | number | Element | readonly Content[] | false | null | undefined;

/** An element. */
export const h = (tag: string, attributes: Element['attributes'] = {}, ...children: Content[]): Element => ({
  tag,
  attributes,
  children,
});

/** A `details`, closed unless it is `open`. */
export const fold = (attributes: Element['attributes'], summary: Content, body: () => Content): Element => ({
  tag: 'details',
  attributes,
  children: [h('summary', {}, summary)],
  body,
});

/** Words that only those hear who do not see. */
export const spoken = (words: string): Element => h('span', { class: 'spoken' }, words);

/** A mark that only those see who do not hear; words stand beside it. */
export const mark = (sign: string): Element => h('span', { class: 'mark', 'aria-hidden': 'true' }, sign);
