// Check digits, written the slow way on purpose: the corpus must not share a mistake with the matchers.

/** `payload` and its Luhn digit. */
export function withLuhn(payload) {
  const passes = number => {
    let sum = 0;
    for (let place = 1; place <= number.length; place++) {
      const digit = Number(number.at(-place));
      const doubled = digit * 2;
      sum += place % 2 === 1 ? digit : Math.floor(doubled / 10) + (doubled % 10);
    }
    return sum % 10 === 0;
  };
  for (let digit = 0; digit < 10; digit++) {
    if (passes(`${payload}${digit}`)) return `${payload}${digit}`;
  }
  throw new Error('there is always one');
}

/** An IBAN of this country for an account: its check digits by ISO 7064, MOD 97-10. */
export function iban(country, account) {
  const value = BigInt([...`${account}${country}00`].map(character => Number.parseInt(character, 36)).join(''));
  return `${country}${String(98n - (value % 97n)).padStart(2, '0')}${account}`;
}
