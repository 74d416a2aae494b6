// What identifies people: addresses, numbers, accounts.
import { iban, withLuhn } from './check-digits.mjs';
import { ALNUM, DIGITS, digits, draw, grouped, HEX, LOWER, number, UPPER, uuid, word, words } from './draw.mjs';

/** Numbers and names that are none of all this. */
const EVERYDAY = [
  uuid,
  random => uuid(random).replace(/[a-f]/g, () => draw(random, DIGITS, 1)),
  random => `2026-0${random.between(1, 9)}-${random.between(10, 28)}`,
  random => `2026-06-14T02:${random.between(10, 59)}:13.${digits(random, 3)}Z`,
  random => `14.06.2026 ${random.between(10, 23)}:47`,
  random => `v${random.below(20)}.${random.below(99)}.${random.below(999)}`,
  random => `${random.below(20)}.${random.below(99)}.${random.below(999)}-beta.${random.below(9)}`,
  random => `192.168.${random.below(256)}.${random.below(256)}`,
  random => `10.0.${random.below(256)}.${random.below(256)}:8080`,
  random => `build ${number(random, 4)}.${number(random, 3)}.${number(random, 4)}`,
  random => `build 1${digits(random, 9)}`,
  random => `order 1002-${number(random, 4)}-${number(random, 4)}`,
  random => `order number: ${number(random, 3)}-${number(random, 3)}-${number(random, 4)}`,
  random => `invoice ${number(random, 10)}`,
  random => `17${digits(random, 11)}`,
  random => `17${digits(random, 8)}`,
  random => `17${digits(random, 17)}`,
  random => draw(random, HEX, 40),
  random => draw(random, HEX, 7),
  random => `${number(random, 1)}.${digits(random, 15)}`,
  random => `-${number(random, 3)}.${digits(random, 6)}e-${random.between(10, 20)}`,
  random => `latencies ${number(random, 3)} ${number(random, 3)} ${number(random, 4)}`,
  random => `[${random.list(6, () => number(random, 4)).join(', ')}]`,
  random => `rows ${number(random, 3)}-${number(random, 3)}`,
  random => `pages ${number(random, 4)} - ${number(random, 4)}`,
  random => `$${number(random, 3)},${digits(random, 3)}.${digits(random, 2)}`,
  random => `+${random.between(10, 99)} %`,
  random => `UTC+0${random.between(1, 9)}:30`,
  random => `00 01 0${random.below(10)} 1a 2b 3c ff`,
  random => `ISBN 978-3-16-${digits(random, 6)}-${digits(random, 1)}`,
  random => `id_${number(random, 12)}`,
  random => `${word(random)}-${number(random, 8)}-${number(random, 2)}`,
];

const LOCALS = [
  random => word(random),
  random => `${word(random)}.${word(random)}`,
  random => `${word(random)}+${draw(random, LOWER, 3)}`,
  random => `${draw(random, LOWER, 1)}_${word(random)}${digits(random, 2)}`,
  random => `${random.pick(['josé', 'jürgen', 'анна', 'νίκος'])}.${word(random)}`,
  random => `o'${word(random)}`,
  random => draw(random, ALNUM, 60),
];
const DOMAINS = [
  random => `${word(random)}.com`,
  random => `mail.${word(random)}.co.uk`,
  random => `${word(random)}-${word(random)}.museum`,
  random => `1${word(random)}.io`,
  () => 'exämple.de',
  () => 'xn--exmple-cua.de',
];

