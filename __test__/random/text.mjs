// Random strings that aim at the rules of text normalization: what NFC changes, what is white space and what only
// looks like it, fences, line ends, media, and the places where a vectorized scan changes blocks.

const range = (first, last) => Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i));

const WHITE_SPACE = [...'\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff', ...range(0x2000, 0x200a)];
const LOOK_ALIKES = [
  ...'\u0085\u180e\u200b\u200c\u200d\u2060\u00ad\u2800\u3164\u115f\u001c\u001d\u001e\u001f\u0000\u0008\u007f',
];
const ESCAPED = [...'"\\/\b\f\n\r\t\u0000\u0001\u001f\u007f\u0080\u009f\u2028\u2029'];
const NONCHARACTERS = ['\ufffe', '\uffff', '\ufdd0', '\u{1fffe}', '\u{10ffff}', '\ufffd'];
const JAMO = [...range(0x1100, 0x1113), ...range(0x1161, 0x1176), ...range(0x11a7, 0x11c3), '가', '각', '힣', '\ud7a4'];

const codePoints = [];
for (let code = 0; code <= 0x10ffff; code++) {
  if (code < 0xd800 || code > 0xdfff) codePoints.push(code);
}
const having = test => codePoints.filter(test).map(code => String.fromCodePoint(code));
const MARKS = having(code => /\p{M}/u.test(String.fromCodePoint(code)));
const CHANGED_BY_NFC = having(code => {
  const text = String.fromCodePoint(code);
  return text.normalize('NFC') !== text;
});
const DECOMPOSABLE = having(code => {
  const text = String.fromCodePoint(code);
  return text.normalize('NFD') !== text;
});
/** The second halves of canonical pairs: what may join the character before it. */
const JOINING = [...new Set(DECOMPOSABLE.flatMap(text => [...text.normalize('NFD')].slice(1)))];

const latin = random => String.fromCharCode(random.between(0x20, 0x7e));
const astral = random => String.fromCodePoint(random.between(0x10000, 0x10ffff));
const surrogate = random => String.fromCharCode(random.between(0xd800, 0xdfff));

const CHARACTERS = [
  [6, latin],
  [3, random => random.pick(WHITE_SPACE)],
  [2, random => random.pick(LOOK_ALIKES)],
  [2, random => random.pick(ESCAPED)],
  [2, random => String.fromCharCode(random.between(0x80, 0x17f))],
  [2, random => String.fromCharCode(random.between(0x180, 0xd7ff))],
  [1, random => String.fromCharCode(random.between(0xe000, 0xffff))],
  [2, astral],
  [1, random => random.pick(['😀', '👩‍👩‍👧', '🏳️‍🌈', '漢', 'é', 'ß', '“', '”', '—', '…', 'Å', 'K', 'Ω'])],
  [2, random => random.pick(MARKS)],
  [2, random => random.pick(JOINING)],
  [1, random => random.pick(CHANGED_BY_NFC)],
  [1, random => random.pick(DECOMPOSABLE)],
  [1, random => random.pick(DECOMPOSABLE).normalize('NFD')],
  [1, random => random.pick(JAMO)],
  [1, surrogate],
  [1, random => random.pick(NONCHARACTERS)],
];

const characters = (random, most) =>
  random.list(random.between(1, most), () => random.weighted(CHARACTERS)(random)).join('');

const WORDS = 'the agent asks for a tool and reads what it says: {"a": [1, 2]}, - item, 1. first; end'.split(' ');
const words = random => random.list(random.between(1, 8), () => random.pick(WORDS)).join(random.pick([' ', ' ', '  ']));

const LINE_ENDS = ['\n', '\n', '\n\n', '\r\n', '\r', '\r\r\n', '\n\r', ' \n', '\t\n ', '\n\n\n', '\u2028', '\u0085'];
const lineEnd = random => random.pick(LINE_ENDS);

