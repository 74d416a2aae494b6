// Run with --expose-gc. Prints the growth of resident memory, in bytes, for each window of calls.
//   node --expose-gc growth.mjs WINDOWS CALLS
import { canonical, normalizeText, reqHash, reqHashJson, stateHash } from 'tapeproof/hash';

const [windows, calls] = process.argv.slice(2).map(Number);

const request = i => ({
  kind: 'model',
  provider: 'anthropic',
  model_id: 'claude-sonnet-5',
  messages: [
    { role: 'user', content: `question number ${i}, long enough to stay outside of the frame`, id: `msg_${i}` },
    { role: 'assistant', content: [{ type: 'text', text: `  an  answer\r\n\`\`\`\ncode ${i}\n\`\`\` é ${i}` }] },
  ],
  tool_schemas: [{ name: 'b' }, { name: 'a', parameters: { [`key_${i % 50_000}`]: i } }],
  temperature: i / 7,
});

/** Every way in, the failing ones too; each call with values that no call before it had. */
function call(i) {
  switch (i % 16) {
    case 0:
      return reqHashJson(JSON.stringify(request(i)));
    case 1:
      return stateHash({ i, at: new Date(i), list: [`a ${i}`] });
    case 2:
      return canonical(request(i));
    case 3:
      return normalizeText(`e\u0301 ${i}  x`);
    case 4:
      return reqHash({ ...request(i), provider: new Date(i) });
    case 5:
      try {
        return reqHash({ ...request(i), seed: NaN });
      } catch (error) {
        return error.code;
      }
    default:
      return reqHash(request(i));
  }
}

let next = 0;
function run() {
  for (let i = 0; i < calls; i++) call(next++);
  gc();
  gc();
  return process.memoryUsage.rss();
}

run();
let before = run();
const growth = [];
for (let window = 0; window < windows; window++) {
  const after = run();
  growth.push(after - before);
  before = after;
}
console.log(JSON.stringify(growth));
