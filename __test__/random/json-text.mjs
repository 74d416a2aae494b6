// Random JSON texts, good and broken, and what a value holds as bytes.

const SPACES = ['', '', '', '', '', '', ' ', '\n', '\r\n\t', '  '];
const ODD_SPACES = ['\u00a0', '\ufeff', '\v', '\f', '\u2028', '\0', '\u0085'];
const RUNS = [
  'a',
  'é',
  '€',
  '\u{1f600}',
  'ab c',
  '\ud83d',
  '\ude00',
  '\ud800',
  '\udfff',
  '\u2028',
  '\u007f',
  '/',
  'plain text that goes on ',
];
const ESCAPES = [
  '\\"',
  '\\\\',
  '\\/',
  '\\b',
  '\\f',
  '\\n',
  '\\r',
  '\\t',
  '\\u0000',
  '\\u00e9',
  '\\u20AC',
  '\\uD83D',
  '\\ude00',
  '\\ud83d\\ude00',
  '\\ufffe',
];
const KEYS = [
  '"a"',
  '"b"',
  '"\\u0061"',
  '""',
  '"0"',
  '"1"',
  '"10"',
  '"01"',
  '"-1"',
  '"4294967294"',
  '"4294967295"',
  '"4294967296"',
  '"9007199254740991"',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '"1.5"',
  '"long-key-shared-1"',
  '"long-key-shared-2"',
  '"é"',
  '"\\ud800"',
];
const NUMBERS = [
  '0',
  '-0',
  '-0.0',
  '1',
  '-1',
  '1e400',
  '-1e400',
  '5e-324',
  '2e-324',
  '1e-400',
  '9007199254740993',
  '0.1',
  '123456789012345678901234567890',
  '1.7976931348623159e308',
  '2.2250738585072011e-308',
  '1E+2',
  '0e0',
  '0e99999999999',
  '4.35',
  '0.000001',
  '8.5e22',
  '1e23',
  '9999999999999999999',
  '18446744073709551616',
];
const BREAKS = [
  '',
  ',',
  ':',
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  '0',
  '-',
  '.',
  'e',
  'E',
  '+',
  'u',
  '\\u',
  '\\x',
  'tru',
  'null',
  '\n',
  '\x1f',
  ' ',
  "'",
  '/**/',
  'NaN',
  'Infinity',
  ...ODD_SPACES,
];

const often = (random, probability) => random.below(1000) < probability * 1000;

/** Up to `bound` things, small numbers more often. */
const few = (random, bound, make) => random.list(random.below(random.below(bound + 1) + 1), make);

const space = random => random.pick(SPACES);

function number(random) {
  if (often(random, 0.3)) return random.pick(NUMBERS);
  const digits = bound => Array.from({ length: 1 + random.below(bound) }, () => random.below(10)).join('');
  const integer = often(random, 0.2) ? '0' : digits(random.pick([3, 18, 25])).replace(/^0+(?=.)/, '');
  const fraction = often(random, 0.5) ? `.${digits(random.pick([2, 20]))}` : '';
  const exponent = often(random, 0.3) ? random.pick(['e', 'E']) + random.pick(['', '+', '-']) + digits(3) : '';
  return (often(random, 0.3) ? '-' : '') + integer + fraction + exponent;
}

function string(random) {
  const part = () =>
    often(random, 0.4) ? random.pick(ESCAPES) : random.pick(RUNS).repeat(random.pick([1, 1, 2, 7, 40]));
  return `"${few(random, 8, part).join('')}"`;
}

function value(random, depth) {
  const kind = random.below(depth > 5 ? 4 : 8);
  const list = (open, item, close) =>
    open +
    space(random) +
    few(random, often(random, 0.05) ? 40 : 6, item).join(`${space(random)},${space(random)}`) +
    space(random) +
    close;
  if (kind === 0) return random.pick(['null', 'true', 'false']);
  if (kind === 1) return number(random);
  if (kind < 4) return string(random);
  if (kind < 6) return list('[', () => value(random, depth + 1), ']');
  const key = () =>
    often(random, 0.6) ? random.pick(KEYS) : often(random, 0.3) ? `"${number(random)}"` : string(random);
  return list('{', () => `${key()}${space(random)}:${space(random)}${value(random, depth + 1)}`, '}');
}

/** A text; more than half are broken in one or two places. */
export function randomText(random) {
  let text = space(random) + value(random, 0) + space(random);
  for (let breaks = random.pick([0, 0, 1, 1, 2]); breaks > 0; breaks -= 1) {
    const at = random.below(text.length + 1);
    text = text.slice(0, at) + random.pick(BREAKS) + text.slice(at + random.pick([0, 1, 1, 3]));
  }
  return text;
}

/** The WTF-8 bytes of a string: UTF-8, and a lone surrogate in three bytes. */
export function wtf8(text) {
  return Buffer.concat(
    text.split(/([\ud800-\udfff])/u).map((part, at) => {
      if (at % 2 === 0) return Buffer.from(part);
      const unit = part.charCodeAt(0);
      return Buffer.from([0xed, 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]);
    }),
  );
}

/** A parsed value, bit for bit and in the order of its own entries. */
export function dump(value) {
  const parts = [];
  const string = text => {
    const bytes = wtf8(text);
    const head = Buffer.alloc(4);
    head.writeUInt32LE(bytes.length);
    parts.push(head, bytes);
  };
  const tag = text => parts.push(Buffer.from(text));
  const walk = value => {
    if (value === null) tag('n');
    else if (typeof value === 'boolean') tag(value ? 't' : 'f');
    else if (typeof value === 'number') {
      const bits = Buffer.alloc(8);
      bits.writeDoubleLE(value);
      parts.push(Buffer.from('d'), bits);
    } else if (typeof value === 'string') {
      tag('s');
      string(value);
    } else {
      tag(Array.isArray(value) ? '[' : '{');
      if (Array.isArray(value)) value.forEach(walk);
      else
        for (const key of Object.keys(value)) {
          string(key);
          walk(value[key]);
        }
      tag('.');
    }
  };
  walk(value);
  return Buffer.concat(parts);
}
