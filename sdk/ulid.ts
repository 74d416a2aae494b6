import { randomBytes } from 'node:crypto';

// Crockford's base 32: no I, L, O, U.
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** What 48 bits hold. */
const LATEST = 2 ** 48 - 1;

/** A new ULID: 48 bits of time, then 80 random bits, in 26 characters that sort by time. */
export function ulid(time = Date.now()): string {
  let text = '';
  // A clock that was set otherwise may say anything.
  const milliseconds = Math.min(Math.max(0, Math.trunc(time)), LATEST) || 0;
  for (let rest = milliseconds, at = 0; at < 10; at += 1, rest = Math.floor(rest / 32)) text = DIGITS[rest % 32] + text;
  // 16 bytes, of each the five low bits.
  for (const byte of randomBytes(16)) text += DIGITS[byte & 31];
  return text;
}
