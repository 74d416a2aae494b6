// All that the server answers.
import type { Keys } from '../keys.js';
import { auditRoute } from './audit.js';
import { openapiFor } from './openapi.js';
import { pageRoutes } from './page.js';
import { Refusal, reply, replyJson } from './reply.js';
import type { Route } from './route.js';
import { runsRoutes } from './runs.js';

/** The recordings to show, and the token that those must send who see them. */
export interface Recordings {
  dir: string;
  token: string | undefined;
}

export const routesFor = (keys: Keys, recordings?: Recordings): Route[] => [
  auditRoute(keys),
  keyRoute(keys),
  health,
  openapi(recordings),
  ...pageRoutes(keys, recordings !== undefined),
  ...(recordings ? runsRoutes(recordings.dir, recordings.token) : []),
];

const health: Route = {
  method: 'GET',
  path: '/health',
  handle: ({ response }) => replyJson(response, '{"status":"ok"}'),
};

function openapi(recordings: Recordings | undefined): Route {
  const text = JSON.stringify(openapiFor(recordings));
  return { method: 'GET', path: '/openapi.json', handle: ({ response }) => replyJson(response, text) };
}

/** The key that signs now: the first of those that are pinned. */
const keyRoute = ([[pem]]: Keys): Route => ({
  method: 'GET',
  path: '/.well-known/runback-audit-key.pem',
  handle({ response }) {
    if (typeof pem !== 'string') throw new Refusal(404, 'no key is configured');
    reply(response, 200, 'application/x-pem-file', pem.endsWith('\n') ? pem : `${pem}\n`);
  },
});
