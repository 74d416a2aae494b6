// Random changes to the text of a sealed record, and the reasons for which a changed record may stay valid.
import { canonicalText } from '../reference/records.mjs';

const INSERTED = [...'0123456789abcdefxyz"\\{}[],:. \n\t-+eE', 'null', '\u00e9', '"a":1,', ',0'];

/** Flips, drops, swaps, inserts, replaces or truncates at a random place. */
export function mutate(text, random) {
  const at = random.below(text.length);
  const before = text.slice(0, at);
  const after = text.slice(at + 1);
  return random.weighted([
    [4, () => before + String.fromCharCode(text.charCodeAt(at) ^ (1 << random.below(7))) + after],
    [3, () => before + text.slice(at + random.between(1, random.pick([1, 3, 40])))],
    [2, () => before + (after[0] ?? '') + text[at] + after.slice(1)],
    [3, () => before + random.pick(INSERTED) + text[at] + after],
    [4, () => before + random.pick(INSERTED) + after],
    [1, () => before],
  ])();
}

const bare = ({ _hash, ...event }) => canonicalText(event);

/** What is signed or checked, as text: two records that differ here must not both be valid. */
function truth({ $schema, manifest, run, events }) {
  const end = events.find(({ type, phase }) => type === 'run' && phase === 'end');
  const agrees = field => !end || run?.[field] === undefined || canonicalText(run[field]) === canonicalText(end[field]);
  return JSON.stringify([
    events.map(bare),
    events.map(({ _hash }) => _hash),
    manifest.content_digest,
    manifest.replay.cassette_digest,
    ['status', 'output', 'error'].map(agrees),
    ['runback.audit/v2', 'runback.cassette/v1'].includes($schema),
  ]);
}

/** Members that no check covers: whoever reads them must not trust them. */
const UNCOVERED = [
  [/^\/(manifest|run)\/run_id$/, 'a run_id that no check covers'],
  [
    /^\/manifest\/(generated_at|event_count|algorithm|signed|verify|spec_url|verifier_url)$/,
    'manifest: what no check covers',
  ],
  [/^\/manifest\/replay\/(entry_count|algorithm|note)$/, 'manifest: what no check covers'],
  [/^\/manifest\/signature\/value$/, 'case of hex digits'],
  [/^\/manifest\/signature\/pubkey$/, 'text of the same key'],
  [/^\/run\/(status|output|error)$/, 'run: a field that is not there is not checked'],
  [/^\/run$/, 'run: a field that is not there is not checked'],
  [/^\/\$schema$/, 'the other schema'],
  [/^\/(manifest|manifest\/replay|manifest\/signature|run)\/[^/]*$/, 'a member that the format has not'],
  [/^\/run\/.*$/, 'run: what no check covers'],
  [/^\/[^/]*$/, 'a member that the format has not'],
];

/** The pointers at which two JSON values differ, where one ends. */
function differences(left, right, pointer = '') {
  if (canonicalText(left) === canonicalText(right)) return [];
  const isBranch = value => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isBranch(left) || !isBranch(right)) return [pointer];
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].flatMap(key => {
    const below = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const inBoth = Object.hasOwn(left, key) && Object.hasOwn(right, key);
    return inBoth ? differences(left[key], right[key], below) : [below];
  });
}

/** Why a valid mutant may be valid; `undefined` when nothing allows it. */
export function reason(text, mutant) {
  const [original, changed] = [JSON.parse(text), JSON.parse(mutant)];
  if (truth(original) !== truth(changed)) return undefined;
  if (JSON.stringify(original) === JSON.stringify(changed)) {
    return original.manifest && text.replace(/\s/g, '') === mutant.replace(/\s/g, '')
      ? 'white space'
      : 'spelling of the same value';
  }
  const pointers = differences(original, changed);
  if (pointers.length === 0) return 'order of keys, or equal numbers';
  const reasons = pointers.map(pointer => UNCOVERED.find(([pattern]) => pattern.test(pointer))?.[1]);
  return reasons.includes(undefined) ? undefined : reasons[0];
}
