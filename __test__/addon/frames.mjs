// Frames written by hand, byte by byte (docs/wire-format.md), for tests of the addon alone.
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
const name = readdirSync(root).find(file => file.endsWith('.node'));

/** The file of the addon that was built. */
export const addonFile = fileURLToPath(new URL(name, root));

/** The addon, past the SDK. */
export const addon = createRequire(import.meta.url)(addonFile);

const uint16 = number => [number & 255, (number >> 8) & 255];
const uint32 = number => [...uint16(number), ...uint16(number >> 16)];

export const NULL = [0];
export const TRUE = [2];
export const UNDEFINED = [3];
export const END = [15];
export const holes = count => [4, ...uint32(count)];
export const integer = number => [5, ...uint32(number)];
export const double = number => [6, ...new Uint8Array(new Float64Array([number]).buffer)];
export const ascii = text => [7, text.length, ...Buffer.from(text, 'latin1')];
export const string = (index, length) => [8, ...uint32(index), ...uint32(length)];
export const func = index => [9, ...uint32(index)];
export const symbol = index => [10, ...uint32(index)];
export const bigint = index => [11, ...uint32(index)];
export const foreign = index => [12, ...uint32(index)];
export const array = (...elements) => [13, ...elements.flat(), ...END];
/** Members in turns: the number of a key or its text, and a value. */
export const object = (...members) => [
  14,
  ...members.flatMap((member, at) => (at % 2 === 0 ? key(member) : member)),
  ...uint16(0xffff),
];

const key = member =>
  typeof member === 'number'
    ? uint16(member)
    : [...uint16(0xfffe), ...uint32(member.length), ...Buffer.from(member, 'utf16le')];

/** A frame, and where it ends, as the first three arguments of a call. */
export function frame(...bytes) {
  const frame = Uint8Array.from([1, ...bytes.flat()]);
  return [frame, 0, frame.length];
}
