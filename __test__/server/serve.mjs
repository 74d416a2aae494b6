// A server as `tapeproof serve` starts it, and what is asked of it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** Starts a server: `{port, log(), memory(), child, ended(), stop()}`. */
export async function serve(args = [], env = {}) {
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TAPEPROOF_')));
  const child = spawn(process.execPath, [main, 'serve', '--port', '0', ...args], {
    env: { ...clean, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    log += text;
  });
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  // A test that fails must not wait for it.
  for (const handle of [child, child.stdout, child.stderr]) handle.unref();
  process.once('exit', () => child.kill('SIGKILL'));
  const port = Number(/:(\d+)\n$/.exec(line)[1]);
  return {
    child,
    port,
    log: () => log,
    /** Resident bytes (Linux). */
    memory: () => 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]),
    /** Waits for its end and gives its exit code. */
    async ended() {
      child.ref();
      if (child.exitCode === null) await once(child, 'exit');
      return child.exitCode;
    },
    stop() {
      child.kill('SIGTERM');
      return this.ended();
    },
  };
}

/** Asks, and gives `{status, headers, text}`. A body may come in chunks. */
export function ask(port, { method = 'GET', path = '/health', headers = {}, body, agent = false }) {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: '127.0.0.1', method, path, headers, agent }, response => {
      const chunks = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode, headers: response.headers, text });
      });
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** A request to verify, up to its length. */
export const HEAD = 'POST /api/audit/verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';

export const post = (port, body, headers = {}) =>
  ask(port, {
    method: 'POST',
    path: '/api/audit/verify',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });

/** Connections that are kept, so many at most. */
export const keepAlive = maxSockets => new Agent({ keepAlive: true, maxSockets });

/** Sends bytes as they are, and gives all that comes back until the server closes or the text matches. */
export function exchange(port, bytes, until) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', chunk => {
      text += chunk;
      if (until?.test(text)) socket.destroy();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
    socket.write(bytes);
  });
}
