// What formats are made of. Nothing here or in the corpus is a real secret: all is drawn when the tests run.

export const LOWER = 'abcdefghijklmnopqrstuvwxyz';
export const UPPER = LOWER.toUpperCase();
export const DIGITS = '0123456789';
export const HEX = '0123456789abcdef';
export const ALNUM = UPPER + LOWER + DIGITS;
export const BASE32 = `${UPPER}234567`;
export const BASE64 = `${ALNUM}+/`;
export const BASE64URL = `${ALNUM}-_`;

/** A string of `length` characters of an alphabet. */
export function draw(random, alphabet, length) {
  let text = '';
  for (let i = 0; i < length; i++) text += alphabet[random.below(alphabet.length)];
  return text;
}

export const digits = (random, length) => draw(random, DIGITS, length);

/** An integer of this many digits that does not begin with 0. */
export const number = (random, length) => draw(random, '123456789', 1) + digits(random, length - 1);

/** Padded base64 of this many bytes. */
export const base64 = (random, bytes) =>
  Buffer.from(Array.from({ length: bytes }, () => random.below(256))).toString('base64');

export const base64url = text => Buffer.from(text).toString('base64url');

export const uuid = random =>
  [8, 4, 4, 4, 12]
    .map((length, part) => (part === 2 ? '4' : '') + draw(random, HEX, part === 2 ? 3 : length))
    .join('-');

const WORDS =
  'agent order refund carrier parcel invoice customer policy review window cache router schema tenant worker queue ' +
  'ledger cursor branch deploy metric sample budget planner vector';
export const word = random => random.pick(WORDS.split(' '));
export const words = (random, count, separator = ' ') => random.list(count, () => word(random)).join(separator);

/** Cuts a text into groups of these sizes. */
export function grouped(text, sizes, separator) {
  const groups = [];
  let at = 0;
  for (const size of sizes) {
    groups.push(text.slice(at, at + size));
    at += size;
  }
  return groups.join(separator);
}
