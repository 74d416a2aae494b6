// Records nested as deep as is allowed, in the places where the core follows nesting. Run on any thread.
import { parentPort } from 'node:worker_threads';
import { verifyJson } from 'tapeproof/verify';

const nested = (levels, before, inner, after) => before.repeat(levels) + inner + after.repeat(levels);

const RECORDS = {
  'a digest to print': `{"manifest":{"content_digest":${nested(2040, '[', '', ']')},"signature":{"value":"x"}},"events":[]}`,
  'repeated keys': `{"manifest":1,"events":[${nested(2040, '{"b":0,"a":1,"a":', '1', '}')}]}`,
  'a path to drop': `{"manifest":1,"events":[{"type":"tool","input":${nested(2030, '{"a":', '1', '}')},
    "key_projection":{"drop":["${Array(2029).fill('a').join('.')}"]}}]}`,
  'arrays on a path, on two threads': `{"manifest":1,"events":[{"type":"tool","input":{"a":${nested(2020, '[', '{"b":1}', ']')}},
    "key_projection":{"drop":["a.b"]}}],"large":"${'x'.repeat(300_000)}"}`,
};

/** The verdict on each. */
export const verdicts = () =>
  Object.fromEntries(Object.entries(RECORDS).map(([name, text]) => [name, verifyJson(text, 'key').verdict]));

parentPort?.postMessage(verdicts());
