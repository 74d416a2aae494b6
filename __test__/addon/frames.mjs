// Frames written by hand, word by word (docs/wire-format.md), for tests of the addon alone.
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
const name = readdirSync(root).find(file => file.endsWith('.node'));

/** The file of the addon that was built. */
export const addonFile = fileURLToPath(new URL(name, root));

/** The addon, past the SDK. */
export const addon = createRequire(import.meta.url)(addonFile);

export const NULL = [0];
export const TRUE = [2];
export const UNDEFINED = [3];
export const END = [15];
export const holes = count => [4, count];
export const integer = number => [5, number];
export const double = number => [6, ...new Int32Array(new Float64Array([number]).buffer)];
export const string = text => [7, text.length, text];
/** A string of the list. */
export const listed = (index, length) => [8, index, length];
export const func = index => [9, index];
export const symbol = index => [10, index];
export const bigint = index => [11, index];
export const foreign = index => [12, index];
export const array = (...elements) => [13, ...elements.flat(), ...END];
/** Members in turns: the number of a key or its text, and a value. */
export const object = (...members) => [
  14,
  ...members.flatMap((member, at) => (at % 2 === 0 ? [] : keyed(members[at - 1], member))),
  ...END,
];

const keyed = (key, [tag, ...rest]) =>
  typeof key === 'number' ? [(key << 16) | tag, ...rest] : [16, key.length, key, (0xfffe << 16) | tag, ...rest];

/** A frame, where it ends, and its text, as the first four arguments of a call. */
export function frame(...parts) {
  const items = parts.flat();
  const text = items.filter(item => typeof item === 'string').join('');
  const words = Int32Array.from([2, text.length, ...items.filter(item => typeof item === 'number')]);
  return [words, 0, words.length, text];
}
