// Addresses of machines.
import { digits, draw, HEX, number, uuid } from './draw.mjs';

const octet = random => random.below(256);
const octets = random => random.list(4, () => octet(random)).join('.');
const pairs = (random, separator) => random.list(6, () => draw(random, HEX, 2)).join(separator);
const group = random => draw(random, HEX, random.between(1, 4));
const groups = (random, count) => random.list(count, () => group(random)).join(':');

export const network = {
  ipv4: {
    positives: [
      octets,
      random => ['at ', octets(random), `:${random.between(1, 65535)}`],
      random => ['', octets(random), '/24'],
    ],
    negatives: [
      random => `v${octets(random)}`,
      random => `version ${octets(random)}`,
      random => `${octets(random)}.${octet(random)}`,
      random => `${octet(random)}.${octet(random)}.${octet(random)}`,
      random => `${octet(random)}.${octet(random)}.${octet(random)}.${random.between(256, 999)}`,
      random => `${octet(random)}.${octet(random)}.0${random.between(1, 9)}.${octet(random)}`,
      random => `lib-${octets(random)}`,
      random => `${octets(random)}a`,
      random => `${number(random, 2)}.${digits(random, 10)}`,
    ],
  },
  ipv6: {
    positives: [
      random => groups(random, 8),
      random => `2001:db8::${number(random, 2)}`,
      random => `fe80::${groups(random, 3)}${number(random, 1)}`.replace(/:([^:]{5,})$/, ':1'),
      random => `::ffff:${octets(random)}`,
      random => ['[', `2001:db8:${number(random, 3)}::1`, ']:443'],
      () => '::1',
    ],
    negatives: [
      random => `${random.between(10, 23)}:${random.between(10, 59)}:${random.between(10, 59)}`,
      () => 'std::vector',
      () => 'dead::beef',
      random => groups(random, 7),
      random => groups(random, 9),
      random => `${group(random)}::${group(random)}::1`,
      random => `ratio ${number(random, 2)}:${number(random, 2)}`,
      random => `fe80::${number(random, 5)}`,
      () => 'a:1',
      uuid,
    ],
  },
  mac: {
    positives: [random => pairs(random, ':'), random => pairs(random, '-'), random => pairs(random, ':').toUpperCase()],
    negatives: [
      random => `${pairs(random, ':')}:${draw(random, HEX, 2)}`,
      random => pairs(random, ':').slice(3),
      random => pairs(random, ':').replace(':', '-'),
      random => `x${pairs(random, ':')}`,
      random => pairs(random, '.'),
      random => pairs(random, ''),
      random => `${random.between(10, 23)}:${random.between(10, 59)}:${random.between(10, 59)}`,
      uuid,
    ],
  },
};
