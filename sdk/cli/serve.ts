// `tapeproof serve`
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { type Recordings, routesFor } from '../server/routes.js';
import { serverFor } from '../server/server.js';
import { UsageError } from './failure.js';
import { keysGiven } from './keys.js';
import { write } from './output.js';
import { isFolder } from './records.js';

export const help = `Usage: tapeproof serve [OPTIONS]

Checks the records that are sent to POST /api/audit/verify, and shows them on the page at /; all that it answers is in
/openapi.json. Logs a line for each request to standard error. Stops on SIGTERM or SIGINT when the requests that it has
are answered.

  --host HOST        the address to listen on, by default 127.0.0.1: this machine alone
  --port PORT        by default 8787; 0 takes one that is free
  --allow-host NAME  a name by which it may be asked, beside localhost and addresses; may be repeated
  --dir FOLDER       show the runs recorded there too; to other machines only with the token in TAPEPROOF_TOKEN
  --pubkey FILE      pin the Ed25519 keys in this PEM file; may be repeated
  --quiet            log no requests

Keys in the environment are those of tapeproof verify.
`;

const OPTIONS = {
  host: { type: 'string', default: '127.0.0.1' },
  port: { type: 'string', default: '8787' },
  'allow-host': { type: 'string', multiple: true },
  dir: { type: 'string' },
  pubkey: { type: 'string', multiple: true },
  quiet: { type: 'boolean', default: false },
} as const;

/** A name to be asked by beside those of this machine is one that others have for it, as behind a proxy. */
function recordings(dir: string | undefined, host: string, names: readonly string[]): Recordings | undefined {
  if (dir === undefined) return undefined;
  if (!isFolder(dir)) throw new UsageError('expected --dir as a folder');
  const token = process.env[ENV_TOKEN] || undefined;
  // As it stands in a header.
  if (token !== undefined && !/^[!-~]+( +[!-~]+)*$/.test(token))
    throw new UsageError(`expected the token in ${ENV_TOKEN} in ASCII`);
  if (token === undefined && !(isLoopback(host) && names.length === 0))
    throw new UsageError(`expected a token in ${ENV_TOKEN}, to show runs to other machines`);
  return { dir, token };
}

const ENV_TOKEN = 'TAPEPROOF_TOKEN';

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** How long requests may take after a signal to stop. */
const STOP_MS = 10_000;

export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: OPTIONS });
  const { host, quiet, pubkey, 'allow-host': names = [] } = values;
  const port = Number(values.port);
  // Node would listen everywhere.
  if (host === '') throw new UsageError('expected --host as an address or a name');
  if (!/^\d+$/.test(values.port) || port > 65_535) throw new UsageError('expected --port as a number up to 65535');
  const log = quiet ? () => {} : (line: string) => process.stderr.write(`${new Date().toISOString()} ${line}\n`);
  const server = serverFor({
    routes: routesFor(keysGiven({ pubkey }), recordings(values.dir, host, names)),
    hosts: [host, ...names],
    log,
  });

  const stop = new Promise<void>(resolve => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new UsageError(`cannot listen there [${(error as NodeJS.ErrnoException).code}]`);
  }
  const { address, family, port: bound } = server.address() as AddressInfo;
  await write(`listening on http://${family === 'IPv6' ? `[${address}]` : address}:${bound}\n`);
  await stop;
  await close(server);
  return 0;
}

/** Takes no more connections, and answers the requests that are there. */
async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A connection whose request has been answered meanwhile is idle.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const late = setTimeout(() => server.closeAllConnections(), STOP_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}
