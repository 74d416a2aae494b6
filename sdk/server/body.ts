// The body of a request, no larger than allowed and no slower than can be waited for.
import type { IncomingMessage } from 'node:http';
import { Refusal } from './reply.js';

/** What a client may take before its pace counts, and the slowest pace after that. */
const GRACE_MS = 3000;
const BYTES_PER_MS = 16;

/** The length that a request declares; `undefined` when it is chunked. */
export function declaredLength({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? (headers['transfer-encoding'] === undefined ? 0 : undefined) : Number(length);
}

export const tooLarge = (maxBytes: number): Refusal => new Refusal(413, `expected at most ${maxBytes} bytes`);

/**
 * Reads a body into `buffer` and gives the part of it that it fills. Rejects with a {@link Refusal} when it does not
 * fit, as soon as that is known, or with another error when it was cut off. Nothing is written after that.
 */
export function readBody(request: IncomingMessage, buffer: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    let length = 0;
    const settle = (settled: () => void) => {
      clearInterval(pace);
      request.off('data', take).off('end', finish).off('close', abort).off('error', abort);
      settled();
    };
    const refuse = (refusal: Refusal) => settle(() => reject(refusal));
    const take = (chunk: Buffer) => {
      if (chunk.length > buffer.length - length) return refuse(tooLarge(buffer.length));
      length += chunk.copy(buffer, length);
    };
    const finish = () => settle(() => resolve(buffer.subarray(0, length)));
    const abort = () => settle(() => reject(new Error('aborted')));
    const pace = setInterval(() => {
      const elapsed = performance.now() - began;
      if (elapsed > GRACE_MS && length < (elapsed - GRACE_MS) * BYTES_PER_MS) refuse(new Refusal(408, 'too slow'));
    }, 500);
    if (request.destroyed) return abort();
    request.on('data', take).on('end', finish).on('close', abort).on('error', abort);
  });
}
