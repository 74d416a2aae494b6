// The default preset as the regular expressions that were published. Their time may grow with the square of a text that
// was made for it, where that of the native matchers grows with its length.
import type { Pattern } from '../redact/config.js' with { 'resolution-mode': 'import' };

const DEFAULT: readonly Pattern[] = [
  { name: 'email', regExp: /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g },
  {
    name: 'token',
    regExp:
      /\b(?:Bearer\s+[\w.\-~+/]+=*|(?:sk|pk|rk)[-_](?:live|test)?[-_]?[A-Za-z0-9]{12,}|xox[baprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})/g,
  },
  { name: 'card', regExp: /\b(?:\d[ -]?){13,19}\b/g, accepts: isCard },
  {
    name: 'phone',
    regExp: /(?<![\w-])(?:\+\d{1,3}[ .-]?)?(?:\(\d{2,4}\)|\d{2,4})[ .-]\d{3,4}[ .-]?\d{3,4}(?![\w-])/g,
  },
];

function isCard(match: string): boolean {
  const digits = match.replace(/[ -]/g, '');
  return digits.length >= 13 && /^(?:4|5[1-5]|2[2-7]|34|37|6011|65|62|35)/.test(digits) && luhn(digits);
}

function luhn(digits: string): boolean {
  const weighted = [...digits].reverse().map((digit, place) => Number(digit) * (place % 2 === 1 ? 2 : 1));
  const sum = weighted.reduce((sum, value) => sum + (value > 9 ? value - 9 : value), 0);
  return sum % 10 === 0;
}

export = { DEFAULT };
