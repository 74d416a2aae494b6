// Redacts at the limit of nesting and one beyond it, on whatever stack the thread has.
import { parentPort } from 'node:worker_threads';
import { redact } from 'tapeproof/redact';

const outcomes = [2048, 2049].map(levels => {
  let value = 'a@b.co';
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value };
  try {
    let { value: copy } = redact(value);
    while (typeof copy === 'object') copy = Array.isArray(copy) ? copy[0] : copy.a;
    return copy;
  } catch (error) {
    return error.code;
  }
});
parentPort.postMessage(outcomes);
