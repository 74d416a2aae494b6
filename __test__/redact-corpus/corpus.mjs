// Made-up texts for each matcher of the extended preset and each opt-in: some hold what it finds, some only look so.
import { Random } from '../random/prng.mjs';
import { words } from './draw.mjs';
import { keys } from './keys.mjs';
import { network } from './network.mjs';
import { personal } from './personal.mjs';
import { secrets } from './secrets.mjs';

/** What each matcher is tested with: functions that make a positive or a look-alike. */
const formats = { ...keys, ...secrets, ...personal, ...network };

/** The corpus is the same in every run. */
const SEED = 20_260_614;

/** How many of each kind a matcher has. */
export const SIZE = 120;

/** What may stand around: nothing, prose, JSON, a log line, a table, the source text of a string. */
const CONTEXTS = [
  ['', ''],
  ['', '.'],
  [' (', ') '],
  ['value: ', '\n'],
  ['{"note":"', '"}'],
  ["'", "',"],
  ['| a | ', ' | b |'],
  ['\t', '\t'],
  ['level=info msg="', '"'],
  ['first line\\n', '\\nlast line'],
];

function inContext(random, text) {
  const [before, after] = random.pick(CONTEXTS);
  const prose = random.oneIn(3) ? `${words(random, 3)} ` : '';
  return { before: `${prose}${before}`, text, after };
}

/**
 * A text and what is to be found in it. What is made is what this matcher finds, or a list: what stands before it, it,
 * what stands after it. Before it may stand a list too, of texts and of `{matcher: text}`, which others find.
 */
function positive(random, matcher, make) {
  const made = make(random);
  const { before, after } = inContext(random, '');
  const findings = [];
  let text = before;
  const [lead, own, rest] = typeof made === 'string' ? ['', made, ''] : made;
  for (const part of [lead, { [matcher]: own }, rest].flat()) {
    const [[name, piece]] = typeof part === 'string' ? [['', part]] : Object.entries(part);
    if (name !== '') findings.push({ matcher: name, start: text.length, end: text.length + piece.length });
    text += piece;
  }
  return { text: text + after, findings };
}

function negative(random, make) {
  const { before, text, after } = inContext(random, make(random));
  return before + text + after;
}

/** For each matcher `{positives: [{text, findings}], negatives: [text]}`. */
export const corpus = Object.fromEntries(
  Object.entries(formats).map(([matcher, { positives, negatives }], index) => {
    const random = new Random(SEED, index);
    const turns = Array.from({ length: SIZE }, (_, turn) => turn);
    return [
      matcher,
      {
        positives: turns.map(turn => positive(random, matcher, positives[turn % positives.length])),
        negatives: turns.map(turn => negative(random, negatives[turn % negatives.length])),
      },
    ];
  }),
);
