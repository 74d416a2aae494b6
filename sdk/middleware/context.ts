// Where in the graph a call happens.
import { AsyncLocalStorage } from 'node:async_hooks';
import { isObject, type Live } from './live.js';

/** A call: its own RunnableConfig, the one that it was in, and the call around it. */
interface Scope {
  readonly config: unknown;
  readonly implicit: unknown;
  readonly outer: Scope | undefined;
}

// LangChain's own storage is empty within `stream()`, and what a model's primitives are given names no node.
const scopes = new AsyncLocalStorage<Scope>();

const inner = (config?: unknown): Scope => ({ config, implicit: implicitConfig(), outer: scopes.getStore() });

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
  const configs: Live[] = [];
  for (let scope: Scope | undefined = current(); scope; scope = scope.outer) {
    for (const config of [scope.config, scope.implicit]) if (isObject(config)) configs.push(config);
  }
  return first(configs, nodeOf) ?? first(configs, config => text(config['runName'])) ?? 'unknown';
}

function first(configs: readonly Live[], look: (config: Live) => string | undefined): string | undefined {
  for (const config of configs) {
    const found = look(config);
    if (found !== undefined) return found;
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
