// Text from elsewhere, made safe to print.

// Control and format characters (escape sequences, bidirectional overrides, zero-width marks), lone surrogates, private
// use, and every kind of white space but the plain space.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|[^\S ]/gu;

// Nearly all text, and quickly told from the rest: V8 takes longer to compile the pattern above than to verify a record.
const PLAIN = /^[ -~]*$/;

const escaped = (character: string): string =>
  character
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** `text` with everything that a terminal would obey or hide written as `\uXXXX`. In JSON text it stays the same JSON. */
export const visible = (text: string): string => (PLAIN.test(text) ? text : text.replace(HIDDEN, escaped));

/** A value from elsewhere in one line: its text, or as much of it. */
export function short(value: unknown, longest = 80): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length <= longest ? visible(text) : `${visible(text.slice(0, longest))}…`;
}
