// Which handler answers which request.
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** What stands in the path for its `:names`, decoded. */
  params: Readonly<Record<string, string>>;
}

export interface Route {
  method: 'GET' | 'POST';
  /** Segments are equal, or a `:name` that takes one segment whatever it is: `/api/runs/:id`. */
  path: string;
  handle(exchange: Exchange): void | Promise<void>;
}

/** The route for a request; or the methods that its path has, none when there is no such path. */
export type Match = { route: Route; params: Record<string, string> } | { allowed: string[] };

/** Finds a route. Of several for a path, the first counts. HEAD is answered as GET is. */
export function match(routes: readonly Route[], method: string, path: string): Match {
  const allowed = new Set<string>();
  const wanted = method === 'HEAD' ? 'GET' : method;
  for (const route of routes) {
    const params = route.path === path ? {} : paramsOf(route.path, path);
    if (!params) continue;
    if (route.method === wanted) return { route, params };
    allowed.add(route.method);
    if (route.method === 'GET') allowed.add('HEAD');
  }
  return { allowed: [...allowed].sort() };
}

function paramsOf(pattern: string, path: string): Record<string, string> | undefined {
  if (!pattern.includes(':')) return undefined;
  const [names, values] = [pattern.split('/'), path.split('/')];
  if (names.length !== values.length) return undefined;
  const params: Record<string, string> = Object.create(null);
  for (const [at, name] of names.entries()) {
    const value = values[at] ?? '';
    if (!name.startsWith(':')) {
      if (name !== value) return undefined;
      continue;
    }
    try {
      params[name.slice(1)] = decodeURIComponent(value);
    } catch {
      return undefined;
    }
    if (value === '') return undefined;
  }
  return params;
}
