// Recordings as no recorder leaves them: of odd types, half written, or not files at all.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Recorder } from 'tapeproof/recorder';
import { fileStore, readTrace } from 'tapeproof/store';
import { call } from './calls.mjs';

/** What has no text, no number and no JSON of its own. */
const NOTHING = { toString: 1, valueOf: 1, toLocaleString: 1, toJSON: 1 };
const VALUES = {
  nothing: NOTHING,
  null: null,
  list: [[1]],
  number: 7,
  text: '\u202e</script>',
  proto: '__proto__',
};

const RUN = ['run_id', 'status', 'started_at', 'tokens', 'cost_usd', 'latency_ms', 'dropped', 'outcome'];
const STEP = ['run_id', 'node', 'kind', 'req_hash', 'cassette_ref', 'tokens', 'cost_usd', 'latency_ms', 'error'];

/** Records two good runs, `good` and `better`, and odd ones with these values; gives all ids. */
export function recordOddRuns(root, values = Object.keys(VALUES)) {
  const ids = [];
  const file = (id, name) => join(root, 'runs', id, name);
  const record = id => {
    const recorder = new Recorder({ store: fileStore(root), run: { run_id: id }, log: () => {} });
    for (const [q, answer] of [
      ['a', 'one'],
      ['b', id === 'better' ? 'three' : 'two'],
    ]) {
      recorder.record(call({ q }, answer));
    }
    recorder.finish(null);
    ids.push(id);
    return readTrace(root, id);
  };
  for (const id of ['good', 'better', '__proto__', 'constructor']) record(id);
  for (const name of values) {
    const value = VALUES[name];
    for (const member of RUN) {
      const { run } = record(`run-${member}-${name}`);
      writeFileSync(file(ids.at(-1), 'run.json'), JSON.stringify({ ...run, [member]: value }));
    }
    for (const member of STEP) {
      const { steps } = record(`step-${member}-${name}`);
      const [first, ...others] = steps.map(step => JSON.stringify(step));
      const odd = JSON.stringify({ ...JSON.parse(first), [member]: value });
      writeFileSync(file(ids.at(-1), 'steps.jsonl'), [odd, ...others, ''].join('\n'));
    }
  }
  for (const [id, name, content] of [
    ['half', 'run.json', '{"run_id":"half","hash_ver'],
    ['empty', 'run.json', ''],
    ['other-version', 'run.json', '{"hash_version":9}'],
    ['torn', 'steps.jsonl', '{"seq":0}\n{"seq":1,"no'],
    ['noise', 'steps.jsonl', '\0\xff\n'.repeat(99)],
    ['gap', 'steps.jsonl', '{"seq":9007199254740991}\n'],
  ]) {
    record(id);
    writeFileSync(file(id, name), content);
  }
  for (const name of ['run.json', 'steps.jsonl']) {
    record(`folder-${name}`);
    rmSync(file(ids.at(-1), name));
    mkdirSync(file(ids.at(-1), name));
    if (process.platform === 'win32') continue;
    record(`device-${name}`);
    rmSync(file(ids.at(-1), name));
    symlinkSync('/dev/zero', file(ids.at(-1), name));
  }
  return ids;
}
