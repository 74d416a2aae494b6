// Answers. None may be kept, framed, sniffed or read by another origin.
import type { ServerResponse } from 'node:http';

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Writes the head of an answer and gives its body. */
function head(response: ServerResponse, status: number, type: string, text: string, headers = {}): Buffer {
  const body = Buffer.from(text);
  response.writeHead(status, { ...HEADERS, 'content-type': type, 'content-length': body.length, ...headers });
  return body;
}

/** Answers with text. */
export function reply(response: ServerResponse, status: number, type: string, text: string, headers = {}): void {
  response.end(head(response, status, type, text, headers));
}

export const JSON_TYPE = 'application/json';

export const replyJson = (response: ServerResponse, text: string): void => reply(response, 200, JSON_TYPE, text);

/** A request that is not answered as it hoped. The message holds nothing of the request. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Record<string, string> = {},
    /** A stable code of tapeproof's, where a record is the reason. */
    readonly code?: string,
  ) {
    super(message);
  }
}

/** Writes all of an answer and leaves it to the caller to end it. */
export function refuse(response: ServerResponse, { status, message, headers, code }: Refusal, more = {}): void {
  const error = code === undefined ? { message } : { message, code };
  const body = head(response, status, JSON_TYPE, JSON.stringify({ error }), { ...headers, ...more });
  response.write(body);
}
