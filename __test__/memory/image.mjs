// Run with --expose-gc on Linux. Prints how much more memory is resident at the peak of hashing an image, in bytes.
//   node --expose-gc image.mjs MEBIBYTES
import { readFileSync } from 'node:fs';
import { reqHash } from 'tapeproof/hash';

const field = name =>
  1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))[1]);
const request = url => ({
  kind: 'model',
  provider: 'p',
  model_id: 'm',
  messages: [{ role: 'user', content: [{ url }] }],
});

reqHash(request('data:;base64,QUJD'));
const url = `data:image/png;base64,${'QUJD'.repeat((Number(process.argv[2]) * 2 ** 20) / 4)}`;
// Reading one unit flattens the text, which is not the hash's cost.
url.charCodeAt(0);
gc();
const before = field('VmRSS');
reqHash(request(url));
console.log(JSON.stringify(Math.max(0, field('VmHWM') - before)));
