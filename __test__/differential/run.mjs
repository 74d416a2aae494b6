import { minimize } from '../random/expression.mjs';
import { Random } from '../random/prng.mjs';

/**
 * Runs cases `from … from + n` of a seed and yields every difference, already minimized. `tick` is called with the
 * number of cases done.
 */
export function* differences(area, { seed, from = 0, n, tick = () => {} }) {
  for (let index = from; index < from + n; index++) {
    tick(index - from);
    const subject = area.generate(new Random(seed, index));
    const words = area.difference(subject);
    if (words === undefined) continue;
    const differs = expression => area.difference({ ...subject, expression }) !== undefined;
    const smallest = { ...subject, expression: minimize(subject.expression, differs) };
    yield { index, words: area.difference(smallest), input: area.print(smallest) };
  }
}
