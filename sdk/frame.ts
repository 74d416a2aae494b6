// Flattens a JavaScript value into a frame, in one walk. A frame is a dumb stream of tags (docs/wire-format.md): what
// is dropped, renamed, sorted or normalized is decided in Rust. Long strings do not enter the frame; they are listed
// beside it and cross as UTF-16.
//
// All state here is a stack: a getter that hashes in the middle of a walk writes its frame above ours.
import { isProxy } from 'node:util/types';
import type { ErrorCode } from './errors.js';
import { type Addon, native } from './native.js';
import { hasInherited, isPlain } from './plain.js';

const VERSION = 1;
const NULL = 0;
const FALSE = 1;
const TRUE = 2;
const UNDEFINED = 3;
const HOLES = 4;
const INTEGER = 5;
const DOUBLE = 6;
const ASCII = 7;
const STRING = 8;
const FUNCTION = 9;
const SYMBOL = 10;
const BIGINT = 11;
const FOREIGN = 12;
const ARRAY = 13;
const OBJECT = 14;
const END = 15;
const NO_KEY = 0xffff;
const LITERAL_KEY = 0xfffe;

/** In what `intern` answers: Rust leaves the member out unseen, so it is not walked either. */
const DROPPED = 0x10000;

/** The deepest nesting, as in `src/limits.rs`. */
export const MAX_DEPTH = 2048;

/** Longer strings cross beside the frame: a copy by V8 beats a loop from about here on. */
const MAX_INLINE = 40;
/** No scalar with its key needs more bytes. */
const SLACK = 64;
/** Longer keys are not interned. */
const MAX_INTERNED = 80;
const FIRST_BYTES = 1 << 13;
/** What is kept from one call to the next. */
const KEPT_BYTES = 1 << 20;
const KEPT_ITEMS = 1 << 14;
/** In `firsts`, a Proxy of an array: it is asked whether an element is there before it is asked for the element. */
const ASKED = -1;
const MAX_ARRAY_LENGTH = 2 ** 32 - 1;

let addon: Addon | undefined;
let bytes = new Uint8Array(FIRST_BYTES);
let end = 0;
// The first place is for Rust: V8's own normalization, as it was when this module was loaded.
const list: unknown[] = [String.prototype.normalize];
let listEnd = 1;
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
let inherited = false;
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
const doubleBytes = new Uint8Array(double.buffer);

const { isArray } = Array;
const { entries } = Object;

/** What becomes of a frame: a call of the addon. `foreign`: it holds what only JavaScript can serialize. */
export type Use<Result> = (
  addon: Addon,
  bytes: Uint8Array,
  start: number,
  end: number,
  list: unknown[],
  foreign: boolean,
) => Result;

/** Writes `input` as a frame with `write`, and returns what `use` makes of it. */
export function framed<Input, Result>(input: Input, write: (input: Input) => void, use: Use<Result>): Result {
  const own = addon ?? load();
  const start = end;
  const outerStart = frameStart;
  const listStart = listEnd;
  const pendingStart = pendingEnd;
  const openStart = openEnd;
  const outer = foreign;
  const outerWhole = whole;
  foreign = false;
  whole = false;
  frameStart = start;
  inherited = hasInherited();
  shared.frames++;
  try {
    room(SLACK);
    bytes[end++] = VERSION;
    write(input);
    return use(own, bytes, start, end, list, foreign);
  } finally {
    shared.frames--;
    end = start;
    frameStart = outerStart;
    foreign = outer;
    whole = outerWhole;
    while (listEnd > listStart) list[--listEnd] = undefined;
    while (pendingEnd > pendingStart) pending[--pendingEnd] = undefined;
    while (openEnd > openStart) open[--openEnd] = null;
    if (start === 0 && (crowded || bytes.length > KEPT_BYTES || list.length + pending.length > KEPT_ITEMS)) tidy(own);
  }
}

/** After a very large value, or when the key table is full, everything starts small again. */
function tidy(own: Addon): void {
  bytes = new Uint8Array(FIRST_BYTES);
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
  walk(value, 0);
}

/** Writes any value with all its members. */
export function writeWhole(value: unknown): void {
  whole = true;
  walk(value, 0);
}

/** Begins and ends the object that a request is; `writeField` writes what is between. */
export function beginRequest(): void {
  bytes[end++] = OBJECT;
}

export function endRequest(): void {
  writeKey(NO_KEY);
}

/** Writes a field of a request by its number: its place in `Field` of `src/request/identity.rs`. */
export function writeField(field: number, value: unknown): void {
  if (value === undefined) return;
  room(SLACK);
  writeKey(field);
  walk(value, 1);
}

