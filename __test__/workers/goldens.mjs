// Hashes random requests, over and over, and says which hashes were not the same each time.
import { parentPort, workerData } from 'node:worker_threads';
import { reqHash, reqHashJson } from 'tapeproof/hash';
import { build, jsonText } from '../random/expression.mjs';
import { Random } from '../random/prng.mjs';
import { anyRequest } from '../random/request.mjs';

const { seed, n, rounds } = workerData;
const expressions = Array.from({ length: n }, (_, index) => anyRequest(new Random(seed, index), 0));

const attempt = run => {
  try {
    return run();
  } catch (error) {
    return error.code;
  }
};

const hashes = expressions.map(expression => attempt(() => reqHash(build(expression))));
const unsteady = [];
for (let round = 0; round < rounds; round++) {
  for (const [index, expression] of expressions.entries()) {
    const text = jsonText(expression, new Random(seed + round, index));
    if (attempt(() => reqHash(build(expression))) !== hashes[index]) unsteady.push(index);
    if (attempt(() => reqHashJson(text)) !== hashes[index]) unsteady.push(index);
  }
}
parentPort.postMessage({ hashes, unsteady });
