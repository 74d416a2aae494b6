// The framework's objects, known by what they can do: nothing of LangChain is imported.

/** An object of the framework, or of whoever speaks as it does. */
export type Live = Record<string | symbol, unknown>;

export type Method = (this: unknown, ...args: unknown[]) => unknown;

export const isObject = (value: unknown): value is Live => typeof value === 'object' && value !== null;

/** A field of what may be anything, such as a revoked Proxy. */
function read(value: Live, name: string): unknown {
  try {
    return value[name];
  } catch {
    return undefined;
  }
}

export const isRunnable = (value: unknown): value is Live => isObject(value) && read(value, 'lc_runnable') === true;

const can = (value: Live, ...names: string[]): boolean => names.every(name => typeof read(value, name) === 'function');

/** A model of LangChain, for chats or for text. */
export const isModel = (value: unknown): value is Live => isRunnable(value) && can(value, '_generate', 'invoke');

/** A tool that runs here; a tool of the provider is a description only. */
export const isTool = (value: unknown): value is Live =>
  isObject(value) && can(value, 'invoke') && typeof value['name'] === 'string' && 'schema' in value;

/** Whatever takes a conversation and gives an answer. */
export const isInvocable = (value: unknown): value is Live => isObject(value) && can(value, 'invoke');