const VISA = random => withLuhn(`4${digits(random, 14)}`);
const CARDS = [
  [VISA, [4, 4, 4, 4]],
  [random => withLuhn(`5${random.between(1, 5)}${digits(random, 13)}`), [4, 4, 4, 4]],
  [random => withLuhn(`2${random.between(23, 71)}${digits(random, 12)}`), [4, 4, 4, 4]],
  [random => withLuhn(`3${random.pick(['4', '7'])}${digits(random, 12)}`), [4, 6, 5]],
  [random => withLuhn(`36${digits(random, 11)}`), [4, 6, 4]],
  [random => withLuhn(`6011${digits(random, 11)}`), [4, 4, 4, 4]],
  [random => withLuhn(`65${digits(random, 13)}`), [4, 4, 4, 4]],
  [random => withLuhn(`35${random.between(28, 89)}${digits(random, 11)}`), [4, 4, 4, 4]],
  [random => withLuhn(`62${digits(random, 16)}`), [4, 4, 4, 4, 3]],
];
const card = separator => random => {
  const [make, sizes] = random.pick(CARDS);
  return grouped(make(random), sizes, separator);
};
const otherDigit = text => text.replace(/\d(?=\D*$)/, digit => String((Number(digit) + 1) % 10));

const ACCOUNTS = {
  DE: random => digits(random, 18),
  GB: random => draw(random, UPPER, 4) + digits(random, 14),
  FR: random => digits(random, 10) + draw(random, UPPER + DIGITS, 11) + digits(random, 2),
  NL: random => draw(random, UPPER, 4) + digits(random, 10),
  ES: random => digits(random, 20),
  NO: random => digits(random, 11),
  CH: random => digits(random, 5) + draw(random, UPPER + DIGITS, 12),
  PL: random => digits(random, 24),
  MT: random => draw(random, UPPER, 4) + digits(random, 5) + draw(random, UPPER + DIGITS, 18),
};
const anyIban = random => {
  const country = random.pick(Object.keys(ACCOUNTS));
  return iban(country, ACCOUNTS[country](random));
};
const inFours = (text, separator) => text.match(/.{1,4}/g).join(separator);

const ssn = random =>
  `${random
    .pick([random.between(1, 665), random.between(667, 899)])
    .toString()
    .padStart(3, '0')}-` +
  `${random.between(1, 99).toString().padStart(2, '0')}-${random.between(1, 9999).toString().padStart(4, '0')}`;

const nanp = random => [number(random, 3).replace(/^1/, '2'), number(random, 3).replace(/^1/, '3'), digits(random, 4)];

