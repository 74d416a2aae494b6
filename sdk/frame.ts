// Flattens a JavaScript value into a frame, in one walk. A frame is a dumb stream of words (docs/wire-format.md): what
// is dropped, renamed, sorted or normalized is decided in Rust. Strings are added to one text beside it, which crosses
// as UTF-16 at one blow; the longest are listed.
//
// All state here is a stack: a getter that hashes in the middle of a walk writes its frame above ours.
import { isProxy } from 'node:util/types';
import type { ErrorCode } from './errors.js';
import { type Addon, native } from './native.js';
import { inheritsToJSON, isPlain } from './plain.js';

const VERSION = 2;
// Tags, in the low half of a word. The high half of a member's word is its key.
const NULL = 0;
const FALSE = 1;
const TRUE = 2;
const UNDEFINED = 3;
const HOLES = 4;
const INTEGER = 5;
const DOUBLE = 6;
const STRING = 7;
const REFERENCE = 8;
const FUNCTION = 9;
const SYMBOL = 10;
const BIGINT = 11;
const FOREIGN = 12;
const ARRAY = 13;
const OBJECT = 14;
const END = 15;
const KEY = 16;
/** The key of a member whose name stands before it. */
const LITERAL_KEY = 0xfffe;

/** In what `intern` answers: Rust leaves the member out unseen, so it is not walked either. */
const DROPPED = 0x10000;

/** The deepest nesting, as in `src/limits.rs`. */
export const MAX_DEPTH = 2048;

/** Longer strings are listed: joining them would copy them once more. */
const MAX_JOINED = 1 << 12;
/** From here on the text beside a frame takes names only. */
const MAX_TEXT = 1 << 16;
/** V8 joins no more than twice as much. */
const MAX_NAMES = 1 << 28;
/** The version, and the length of the text beside the frame. */
const HEADER = 2;
/** No holes and scalar with a name need more words. */
const SLACK = 8;
/** Longer keys are not interned. */
const MAX_INTERNED = 80;
const FIRST_WORDS = 1 << 11;
/** What is kept from one call to the next. */
const KEPT_WORDS = 1 << 18;
const KEPT_ITEMS = 1 << 14;
/** In `firsts`, a Proxy of an array: it is asked whether an element is there before it is asked for the element. */
const ASKED = -1;
const MAX_ARRAY_LENGTH = 2 ** 32 - 1;

let addon: Addon | undefined;
let words = new Int32Array(FIRST_WORDS);
let end = 0;
// The first place is for Rust: V8's own normalization, as it was when this module was loaded.
const list: unknown[] = [String.prototype.normalize];
let listEnd = 1;
/** The strings that cross together. V8 makes no copy of them before it is asked for one. */
let text = '';
// Members that were read before their turn to be walked: key and value in turns.
const pending: unknown[] = [];
let pendingEnd = 0;
// The containers that are being walked: an array, or null for an object, whose members are in `pending`.
const open: (readonly unknown[] | null)[] = [];
const firsts: number[] = [];
const cursors: number[] = [];
const limits: number[] = [];
let openEnd = 0;
let foreign = false;
/** Every member counts, also those that count in no hash. */
let whole = false;
/** What the copies of this module that share an addon must share too: its table of keys is one. */
interface Shared {
  ids: Map<string, number>;
  /** The frames that are being written; they may hold ids. */
  frames: number;
}
const SHARED = Symbol.for('tapeproof.frame');
let shared: Shared = { ids: new Map(), frames: 0 };
/** A key found no place in the table. */
let crowded = false;
/** Where the frame that is being written begins. */
let frameStart = 0;

const double = new Float64Array(1);
const halves = new Int32Array(double.buffer);

const { isArray } = Array;
const { entries } = Object;

/** What becomes of a frame: a call of the addon. `foreign`: it holds what only JavaScript can serialize. */
export type Use<Result> = (
  addon: Addon,
  words: Int32Array,
  start: number,
  end: number,
  text: string,
  list: unknown[],
  foreign: boolean,
) => Result;

/** Writes `input` as a frame with `write`, and returns what `use` makes of it. */
export function framed<Input, Result>(input: Input, write: (input: Input) => void, use: Use<Result>): Result {
  const own = addon ?? load();
  const start = end;
  const outerStart = frameStart;
  const listStart = listEnd;
  const outerText = text;
  const pendingStart = pendingEnd;
  const openStart = openEnd;
  const outer = foreign;
  const outerWhole = whole;
  foreign = inheritsToJSON();
  whole = false;
  text = '';
  frameStart = start;
  shared.frames++;
  try {
    room(SLACK);
    words[end] = VERSION;
    end += HEADER;
    write(input);
    words[start + 1] = text.length;
    return use(own, words, start, end, text, list, foreign);
  } finally {
    shared.frames--;
    end = start;
    frameStart = outerStart;
    text = outerText;
    foreign = outer;
    whole = outerWhole;
    while (listEnd > listStart) list[--listEnd] = undefined;
    while (pendingEnd > pendingStart) pending[--pendingEnd] = undefined;
    while (openEnd > openStart) open[--openEnd] = null;
    if (start === 0 && (crowded || words.length > KEPT_WORDS || list.length + pending.length > KEPT_ITEMS)) tidy(own);
  }
}

