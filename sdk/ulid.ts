import { randomBytes } from 'node:crypto';

// Crockford's base 32: no I, L, O, U.
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A new ULID: 48 bits of time, then 80 random bits, in 26 characters that sort by time. */
export function ulid(time = Date.now()): string {
  let text = '';
  for (let rest = time, at = 0; at < 10; at += 1, rest = Math.floor(rest / 32)) text = DIGITS[rest % 32] + text;
  // 16 bytes, of each the five low bits.
  for (const byte of randomBytes(16)) text += DIGITS[byte & 31];
  return text;
}
