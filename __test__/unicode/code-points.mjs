// Code points in the places where normalization and white space could differ: V8's own is the measure.
import { normalizeText } from 'tapeproof/hash';
import * as twin from '../reference/hash.mjs';

/** Where a code point stands. */
export const CONTEXTS = {
  alone: c => c,
  twice: c => c + c,
  'after a letter': c => `a${c}`,
  'before an acute': c => `${c}\u0301`,
  'before a dot below': c => `a${c}\u0323`,
  'between a dot below and a dot above': c => `a\u0323${c}\u0307`,
  'after a leading jamo': c => `\u1100${c}`,
  'after a Hangul syllable': c => `가${c}`,
  'between spaces': c => ` x ${c} y${c}`,
  'at the end of a line': c => `x ${c}\n${c}y`,
  'in a fence': c => `a\`\`\`${c}\u0301  \`\`\`${c} b`,
  decomposed: c => c.normalize('NFD'),
  'decomposed, before a mark': c => `${c.normalize('NFD')}\u0323`,
  'decomposed, before a trailing jamo': c => `x${c.normalize('NFD')}\u11a8`,
  'as a tick': c => `\`\`${c}  x  \`\`\``,
};

const LAST = 0x10ffff;
const isSurrogate = code => code >= 0xd800 && code <= 0xdfff;
const character = code => (isSurrogate(code) ? String.fromCharCode(code) : String.fromCodePoint(code));
const changes = (text, form) => text.normalize(form) !== text;

/** Marks, white space, and what a canonical form changes or joins: where an error is likely. */
function* delicate() {
  const joining = new Set();
  for (let code = 0; code <= LAST; code++) {
    const [, ...rest] = character(code).normalize('NFD');
    for (const part of rest) joining.add(part);
  }
  for (let code = 0; code <= LAST; code++) {
    const text = character(code);
    // The syllables are all alike: one in 28 has no final consonant.
    const syllable = code >= 0xac00 && code <= 0xd7a3 && (code - 0xac00) % 28 > 1;
    const apart = joining.has(text) || /\p{M}|\s/u.test(text) || changes(text, 'NFC') || changes(text, 'NFD');
    if (apart && !syllable) yield code;
  }
}

/** Every code point, each `step`th of them. */
function* each(step) {
  for (let code = 0; code <= LAST; code += step) yield code;
}

export const someCodePoints = [...new Set([...delicate(), ...each(67)])];
export const allCodePoints = () => each(1);

/** The first code point with which the context is normalized otherwise than by the twin. */
export function firstDifference(place, codes) {
  for (const code of codes) {
    const text = place(character(code));
    if (normalizeText(text) !== twin.normalizeText(text))
      return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  }
  return undefined;
}

/** The same over texts of 256 code points each, so that every code point is met in little time. */
export function firstDifferentBlock(place) {
  for (let first = 0; first <= LAST; first += 256) {
    const text = Array.from({ length: 256 }, (_, i) => place(character(first + i))).join('\n');
    if (normalizeText(text) !== twin.normalizeText(text)) return `U+${first.toString(16)}…`;
  }
  return undefined;
}
