// An HTTP server for a table of routes: who may ask, how long they may take, what is refused and what is logged.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { Refusal, refuse } from './reply.js';
import { match, type Route } from './route.js';

export interface Settings {
  routes: readonly Route[];
  /** Names under which the server may be asked, beside localhost and addresses. */
  hosts: readonly string[];
  /** Gets a line for each request, with nothing in it that the client wrote. */
  log(line: string): void;
}

const TIMES = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 1000,
};

/** A socket on which nothing moves. Longer than anyone waits for a turn and a verdict. */
const IDLE_MS = 30_000;

/** Sockets beyond are closed at once. */
const MAX_CONNECTIONS = 4096;

/** How long the rest of a refused body is read for, so that the client gets to see why it was refused. */
const LINGER_MS = 2000;

export function serverFor({ routes, hosts, log }: Settings): Server {
  const names = new Set(['localhost', ...hosts.map(host => host.toLowerCase())]);
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const began = performance.now();
    const { method = '', url = '' } = request;
    const found = match(routes, method, url.split('?', 1)[0] ?? '');
    const name = 'route' in found ? `${method} ${found.route.path}` : '-';
    response.once('close', () => {
      const took = (performance.now() - began).toFixed(1);
      log(`${name} ${response.writableFinished ? response.statusCode : 'aborted'} ${took} ms`);
    });
    // Without it, an error of a socket that is gone would end the process.
    response.on('error', () => {});
    try {
      checkHost(request, names);
      if (!('route' in found)) throw nothingHere(found.allowed);
      await found.route.handle({ request, response, params: found.params });
    } catch (error) {
      if (response.headersSent || response.destroyed) return void response.destroy();
      const refusal = error instanceof Refusal ? error : new Refusal(500, 'something went wrong here');
      answerRefusal(request, response, refusal);
    }
  };
  const server = createServer({ ...TIMES, noDelay: true, requireHostHeader: true }, answer);
  server.on('checkContinue', answer);
  server.maxConnections = MAX_CONNECTIONS;
  server.setTimeout(IDLE_MS, socket => socket.destroy());
  return server;
}

/**
 * A page of another origin that had its own name point here (DNS rebinding) is told from those who mean this server by
 * the name they ask for. An address has no name that could be made to point elsewhere.
 */
function checkHost({ headers }: IncomingMessage, names: ReadonlySet<string>): void {
  const host = (headers.host ?? '').toLowerCase().replace(/:\d*$/, '');
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) === 0 && !names.has(host)) throw new Refusal(421, 'not the server of this name');
}

const nothingHere = (allowed: string[]): Refusal =>
  allowed.length > 0
    ? new Refusal(405, `expected ${allowed.join(' or ')}`, { allow: allowed.join(', ') })
    : new Refusal(404, 'nothing here');

/**
 * Answers while the body may still be coming. A socket closed with bytes unread would take the answer with it, so they
 * are read for a while.
 */
function answerRefusal(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  if (request.complete) {
    refuse(response, refusal);
    response.end();
    return;
  }
  refuse(response, refusal, { connection: 'close' });
  const finish = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(finish, LINGER_MS);
  request.once('end', finish).once('close', finish).resume();
}
