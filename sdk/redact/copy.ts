// Copies a value in one walk and lists the texts in it, so that all of them can be looked at in one call of the addon.
import { isProxy } from 'node:util/types';
import { escapeSegment } from '../canonical.js';
import type { ErrorCode } from '../errors.js';
import { MAX_DEPTH } from '../frame.js';
import { failure } from '../native.js';
import { hasInherited } from '../plain.js';
import type { Fields, Plan } from './config.js';

/** A key of an object or an index of an array. */
type Name = string | number;

/** An array or object, and its copy. */
class Container {
  constructor(
    /** The one that it stands in, null for the whole value. */
    readonly parent: Container | null,
    readonly name: Name,
    readonly copy: Record<Name, unknown>,
    /** The array; null for an object, whose members are in the copy already. */
    readonly array: readonly unknown[] | null,
    /** The first element or pending key, the next one, and the one after the last. */
    readonly first: number,
    public cursor: number,
    public limit: number,
  ) {}
}

/** A value that a field replaces. */
export interface Original {
  /** What its token stands for. */
  readonly text: string;
  /** The length of the value, when that is a text. */
  readonly length: number;
}

const MAX_ARRAY_LENGTH = 2 ** 32 - 1;
const PROTO = '__proto__';
const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const { isArray } = Array;
const { entries, fromEntries, getOwnPropertySymbols, hasOwn } = Object;

/**
 * A copy of a value: arrays and objects with their own entries, everything else as it is. Its texts stand in a list, in
 * the order of the walk: depth first, own entries in their order.
 *
 * No recursion: a value may be nested deeper than the stack is.
 */
export class Copy {
  /** The copy, as far as its texts were replaced. */
  value: unknown;
  /** The texts that may hold something; `''` for a value that a field replaces. */
  readonly texts: string[] = [];
  /** For such a value, by the index of its text. */
  readonly originals = new Map<number, Original>();
  // Where each text stands.
  readonly #containers: (Container | null)[] = [];
  readonly #names: Name[] = [];
  /** The containers that are being walked, a stack. */
  readonly #open: Container[] = [];
  /** Keys whose members have to wait until a container before them is walked, a stack. */
  readonly #pending: string[] = [];
  #pendingEnd = 0;
  readonly #shortest: number;
  readonly #fields: Fields | undefined;

  constructor(value: unknown, { patterns, matchers, shortest, fields }: Plan) {
    // A pattern may match in any text, also in an empty one.
    this.#shortest = patterns.length > 0 ? 0 : matchers === 0 ? Number.POSITIVE_INFINITY : shortest;
    this.#fields = fields;
    this.#place(null, '', value);
    while (this.#open.length > 0) this.#goOn(this.#open[this.#open.length - 1] as Container);
  }

  /** Puts another value in the place of a text. */
  replace(index: number, value: string): void {
    this.#set(this.#containers[index] as Container | null, this.#names[index] as Name, value);
  }

  /** JSON Pointer to a text. */
  pointer(index: number): string {
    return pointer(this.#containers[index] as Container | null, this.#names[index] as Name);
  }

  #set(container: Container | null, name: Name, value: unknown): void {
    if (container === null) this.value = value;
    else container.copy[name] = value;
  }

  /** Puts the copy of a value into the copy of its container. What is in a nested one comes later. */
  #place(container: Container | null, name: Name, value: unknown): void {
    this.#set(container, name, value);
    this.#look(container, name, value);
  }

  /** Looks at a value that stands in the copy: it may be a text, a field, or to be copied itself. */
  #look(container: Container | null, name: Name, value: unknown): void {
    if (value !== undefined && this.#fields?.has(name, () => path(container, name))) {
      this.#placeField(container, name, value);
    } else if (typeof value === 'string') {
      if (value.length >= this.#shortest) this.#list(container, name, value);
    } else if (typeof value === 'object' && value !== null) {
      this.#enter(container, name, value);
    }
  }