/** After a very large value, or when the key table is full, everything starts small again. */
function tidy(own: Addon): void {
  words = new Int32Array(FIRST_WORDS);
  list.length = 1;
  pending.length = 0;
  if (!crowded || shared.frames > 0) return;
  crowded = false;
  own.forgetKeys();
  shared.ids.clear();
}

function load(): Addon {
  addon = native();
  shared = (addon as { [SHARED]?: Shared })[SHARED] ??= shared;
  return addon;
}

/** Writes any value. */
export function writeValue(value: unknown): void {
  walk(0, value, 0);
}

/** Writes any value with all its members. */
export function writeWhole(value: unknown): void {
  whole = true;
  walk(0, value, 0);
}

/** Begins and ends the object that a request is; `writeField` writes what is between. */
export function beginRequest(): void {
  words[end++] = OBJECT;
}

export function endRequest(): void {
  words[end++] = END;
}

/** Writes a field of a request by its number: its place in `Field` of `src/request/identity.rs`. */
export function writeField(field: number, value: unknown): void {
  if (value === undefined) return;
  room(SLACK);
  walk(field << 16, value, 1);
}

/** The same for a field whose value counts as it is. Objects stay in JavaScript, which alone knows their `toJSON`. */
export function writeRawField(field: number, value: unknown): void {
  if (typeof value !== 'object' || value === null) return writeField(field, value);
  foreign = true;
  room(SLACK);
  writeReference((field << 16) | FOREIGN, value);
}

/** The error of this code, at the value that was written last. */
export function errorHere(code: ErrorCode): Error {
  const own = addon ?? load();
  words[frameStart + 1] = text.length;
  return own.error(code, own.pointer(words, frameStart, end, text));
}

/** Writes a value that stands `depth` containers deep. No recursion: a value may be nested deeper than the stack is. */
function walk(head: number, value: unknown, depth: number): void {
  const bottom = openEnd;
  const around = depth - bottom;
  write(head, value, depth);
  while (openEnd > bottom) {
    const top = openEnd - 1;
    const array = open[top] as readonly unknown[] | null;
    if (array === null) walkMembers(top, around);
    else walkElements(array, top, around);
  }
}

/** Goes on with an object until a member opens a container, or to its end. */
function walkMembers(top: number, around: number): void {
  const limit = limits[top] as number;
  for (let at = cursors[top] as number; at < limit; at += 2) {
    cursors[top] = at + 2;
    writeMember(pending[at] as string, pending[at + 1], around + openEnd);
    if (openEnd > top + 1) return;
  }
  openEnd = top;
  const first = firsts[top] as number;
  while (pendingEnd > first) pending[--pendingEnd] = undefined;
  room(SLACK);
  words[end++] = END;
}

/** Goes on with an array until an element opens a container, or to its end. */
function walkElements(array: readonly unknown[], top: number, around: number): void {
  const limit = limits[top] as number;
  const asked = firsts[top] === ASKED;
  let holes = 0;
  for (let index = cursors[top] as number; index < limit; index++) {
    let element: unknown;
    if (asked ? !(index in array) : (element = array[index]) === undefined && !(index in array)) {
      holes++;
      continue;
    }
    if (asked) element = array[index];
    room(SLACK);
    if (holes > 0) {
      writeHoles(holes);
      holes = 0;
    }
    write(0, element, around + openEnd);
    if (openEnd > top + 1) {
      cursors[top] = index + 1;
      return;
    }
  }
  room(SLACK);
  if (holes > 0) writeHoles(holes);
  openEnd = top;
  open[top] = null;
  words[end++] = END;
}

