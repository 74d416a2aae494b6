// Hashes until it is stopped.
import { parentPort } from 'node:worker_threads';
import { reqHash } from 'tapeproof/hash';

const request = {
  kind: 'tool',
  tool_name: 't',
  args: { id: 'x', text: 'some words\r\n'.repeat(1000), list: [1, 2.5, 'é'] },
};
reqHash(request);
parentPort.postMessage('running');
for (;;) reqHash(request);
