// Sends writes to an ingest server.
import { failure } from './native.js';
import type { AsyncStore, Write } from './store/types.js';

// Where types of neither Node nor a browser are loaded, there is no name for it.
type Fetch = typeof globalThis extends { fetch: infer Implementation } ? Implementation : never;

export interface HttpOptions {
  /** Of the server, without `/v1/ingest`. */
  url: string;
  /** Sent as a bearer token. */
  token?: string | undefined;
  /** How long one request may take, 10,000 by default. */
  timeoutMs?: number | undefined;
  /** In place of the global `fetch`. */
  fetchImpl?: Fetch | undefined;
}

const TIMEOUT_MS = 10_000;
/** That of a timer. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** `<url>/v1/ingest`. A query stays behind the path. */
function endpointOf(url: string): string {
  const endpoint = new URL(url);
  endpoint.pathname = `${endpoint.pathname.replace(/\/+$/, '')}/v1/ingest`;
  return endpoint.href;
}

/** Throws an error again, unless it is about the URL or the token: it would repeat that. */
function withoutValues(error: unknown): never {
  const cause: unknown = error instanceof TypeError ? error.cause : error;
  if (cause instanceof Error && (cause as { code?: unknown }).code !== 'ERR_INVALID_URL') throw error;
  throw new TypeError('fetch failed: expected a URL without a password, and a token of printable characters');
}

/** An {@link AsyncStore} behind `POST <url>/v1/ingest`. Anything but a 2xx answer in time is an error. */
export function httpStore({ url, token, timeoutMs = 0, fetchImpl }: HttpOptions): AsyncStore {
  // What `AbortSignal.timeout` does not take would fail every request.
  const limit = timeoutMs > 0 ? Math.min(Math.ceil(timeoutMs), LONGEST_TIMEOUT_MS) : TIMEOUT_MS;
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (token) headers['authorization'] = `Bearer ${token}`;

  async function putBatch(writes: readonly Write[]): Promise<void> {
    const body = JSON.stringify({ writes });
    const signal = AbortSignal.timeout(limit);
    // Not followed: a redirect would carry recordings to a server that nobody named.
    const send = async () =>
      (fetchImpl ?? fetch)(endpointOf(url), { method: 'POST', headers, body, signal, redirect: 'manual' });
    const response = await send().catch(withoutValues);
    // What the server says is not needed, and the connection is held until it is read.
    await response.body?.cancel();
    if (!response.ok) throw Object.assign(failure('ERR_TAPEPROOF_INGEST', ''), { status: response.status });
  }

  return {
    putBatch,
    putRun: run => putBatch([{ kind: 'run', run }]),
    appendStep: step => putBatch([{ kind: 'step', step }]),
    putCassette: cassette => putBatch([{ kind: 'cassette', cassette }]),
  };
}
