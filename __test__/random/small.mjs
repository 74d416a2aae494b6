// JSON values of at most about a kilobyte, made so quickly that millions of them can be compared: what `request.mjs` and
// `record.mjs` draw, without the forms that only JavaScript has and without the sizes that take long.
import { seal } from '../reference/records.mjs';
import { anyNumber } from './number.mjs';
import { anyKeys, changed, HMAC_KEY, SIGNER } from './record.mjs';
import { anyKey } from './request.mjs';
import { anyText, label } from './text.mjs';

const MOST = 1024;

const text = random => anyText(random).slice(0, 80);

function value(random, room) {
  const kind = random.below(room > 0 ? 16 : 10);
  if (kind < 6) return text(random);
  if (kind < 9) return anyNumber(random);
  if (kind < 10) return random.pick([null, true, false]);
  if (kind < 12) return random.list(random.below(4), () => value(random, room - 1));
  return object(random, random.below(4), room - 1);
}

function object(random, length, room) {
  const result = {};
  for (let left = length; left > 0; left -= 1) result[anyKey(random).slice(0, 40)] = value(random, room);
  return result;
}

const message = random => ({
  role: label(random),
  content: random.oneIn(3) ? [{ type: 'text', text: text(random) }] : text(random),
  ...(random.oneIn(2) && object(random, 1, 2)),
});

const schema = random => ({ name: label(random), ...(random.oneIn(2) && { parameters: object(random, 2, 1) }) });

const modelRequest = random => ({
  kind: 'model',
  provider: label(random),
  model_id: label(random),
  messages: random.list(random.below(4), () => message(random)),
  ...(random.oneIn(3) && { tool_schemas: random.list(random.below(4), () => schema(random)) }),
  ...(random.oneIn(2) && { [random.pick(['temperature', 'seed', 'tool_choice', 'top_k', 'x'])]: value(random, 1) }),
});

const toolRequest = random => ({ kind: 'tool', tool_name: text(random), args: value(random, 3) });

/** The text of what `make` gives, made anew until it is short. */
function smallText(random, make) {
  for (;;) {
    const made = JSON.stringify(make(random));
    if (made.length <= MOST) return made;
  }
}

/** The text of a request, of any kind that is hashed. */
export const requestText = random => smallText(random, random.oneIn(3) ? toolRequest : modelRequest);

/** The text of a value for `stateHash`. */
export const stateText = random => smallText(random, () => object(random, random.between(1, 4), 3));

const EVENTS = [
  [
    4,
    random => ({
      type: 'llm',
      model: { provider: 'p', model_id: random.pick(['m', null, 7]) },
      request: value(random, 2),
      response: value(random, 1),
      ...(random.oneIn(4) && { error: random.pick([null, { message: 'm' }, 0, '']) }),
    }),
  ],
  [3, random => ({ type: 'tool', tool_name: label(random), input: value(random, 2), output: value(random, 1) })],
  [2, random => ({ type: 'env', kind: 'now', key: `k${random.below(3)}`, output: anyNumber(random) })],
  [1, random => ({ type: 'run', phase: 'end', run_id: 'r', status: 'success', output: value(random, 1) })],
  [1, random => object(random, 2, 1)],
];

const PROJECTIONS = [{ keep: ['a'] }, { drop: ['a', 'b.a'] }, { keep: ['b', 'a.b'], drop: ['b.c'] }];

function event(random, index) {
  const made = { ...random.weighted(EVENTS)(random) };
  if (!random.oneIn(4)) made.seq = random.oneIn(5) ? anyNumber(random) : index;
  if (random.oneIn(8)) made.key_projection = random.pick(PROJECTIONS);
  return made;
}

const KEYS = { unsigned: [{}], signed: [{ privateKey: SIGNER.privateKey }, { hmacKey: HMAC_KEY }] };

/** The text of an unsigned or signed record, as it was sealed or with a member replaced, dropped or moved. */
const recordText = (random, kind) =>
  smallText(random, () => {
    const events = random.list(random.below(4), index => event(random, index));
    const end = events.find(({ type }) => type === 'run');
    const run = { run_id: 'r', status: 'success', output: end?.output ?? null, error: null };
    const [json, summary] = JSON.parse(JSON.stringify([events, run]));
    return changed(seal(json, summary, { runId: 'r', ...random.pick(KEYS[kind]) }), random);
  });

/** A record, in the form in which it is verified, and with what keys. */
export const verification = (random, kind) => ({
  expression: { type: 'text', value: recordText(random, kind) },
  form: random.pick(['text', 'bytes', 'object']),
  ...anyKeys(random),
});