/** Writes a scalar, or the start of a container. `head` is a member's key in its half, 0 for an element. */
function write(head: number, value: unknown, depth: number): void {
  // Not a `switch`: V8 compares each of these without making the text that `typeof` is.
  if (typeof value === 'string') {
    writeString(head, value);
  } else if (typeof value === 'object') {
    if (value === null) words[end++] = head | NULL;
    else if (isArray(value)) beginArray(head, value, depth);
    else beginObject(head, value, depth);
  } else if (typeof value === 'number') {
    writeNumber(head, value);
  } else if (typeof value === 'boolean') {
    words[end++] = head | (value ? TRUE : FALSE);
  } else if (value === undefined) {
    words[end++] = head | UNDEFINED;
  } else if (typeof value === 'symbol') {
    writeReference(head | SYMBOL, value);
  } else {
    // Either may have a `toJSON`, of its own or of its prototype.
    foreign = true;
    writeReference(head | (typeof value === 'function' ? FUNCTION : BIGINT), value);
  }
}

function beginArray(head: number, array: readonly unknown[], depth: number): void {
  words[end++] = head | ARRAY;
  if (depth >= MAX_DEPTH) throw errorHere('ERR_TAPEPROOF_DEPTH');
  if (!isProxy(array)) return enter(array, 0, array.length);
  // A Proxy may name any length; it is read as JavaScript reads it.
  const length = Math.max(0, Math.trunc(+array.length) || 0);
  if (length > MAX_ARRAY_LENGTH) throw errorHere('ERR_TAPEPROOF_MEMORY');
  enter(array, 0, length);
  firsts[openEnd - 1] = ASKED;
}

/**
 * As `Object.entries` does it, all members are read before any is walked: a getter further down must not change what
 * was there to read. Only what follows the first object can tell the difference; members before it are written at once.
 */
function beginObject(head: number, object: object, depth: number): void {
  words[end++] = head | OBJECT;
  if (depth >= MAX_DEPTH) throw errorHere('ERR_TAPEPROOF_DEPTH');
  const first = pendingEnd;
  if (isPlain(object)) {
    for (const key in object) {
      const member = (object as Record<string, unknown>)[key];
      if (pendingEnd === first && (typeof member !== 'object' || member === null)) writeMember(key, member, depth);
      else pend(key, member);
    }
  } else {
    for (const [key, member] of entries(object)) pend(key, member);
  }
  if (pendingEnd > first) {
    enter(null, first, pendingEnd);
  } else {
    room(SLACK);
    words[end++] = END;
  }
}

function enter(array: readonly unknown[] | null, cursor: number, limit: number): void {
  open[openEnd] = array;
  firsts[openEnd] = cursor;
  cursors[openEnd] = cursor;
  limits[openEnd] = limit;
  openEnd++;
}

function pend(key: string, member: unknown): void {
  pending[pendingEnd++] = key;
  pending[pendingEnd++] = member;
}

function writeMember(key: string, member: unknown, depth: number): void {
  const id = shared.ids.get(key) ?? intern(key);
  if (id & DROPPED && !whole) return;
  room(SLACK);
  if ((id & 0xffff) === LITERAL_KEY) writeName(key);
  write(id << 16, member, depth);
}

function intern(key: string): number {
  const id = (addon as Addon).intern(key);
  if ((id & 0xffff) !== LITERAL_KEY) shared.ids.set(key, id);
  else if (key.length <= MAX_INTERNED) crowded = true;
  return id;
}

/** The name of the member that follows. */
function writeName(key: string): void {
  if (text.length + key.length > MAX_NAMES) throw errorHere('ERR_TAPEPROOF_MEMORY');
  words[end++] = KEY;
  words[end++] = key.length;
  text += key;
}

function writeString(head: number, string: string): void {
  const { length } = string;
  if (length > MAX_JOINED || text.length + length > MAX_TEXT) {
    writeReference(head | REFERENCE, string);
    words[end++] = length;
  } else {
    const at = end;
    words[at] = head | STRING;
    words[at + 1] = length;
    end = at + 2;
    text += string;
  }
}

function writeNumber(head: number, number: number): void {
  const integer = number | 0;
  const at = end;
  // -0 stays itself: `canonical` gives it back.
  if (integer === number && (number !== 0 || 1 / number > 0)) {
    words[at] = head | INTEGER;
    words[at + 1] = integer;
    end = at + 2;
  } else {
    words[at] = head | DOUBLE;
    double[0] = number;
    words[at + 1] = halves[0] as number;
    words[at + 2] = halves[1] as number;
    end = at + 3;
  }
}

function writeReference(word: number, value: unknown): void {
  words[end++] = word;
  words[end++] = listEnd;
  list[listEnd++] = value;
}

function writeHoles(count: number): void {
  words[end++] = HOLES;
  words[end++] = count;
}

function room(size: number): void {
  if (end + size > words.length) grow(size);
}

function grow(size: number): void {
  const larger = new Int32Array(Math.max(2 * words.length, end + size));
  larger.set(words.subarray(0, end));
  words = larger;
}