  #placeField(container: Container | null, name: Name, value: unknown): void {
    const text = `${path(container, name)}:${json(value, container, name)}`;
    this.originals.set(this.texts.length, { text, length: typeof value === 'string' ? value.length : 0 });
    // The token comes later.
    this.#set(container, name, undefined);
    this.#list(container, name, '');
  }

  #list(container: Container | null, name: Name, text: string): void {
    this.texts.push(text);
    this.#containers.push(container);
    this.#names.push(name);
  }

  #enter(parent: Container | null, name: Name, value: object): void {
    if (this.#open.length >= MAX_DEPTH) throw fail('ERR_TAPEPROOF_DEPTH', parent, name);
    if (isArray(value)) this.#enterArray(parent, name, value);
    else this.#enterObject(parent, name, value);
  }

  #enterArray(parent: Container | null, name: Name, array: readonly unknown[]): void {
    // A Proxy may name any length; it is read as JavaScript reads it.
    const length = isProxy(array) ? Math.max(0, Math.trunc(+array.length) || 0) : array.length;
    if (length > MAX_ARRAY_LENGTH) throw fail('ERR_TAPEPROOF_MEMORY', parent, name);
    const copy = new Array(length) as unknown as Record<number, unknown>;
    this.#set(parent, name, copy);
    this.#open.push(new Container(parent, name, copy, array, 0, 0, length));
  }

  /**
   * All members are read at once, as `Object.entries` does it: a getter further down must not change what was there to
   * read. Nor is anything assigned to a name that the copy has not: a prototype may have a setter of that name.
   */
  #enterObject(parent: Container | null, name: Name, object: object): void {
    const first = this.#pendingEnd;
    // To spread an object reads what it has under symbols too, and a getter may be there.
    const asked = isProxy(object) || getOwnPropertySymbols(object).length > 0;
    const copy: Record<Name, unknown> = asked ? this.#entriesOf(object) : { ...object };
    const container = new Container(parent, name, copy, null, first, first, first);
    this.#set(parent, name, copy);
    if (!asked) {
      const inherits = hasInherited();
      for (const key in copy) {
        if (inherits && !hasOwn(copy, key)) continue;
        const member = copy[key];
        const waits = this.#pendingEnd > first || (typeof member === 'object' && member !== null) || key === PROTO;
        if (waits) this.#pending[this.#pendingEnd++] = key;
        else this.#look(container, key, member);
      }
    }
    container.limit = this.#pendingEnd;
    if (container.limit > first) this.#open.push(container);
  }

  /** The entries, asked for once. Those of a Proxy may be in any order; that of the walk is the same. */
  #entriesOf(object: object): Record<Name, unknown> {
    const members = entries(object);
    for (const [key] of members) this.#pending[this.#pendingEnd++] = key;
    return fromEntries(members);
  }

  /** Goes on with a container until another opens in it, or to its end. */
  #goOn(container: Container): void {
    const depth = this.#open.length;
    const { array, copy, limit } = container;
    if (array === null) {
      const pending = this.#pending;
      while (container.cursor < limit) {
        const key = pending[container.cursor++] as string;
        this.#look(container, key, copy[key]);
        if (this.#open.length > depth) return;
      }
      this.#pendingEnd = container.first;
      // It was worked on in its turn, and is left out.
      if (hasOwn(copy, PROTO)) delete copy[PROTO];
    } else {
      const asked = isProxy(array);
      while (container.cursor < limit) {
        const index = container.cursor++;
        if (asked && !(index in array)) continue;
        const element = array[index];
        if (element === undefined && !asked && !(index in array)) continue;
        this.#place(container, index, element);
        if (this.#open.length > depth) return;
      }
    }
    this.#open.pop();
  }
}

/** The path by which `fields` know a value. */
function path(container: Container | null, name: Name): string {
  if (container === null) return '';
  const outer = path(container.parent, container.name);
  if (container.array !== null) return `${outer}[${name}]`;
  return outer === '' ? `${name}` : `${outer}.${name}`;
}

function pointer(container: Container | null, name: Name): string {
  let pointer = '';
  let segment = name;
  for (let at = container; at !== null; at = at.parent) {
    pointer = `/${escapeSegment(`${segment}`)}${pointer}`;
    segment = at.name;
  }
  return pointer;
}

/** The JSON text of a value that a field replaces, as far as it has one. */
function json(value: unknown, container: Container | null, name: Name): string | undefined {
  let depth = 0;
  for (let at = container; at !== null; at = at.parent) depth++;
  try {
    const text = JSON.stringify(value);
    // How deep V8 itself goes depends on its version and on the stack.
    if (text !== undefined && isDeeper(text, MAX_DEPTH - depth)) throw fail('ERR_TAPEPROOF_DEPTH', container, name);
    return text;
  } catch (error) {
    const code = error instanceof Error ? CODES.find(([start]) => error.message.startsWith(start))?.[1] : undefined;
    throw code === undefined ? error : fail(code, container, name);
  }
}

/** Whether more containers than these stand in each other. */
function isDeeper(text: string, most: number): boolean {
  // Each takes two characters at least.
  if (text.length <= 2 * most) return false;
  let depth = 0;
  let inText = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) inText = !inText;
    else if (unit === BACKSLASH) index++;
    else if (inText) continue;
    else if (unit === OPEN_BRACKET || unit === OPEN_BRACE) depth++;
    else if (unit === CLOSE_BRACKET || unit === CLOSE_BRACE) depth--;
    if (depth > most) return true;
  }
  return false;
}

/** What V8 says, at length and with keys of the value in it. */
const CODES: readonly (readonly [string, ErrorCode])[] = [
  ['Converting circular structure', 'ERR_TAPEPROOF_DEPTH'],
  ['Maximum call stack size exceeded', 'ERR_TAPEPROOF_DEPTH'],
  ['Do not know how to serialize a BigInt', 'ERR_TAPEPROOF_BIGINT'],
];

const fail = (code: ErrorCode, container: Container | null, name: Name): Error =>
  failure(code, pointer(container, name));
