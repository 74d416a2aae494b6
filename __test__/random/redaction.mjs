// Random texts that aim at the edges of the redaction patterns, values that hold them, and configurations.
import { ARRAY_FORMS, OBJECT_FORMS, TEXT_FORMS } from './expression.mjs';
import { anyState } from './request.mjs';

const draw = (random, alphabet, length) => random.list(length, () => random.pick(alphabet)).join('');
const near = (random, length) => Math.max(0, length + random.between(-3, 3));
const digits = (random, length) => draw(random, '0123456789', length);

/** Characters beside which `\w`, `\d`, `\s` and `\b` are easily got wrong. */
const ODD = [
  ...[
    '\u00a0',
    '\u2028',
    '\ufeff',
    '\u0661',
    '\uff11',
    'é',
    'ß',
    '\ud800',
    '\udc00',
    '😀',
    '\u200b',
    '\u180e',
    '\u0085',
  ],
  ...['\0', '\u212a', '\u017f', '\u3000', '\u1680', '\n', '\t', '\v', '\u001c'],
];

function luhnDigit(payload) {
  const sum = [...payload].reverse().reduce((sum, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return sum + (value > 9 ? value - 9 : value);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}

const ISSUERS = [
  '4',
  '51',
  '55',
  '50',
  '56',
  '22',
  '27',
  '21',
  '28',
  '34',
  '37',
  '36',
  '6011',
  '6010',
  '65',
  '62',
  '35',
  '1',
  '',
];
function card(random) {
  let number = random.pick(ISSUERS);
  number += digits(random, Math.max(0, random.pick([12, 13, 14, 15, 16, 16, 19, 20]) - number.length - 1));
  number += random.oneIn(5) ? digits(random, 1) : luhnDigit(number);
  const separator = random.pick(['', '', '-', ' ', ' ', '.', '--', ' -']);
  const group = random.pick([4, 4, 4, 3, 5, 1]);
  return separator === '' ? number : number.match(new RegExp(`.{1,${group}}`, 'g')).join(separator);
}

const phone = random =>
  [
    random.pick(['+', '', '', '(', '+(', '-', '.']) + digits(random, random.below(5)),
    random.pick([' ', '-', '.', ')', ') ', ')(', '', '  ']) + digits(random, random.below(6)),
    random.pick([' ', '-', '.', '', ' (']) + digits(random, random.below(6)),
    random.pick([' ', '-', '.', '', ') ']) + digits(random, random.below(6)),
    random.pick(['', '', '-', '_', 'a', ' ', 'é']),
  ].join('');

const email = random =>
  `${draw(random, 'a', near(random, 64))}@${draw(random, 'b', near(random, 63))}${random.pick(['.', '', '..'])}` +
  `${draw(random, 'c', near(random, 63))}${random.pick(['', '.', '.d', '@e.f', '-'])}`;

const secretKey = random =>
  `${random.pick(['sk', 'pk', 'rk', 'k'])}${random.pick('-_')}${random.pick(['', 'live', 'test', 'liv'])}` +
  `${random.pick(['', '-', '_'])}${draw(random, 'abcXYZ012', near(random, 12))}${random.pick(['', '-', '_', ' ', '.'])}`;

const FOUND = [
  ...['a@b.co', 'Bearer abc.def', 'sk-abcdefghijkl', '4111 1111 1111 1111', '378282246310005', '555-123-4567'],
  ...['+44 20 7946 0958', '(555) 123-4567', 'eyJhbGciOiJI.eyJzdWIiOiJ4.c2lnbmF0dXJl', `AKIA${'A'.repeat(16)}`],
  ...['xoxb-abcdefghij', 'ada@example.com', 'ada@example.com', '5555555555554444'],
];

const alphabet = (letters, most) => random => draw(random, letters, random.below(most));
const PIECES = [
  alphabet('0123456789 -', 60),
  alphabet('01 -.()+', 40),
  alphabet('0123456789     ---', 24),
  alphabet('4 -', 50),
  alphabet('ab@._+-', 40),
  alphabet('a@.', 30),
  alphabet('@._+-é ', 24),
  alphabet(['eyJ', '.', '-', '_', 'aaaaaaaa', 'bbbbbbb', 'eyJaaaaaaaa', '-eyJ', ' '], 14),
  alphabet('eyJ.-_aA', 60),
  alphabet(['sk', 'pk', 'rk', '-', '_', 'live', 'test', 'abcdefghijkl', 'abcdefg', '12345', 'x', ' ', 'Bearer '], 10),
  alphabet(
    ['Bearer', 'bearer', ' ', '\t', '\n', '\u00a0', '\ufeff', '=', '==', 'abc', '.', '-', '~', '+', '/', 'é'],
    12,
  ),
  alphabet(['xox', 'b', 'p', 'a', 'z', '-', 'abcdefghij', '-_-', 'x', ' '], 10),
  alphabet(['AKIA', 'ABCDEFGH', '0123456789', 'A', 'a', '_', ' ', 'IA', 'K'], 10),
  random => `AKIA${draw(random, '0123456789ABCXYZ', near(random, 16))}${random.pick(['', '_', 'a', '-'])}`,
  alphabet('0123456789abcdef-', 40),
  alphabet(' abcdefghijklmnopqrstuvwxyz', 90),
  alphabet(ODD, 5),
  card,
  random => card(random) + random.pick([' ', '-', '', 'a', '_', '.']) + card(random),
  phone,
  random => phone(random) + random.pick([' ', '', '-', '.', ',']) + phone(random),
  email,
  secretKey,
  random => `2026-06-14T02:47:1${random.below(10)}.${digits(random, 3)}Z`,
  random =>
    random.pick(['[redacted:email:0]', '[redacted:card:1]', 'redacted:token:12', '[', ']', ':', '[redacted:phone:']),
  random => random.pick(FOUND),
  random => random.pick(FOUND),
];

const JOINTS = [' ', '', '', '-', ',', '\n', '_', '\\n', '\0'];

function mutated(random, text) {
  for (let times = random.below(4); times > 0; times--) {
    const at = random.below(text.length + 1);
    const inserted = random.oneIn(2) ? draw(random, '0123456789 -.@_+()eyJsk', random.between(1, 2)) : '';
    text =
      text.slice(0, at) + (inserted || (random.oneIn(3) ? random.pick(ODD) : '')) + text.slice(at + random.below(2));
  }
  return text;
}

/** A text at the edges of the patterns. */
export function sensitiveText(random) {
  const pieces = random.list(random.between(1, 4), () => random.pick(PIECES)(random) + random.pick(JOINTS));
  const text = random.oneIn(2) ? mutated(random, pieces.join('')) : pieces.join('');
  // Short texts cross the boundary together, long ones alone.
  return random.oneIn(20) ? text + ' '.repeat(random.between(200, 300)) + text : text;
}

const form = (random, forms) => (random.oneIn(10) ? random.pick(Object.keys(forms)) : undefined);
const text = random => ({ type: 'text', value: sensitiveText(random), form: form(random, TEXT_FORMS) });

const KEYS = [
  ...['a', 'b', 'x', 'y', 'to', 'ssn', 'a.b', 'a[0]', '', '0', '1', '10', 'toJSON', '__proto__', 'constructor', 'é'],
  ...['headers', 'authorization', 'content', 'content', 'role', 'b[1]', 'x.y', '[0]', '\ud800', 'toString', 'a@b.co'],
];

/** A value that holds such texts. */
export function sensitiveValue(random, depth = 0) {
  if (depth > 3 || random.oneIn(3)) return random.oneIn(6) ? anyState(random) : text(random);
  const length = random.below(5);
  if (random.oneIn(3)) {
    const item = () => (random.oneIn(12) ? undefined : sensitiveValue(random, depth + 1));
    return { type: 'array', items: random.list(length, item), form: form(random, ARRAY_FORMS) };
  }
  const entry = () => [random.pick(KEYS), sensitiveValue(random, depth + 1)];
  const entries = [...new Map(random.list(length, entry))];
  return { type: 'object', entries, form: form(random, OBJECT_FORMS) };
}

const FIELDS = [
  ...[
    'a',
    'b',
    'ssn',
    'to',
    '',
    'a.b',
    'a[0]',
    '[0]',
    '[0][0]',
    'x.y',
    'headers.authorization',
    'b[1].ssn',
    '__proto__',
  ],
  ...['a.a.a', '.', '[', 'é', 'a.', '.a', 'toJSON', 'content', 'a.b.a', 'constructor', 'A', 'x.y.a'],
];
const SOURCES = [
  ...[
    '\\d+',
    'a',
    'redacted',
    'card',
    '[redacted:email:0]',
    '',
    'x*',
    '(?=a)',
    '\\b',
    '^.',
    '.$',
    '(?<![\\w])\\w',
    '(a)|b',
  ],
  ...[
    '(?<n>\\d)\\k<n>',
    '\\s',
    '[^a-z ]',
    '.',
    'e-?mail',
    '\\w+@\\w+',
    '😀',
    '\\ud83d',
    '^',
    '$',
    'k',
    '\\p{L}',
    '[a&&b]',
  ],
];
const FLAGS = ['g', 'g', 'g', '', 'gi', 'gu', 'y', 'gy', 'gm', 's', 'd', 'gs', 'i', 'giu', 'gv', 'uv', 'q'];

/** A configuration, as JSON has it. */
export function redactConfig(random) {
  const config = {};
  if (random.oneIn(3)) config.preset = random.pick(['default', 'default', 'none', null]);
  if (random.oneIn(2)) config.fields = random.list(random.below(3), () => random.pick(FIELDS));
  if (random.oneIn(2)) {
    const pattern = () => ({ source: random.pick(SOURCES), flags: random.pick(FLAGS) });
    config.custom = random.list(random.below(3), pattern);
  }
  return config;
}
