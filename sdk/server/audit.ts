// `POST /api/audit/verify`
import type { IncomingMessage } from 'node:http';
import type { Keys } from '../keys.js';
import { native } from '../native.js';
import { declaredLength, readBody, tooLarge } from './body.js';
import { Gate, type Leave } from './gate.js';
import { JSON_TYPE, Refusal, replyJson } from './reply.js';
import type { Exchange, Route } from './route.js';

/** The largest record. */
export const MAX_BYTES = 8 << 20;

/** A body up to here is small: many are taken in at once, so that a few large ones do not keep them waiting. */
const SMALL_BYTES = 64 << 10;

/** How long a request waits for its turn. */
const WAIT_MS = 10_000;
const RETRY_AFTER_S = 2;

/** So many small ones, and so many large ones, have a place from the first byte of the body to the last of the answer. */
const SMALL_PLACES = 256;
const LARGE_PLACES = 3;

export function auditRoute(keys: Keys): Route {
  const small = new Gate(SMALL_PLACES, WAIT_MS);
  const large = new Gate(LARGE_PLACES, WAIT_MS);
  // A hostile text makes values twenty times as large as it is: one at a time, which takes two cores anyway.
  const heavy = new Gate(1);
  // One for each place at most. What is left to the collector of garbage stays in memory for too long.
  const spare: Buffer[] = [];

  async function answerSmall({ request, response }: Exchange, length: number): Promise<void> {
    const body = await readBody(request, Buffer.allocUnsafe(length));
    replyJson(response, await verdict(body, keys));
  }

  async function answerLarge({ request, response }: Exchange, gone: AbortSignal): Promise<void> {
    const buffer = spare.pop() ?? Buffer.allocUnsafeSlow(MAX_BYTES);
    let lighten: Leave | undefined;
    try {
      const body = await readBody(request, buffer);
      lighten = await heavy.enter(gone);
      if (lighten) replyJson(response, await verdict(body, keys));
    } finally {
      lighten?.();
      spare.push(buffer);
    }
  }

  return {
    method: 'POST',
    path: '/api/audit/verify',
    async handle(exchange) {
      const { request, response } = exchange;
      checkType(request);
      const length = declaredLength(request) ?? MAX_BYTES;
      if (length > MAX_BYTES) throw tooLarge(MAX_BYTES);
      const closed = new AbortController();
      response.once('close', () => closed.abort());
      const isSmall = length <= SMALL_BYTES;
      const leave = await (isSmall ? small : large).enter(closed.signal);
      if (!leave) throw new Refusal(503, 'busy', { 'retry-after': String(RETRY_AFTER_S) });
      if (closed.signal.aborted) return leave();
      response.once('close', leave);
      if (request.headers.expect !== undefined) response.writeContinue();
      await (isSmall ? answerSmall(exchange, length) : answerLarge(exchange, closed.signal));
    },
  };
}

/** What is wrong with the body is the client's to know; what is wrong with our keys or with us is not. */
async function verdict(body: Uint8Array, keys: Keys): Promise<string> {
  try {
    return await native().verifyJsonAsync(body, ...keys);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined || !OF_THE_BODY.has(code)) throw error;
    throw new Refusal(400, message, {}, code);
  }
}

const OF_THE_BODY = new Set(
  ['SYNTAX', 'UTF8', 'DEPTH', 'RECORD', 'EVENT', 'PROJECTION', 'CONVERSION'].map(name => `ERR_TAPEPROOF_${name}`),
);

function checkType({ headers }: IncomingMessage): void {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const isUtf8 = parameters.every(parameter => /^\s*(charset="?utf-8"?\s*)?$/.test(parameter));
  const isPlain = (headers['content-encoding'] ?? 'identity') === 'identity';
  if (type.trim() !== JSON_TYPE || !isUtf8 || !isPlain) throw new Refusal(415, `expected ${JSON_TYPE} in UTF-8`);
}
