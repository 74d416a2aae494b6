// A local ingest server that can misbehave.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after } from 'node:test';

const keyOf = write =>
  ({
    run: () => `run ${write.run.run_id}`,
    step: () => `step ${write.step.run_id} ${write.step.seq}`,
    cassette: () => `cassette ${write.cassette.hash} ${write.cassette.response}`,
  })[write.kind]();

/**
 * Starts a server on a port of its own. `behave(number, request, response, take)` deals with each request, counted from
 * 0; `take()` keeps its writes. By default it takes them and answers 204.
 */
export async function ingestServer(
  behave = (_number, _request, response, take) => response.writeHead(204).end(take()),
) {
  const seen = { requests: [], batches: [], kept: new Map(), order: [] };
  const server = createServer(async (request, response) => {
    const number = seen.requests.length;
    const { method, url, headers } = request;
    seen.requests.push({ method, url, headers });
    let text = '';
    try {
      for await (const chunk of request.setEncoding('utf8')) text += chunk;
    } catch {
      return;
    }
    const { writes } = JSON.parse(text);
    seen.batches.push(writes);
    behave(number, request, response, () => {
      for (const write of writes) {
        // Every write may come twice.
        const key = keyOf(write);
        if (!seen.kept.has(key)) seen.order.push(key);
        seen.kept.set(key, write);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  after(close);
  return Object.assign(seen, { url: `http://127.0.0.1:${server.address().port}`, close });
}

/** How a server can fail, each as a `behave` for one request. */
export const FAILURES = {
  'answers 500': (_request, response) => response.writeHead(500).end('no'),
  'answers 404': (_request, response) => response.writeHead(404).end(),
  'redirects elsewhere': (_request, response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
  'resets the connection': request => request.socket.resetAndDestroy(),
  'closes without an answer': request => request.socket.destroy(),
  'half-closes': request => request.socket.end(),
  'answers what is no HTTP': request => request.socket.end('SSH-2.0-no\r\n'),
  'ends in the middle of the head': request => request.socket.end('HTTP/1.1 20'),
  hangs: () => {},
  'hangs in the middle of the body': (_request, response) => {
    response.writeHead(500, { 'content-length': '1000' });
    response.write('x');
  },
};