/** The same for a field whose value counts as it is. Objects stay in JavaScript, which alone knows their `toJSON`. */
export function writeRawField(field: number, value: unknown): void {
  if (typeof value !== 'object' || value === null) return writeField(field, value);
  foreign = true;
  room(SLACK);
  writeKey(field);
  writeReference(FOREIGN, value);
}

/** The error of this code, at the value that was written last. */
export function errorHere(code: ErrorCode): Error {
  const own = addon ?? load();
  return own.error(code, own.pointer(bytes, frameStart, end));
}

/** Writes a value that stands `depth` containers deep. No recursion: a value may be nested deeper than the stack is. */
function walk(value: unknown, depth: number): void {
  const bottom = openEnd;
  const around = depth - bottom;
  write(value, depth);
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
  writeKey(NO_KEY);
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
    write(element, around + openEnd);
    if (openEnd > top + 1) {
      cursors[top] = index + 1;
      return;
    }
  }
  room(SLACK);
  if (holes > 0) writeHoles(holes);
  openEnd = top;
  open[top] = null;
  bytes[end++] = END;
}

/** Writes a scalar, or the start of a container. */
function write(value: unknown, depth: number): void {
  switch (typeof value) {
    case 'string':
      return writeString(value);
    case 'number':
      return writeNumber(value);
    case 'boolean':
      bytes[end++] = value ? TRUE : FALSE;
      return;
    case 'object':
      if (value === null) bytes[end++] = NULL;
      else if (isArray(value)) beginArray(value, depth);
      else beginObject(value, depth);
      return;
    case 'undefined':
      bytes[end++] = UNDEFINED;
      return;
    case 'function':
      return writeReference(FUNCTION, value);
    case 'symbol':
      return writeReference(SYMBOL, value);
    case 'bigint':
      return writeReference(BIGINT, value);
  }
}

function beginArray(array: readonly unknown[], depth: number): void {
  bytes[end++] = ARRAY;
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
function beginObject(object: object, depth: number): void {
  bytes[end++] = OBJECT;
  if (depth >= MAX_DEPTH) throw errorHere('ERR_TAPEPROOF_DEPTH');
  const first = pendingEnd;
  if (isPlain(object, inherited)) {
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
    writeKey(NO_KEY);
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
  if ((id & 0xffff) === LITERAL_KEY) writeLiteralKey(key);
  else writeKey(id);
  if (typeof member === 'function' && key === 'toJSON') foreign = true;
  write(member, depth);
}

function intern(key: string): number {
  const id = (addon as Addon).intern(key);
  if ((id & 0xffff) !== LITERAL_KEY) shared.ids.set(key, id);
  else if (key.length <= MAX_INTERNED) crowded = true;
  return id;
}

function writeKey(id: number): void {
  bytes[end++] = id;
  bytes[end++] = id >> 8;
}

function writeLiteralKey(key: string): void {
  const { length } = key;
  room(2 * length + SLACK);
  writeKey(LITERAL_KEY);
  writeUint32(length);
  for (let index = 0; index < length; index++) writeKey(key.charCodeAt(index));
}

function writeString(string: string): void {
  const { length } = string;
  if (length <= MAX_INLINE) {
    const start = end + 2;
    let index = 0;
    for (; index < length; index++) {
      const unit = string.charCodeAt(index);
      if (unit > 0x7f) break;
      bytes[start + index] = unit;
    }
    if (index === length) {
      bytes[end] = ASCII;
      bytes[end + 1] = length;
      end = start + length;
      return;
    }
  }
  writeReference(STRING, string);
  writeUint32(length);
}

function writeNumber(number: number): void {
  const integer = number | 0;
  // -0 stays itself: `canonical` gives it back.
  if (integer === number && (number !== 0 || 1 / number > 0)) {
    bytes[end++] = INTEGER;
    writeUint32(integer);
  } else {
    bytes[end] = DOUBLE;
    double[0] = number;
    for (let index = 0; index < 8; index++) bytes[end + 1 + index] = doubleBytes[index] as number;
    end += 9;
  }
}

function writeReference(tag: number, value: unknown): void {
  bytes[end++] = tag;
  writeUint32(listEnd);
  list[listEnd++] = value;
}

function writeHoles(count: number): void {
  bytes[end++] = HOLES;
  writeUint32(count);
}

function writeUint32(value: number): void {
  bytes[end++] = value;
  bytes[end++] = value >> 8;
  bytes[end++] = value >> 16;
  bytes[end++] = value >> 24;
}

function room(size: number): void {
  if (end + size > bytes.length) grow(size);
}

function grow(size: number): void {
  const larger = new Uint8Array(Math.max(2 * bytes.length, end + size));
  larger.set(bytes.subarray(0, end));
  bytes = larger;
}