export const personal = {
  email: {
    positives: LOCALS.flatMap(local => DOMAINS.map(domain => random => `${local(random)}@${domain(random)}`)),
    negatives: [
      random => `@${word(random)}/${word(random)}`,
      random => `${word(random)}@${random.below(30)}.${random.below(30)}.${random.below(30)}`,
      random => `${word(random)}@^${random.below(30)}.0.0`,
      random => `${word(random)}@v${random.below(9)}.${random.below(9)}.rc`,
      random => `${word(random)}@${random.between(2, 3)}x.png`,
      random => `git@git.example.com:${word(random)}/${word(random)}.git`,
      random => `${word(random)}@localhost`,
      random => `@${word(random)}.setter`,
      random => `${word(random)} @ ${word(random)}.com`,
      random => `${word(random)}@`,
      random => `${word(random)}.@${word(random)}.com`,
      random => `${word(random)}@-${word(random)}.com`,
      random => `"${words(random, 2)}"@example.com`,
      () => 'a@b',
      ...EVERYDAY,
    ],
  },
  iban: {
    positives: [anyIban, random => inFours(anyIban(random), ' '), random => inFours(anyIban(random), '-')],
    negatives: [
      random => otherDigit(anyIban(random)),
      random => otherDigit(inFours(anyIban(random), ' ')),
      random => `${anyIban(random)}0`,
      random => anyIban(random).slice(0, -1),
      random => `X${anyIban(random)}`,
      random => anyIban(random).toLowerCase(),
      random => iban('ZZ', digits(random, 18)),
      random => `SKU ${draw(random, UPPER, 2)}${digits(random, 8)}`,
      ...EVERYDAY,
    ],
  },
  'us-ssn': {
    positives: [ssn],
    negatives: [
      random => `000-${number(random, 2)}-${number(random, 4)}`,
      random => `666-${number(random, 2)}-${number(random, 4)}`,
      random => `9${digits(random, 2)}-${number(random, 2)}-${number(random, 4)}`,
      random => `${number(random, 3).replace(/^9/, '8')}-00-${number(random, 4)}`,
      random => `${number(random, 3).replace(/^9/, '8')}-${number(random, 2)}-0000`,
      random => `${number(random, 1)}-${ssn(random)}`,
      random => `${ssn(random)}-${number(random, 1)}`,
      random => `${number(random, 1)}${ssn(random)}`,
      random => `${ssn(random)}${number(random, 1)}`,
      random => ssn(random).replaceAll('-', ''),
      random => ssn(random).replaceAll('-', '.'),
      ...EVERYDAY,
    ],
  },
  card: {
    positives: [card(''), card(' '), card('-'), card('.')],
    negatives: [
      random => otherDigit(card('')(random)),
      random => otherDigit(card(' ')(random)),
      random => otherDigit(card('-')(random)),
      random => withLuhn(`1${digits(random, 14)}`),
      random => withLuhn(`9${digits(random, 14)}`),
      random => withLuhn(`4${digits(random, 15)}`),
      random => grouped(VISA(random), [8, 8], ' '),
      random => grouped(VISA(random), [4, 4, 8], '-'),
      random => `0.${VISA(random)}`,
      random => `id${VISA(random)}`,
      random => `${VISA(random)}px`,
      random => `${VISA(random).slice(0, 8)}-${VISA(random).slice(8)}`,
      ...EVERYDAY,
    ],
  },
  phone: {
    positives: [
      random => `+1${nanp(random).join('')}`,
      random => `+1 ${nanp(random).join(' ')}`,
      random => `+1-${nanp(random).join('-')}`,
      random => `+1 (${nanp(random)[0]}) ${nanp(random).slice(1).join('-')}`,
      random => `(${nanp(random)[0]}) ${nanp(random).slice(1).join('-')}`,
      random => nanp(random).join('-'),
      random => nanp(random).join('.'),
      random => `1-${nanp(random).join('-')}`,
      random => `+44 20 ${number(random, 4)} ${digits(random, 4)}`,
      random => `+44 7${digits(random, 3)} ${digits(random, 6)}`,
      random => `+44 (0)20 ${number(random, 4)} ${digits(random, 4)}`,
      random => `+49 30 ${number(random, 7)}`,
      random => `+49 151 ${number(random, 8)}`,
      random => `+33 6 ${[0, 0, 0, 0].map(() => digits(random, 2)).join(' ')}`,
      random => `+34 6${digits(random, 2)} ${digits(random, 3)} ${digits(random, 3)}`,
      random => `+91 9${digits(random, 4)} ${digits(random, 5)}`,
      random => `+81 90-${number(random, 4)}-${digits(random, 4)}`,
      random => `+5511 9${digits(random, 4)}-${digits(random, 4)}`,
      random => `+86138${digits(random, 8)}`,
      random => `+353 87 ${digits(random, 3)} ${digits(random, 4)}`,
      random => `020 ${number(random, 4)} ${digits(random, 4)}`,
      random => `07${digits(random, 3)} ${digits(random, 6)}`,
      random => `030 ${number(random, 7)}`,
      random => ['phone: ', [number(random, 3), digits(random, 3), digits(random, 4)].join(' '), ''],
      random => ['Tel. ', `0${number(random, 1)} ${random.list(4, () => digits(random, 2)).join(' ')}`, ''],
    ],
    negatives: [
      random => `+${number(random, 5)}`,
      random => `+1 ${number(random, 3)}`,
      random => `x${nanp(random).join('-')}`,
      random => `${nanp(random).join('-')}x`,
      random => `${nanp(random).join('-')}-${number(random, 3)}`,
      random => `0.${nanp(random).join('.')}`,
      random => `case ${nanp(random).join('-')}`,
      random => `ticket #${nanp(random).join('-')}`,
      random => `${number(random, 3)} ${number(random, 3)} ${number(random, 4)}`,
      random => nanp(random).join(''),
      random => `call 2026-0${random.between(1, 9)}-${random.between(10, 28)}`,
      random => `${number(random, 2)}-${number(random, 3)}-${number(random, 5)}`,
      ssn,
      card(' '),
      ...EVERYDAY,
    ],
  },
};