// U+1FEF is canonically a backtick, so it makes a fence too.
const TICKS = ['```', '```', '```', '``', '`', '````', '`````', '``````', '\u1fef``', '`\u1fef`', '\u1fef\u1fef\u1fef'];
function fence(random) {
  const before = random.pick(['', '', ' ', '  ', '\n', '\r\n', '> ', 'text ', '\u3000', '\u0301']);
  const info = random.pick(['', 'js', 'py  x', '\n', '\r\n', ' ', '\u0301']);
  const body = random.pick([words(random), '\n  a  b\n', '', '\n\n', `\n${characters(random, 4)}\n`, ' \n\t\n']);
  const close = random.oneIn(5) ? '' : random.pick(TICKS);
  const after = random.pick(['', '', ' ', '\n', '\r', '  x', '\u0338', '`']);
  return before + random.pick(TICKS) + info + body + close + after;
}

/** A long run with one odd thing in it, at any distance from a block's edge. */
function run(random) {
  const unit = random.pick(['a', 'ab ', 'é', '漢', '“', 'x y', ' ', 'word ']);
  const length = random.pick([7, 8, 15, 16, 17, 31, 32, 33, 40, 41, 63, 64, 65, 127, 128, 129, 255, 256]);
  const text = unit.repeat(length).slice(0, length + random.below(4));
  const at = random.below(text.length + 1);
  return text.slice(0, at) + random.weighted(CHARACTERS)(random) + text.slice(at);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const alphabet = (random, length) => {
  let text = '';
  for (let i = 0; i < length; i++) text += ALPHABET[random.below(64)];
  return text;
};
const insert = (random, text, piece) => {
  const at = random.oneIn(3) ? text.length : random.below(text.length + 1);
  return text.slice(0, at) + piece + text.slice(at);
};

const ODD_IN_BASE64 = [
  ...WHITE_SPACE,
  '\u202f',
  '\u205f',
  '\r\n',
  '=',
  '==',
  '-',
  '_',
  '\u0085',
  '\u200b',
  '%',
  '\0',
  'é',
];
function base64(random, length) {
  const unit = alphabet(random, random.between(1, 90));
  let text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  for (let i = random.below(4); i > 0; i--) text = insert(random, text, random.pick(ODD_IN_BASE64));
  return text + random.pick(['', '', '=', '==', '===', '\n', '= ', '=\n=']);
}

const SCHEMES = ['data:image/png;base64,', 'data:;base64,', 'data:;base64,', 'data:a\nb;base64,', 'DATA:;base64,'];
const NEAR_SCHEMES = [
  'data:text/plain;charset=utf-8;base64,',
  ' data:;base64,',
  'data:,base64,',
  'data:image/png,',
  'data:;base64;,',
];
function dataUrl(random) {
  const scheme = random.oneIn(6) ? random.pick(NEAR_SCHEMES) : random.pick(SCHEMES);
  return scheme + base64(random, random.pick([0, 1, 2, 3, 4, 8, 30, random.below(200)]));
}

const nearLimit = random => base64(random, random.between(1015, 1030));
const blankNearLimit = random => random.pick(WHITE_SPACE).repeat(random.between(1022, 1025));

const PIECES = [
  [8, words],
  [5, lineEnd],
  [4, random => characters(random, 8)],
  [4, fence],
  [2, run],
  [1, random => random.pick(WHITE_SPACE).repeat(random.between(1, 5))],
  [1, dataUrl],
];
const pieces = random => random.list(random.between(1, 7), () => random.weighted(PIECES)(random)).join('');

const TEXTS = [
  [10, pieces],
  [6, words],
  [4, random => characters(random, 6)],
  [2, run],
  [2, dataUrl],
  [1, nearLimit],
  [1, random => (random.oneIn(4) ? blankNearLimit(random) : '')],
  [1, random => (random.oneIn(20) ? pieces(random).repeat(random.between(20, 300)) : lineEnd(random))],
];

/** Any string at all. */
export const anyText = random => random.weighted(TEXTS)(random);

/** A short name: what stands under `role`, `name`, `type`. */
export const label = random =>
  random.pick([
    'user',
    'assistant',
    'tool',
    'text',
    'search',
    'read_file',
    'a',
    'A',
    'b',
    '',
    '_',
    'é',
    'e\u0301',
    '10',
    '9',
  ]);

/** A short string of odd characters. */
export const oddText = random => characters(random, 4);
