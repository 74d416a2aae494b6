// Where in the graph a call happens.
import { AsyncLocalStorage } from 'node:async_hooks';
import { isObject, type Live } from './live.js';

/**
 * What a call's configs say of where it is: a node, and else a name. The configs themselves, which may hold the state of
 * a whole run, are not kept: a tool may start the next run, which starts the next.
 */
interface Scope {
  readonly node: string | undefined;
  readonly name: string | undefined;
}

// LangChain's own storage is empty within `stream()`, and what a model's primitives are given names no node.
const scopes = new AsyncLocalStorage<Scope>();

/** The nearest word counts: of the call's own config, of the one that it was in, of the call around it. */
function inner(config?: unknown): Scope {
  const outer = scopes.getStore();
  const configs = [config, implicitConfig()].filter(isObject);
  return {
    node: first(configs, nodeOf) ?? outer?.node,
    name: first(configs, ({ runName }) => text(runName)) ?? outer?.name,
  };
}

const current = (): Scope => scopes.getStore() ?? inner();

/** Runs `action` as a part of the call that has this config. */
export function within<T>(config: unknown, action: () => T): T {
  return scopes.run(inner(config), action);
}

/** Keeps the scope that it is called in, for the node of a call that starts later. */
export function captured(): <T>(action: () => T) => T {
  const scope = current();
  return action => scopes.run(scope, action);
}

/** The config that LangChain passes on beside the arguments. */
export function implicitConfig(): unknown {
  const storage = (globalThis as Live)[Symbol.for('ls:tracing_async_local_storage')];
  const tree = isObject(storage) && typeof storage['getStore'] === 'function' ? storage['getStore']() : undefined;
  return isObject(tree) && isObject(tree['extra']) ? tree['extra'][Symbol.for('lc:child_config')] : undefined;
}

/** The node of the graph that a call belongs to. */
export function nodeHere(): string {
  const { node, name } = current();
  return node ?? name ?? 'unknown';
}

function first(configs: readonly Live[], look: (config: Live) => string | undefined): string | undefined {
  for (const config of configs) {
    try {
      const found = look(config);
      if (found !== undefined) return found;
    } catch {
      // A config that cannot be read names nothing.
    }
  }
  return undefined;
}

/** A config with metadata of its own has lost the node's name, but not its place: `outer:<uuid>|tools:<uuid>`. */
function nodeOf({ metadata, configurable }: Live): string | undefined {
  const [meta, place] = [metadata, configurable].map(value => (isObject(value) ? value : {})) as [Live, Live];
  const node = text(meta['langgraph_node']);
  if (node !== undefined) return node;
  const namespace = text(meta['checkpoint_ns']) ?? text(place['checkpoint_ns']);
  return text(namespace?.split('|').at(-1)?.split(':')[0]);
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
