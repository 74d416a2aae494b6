// The tools of a request, as their provider is told of them.
import { isObject, type Live } from './live.js';
import { plain } from './plain.js';

/** Name, description and JSON Schema of each tool, whatever its provider calls them. */
export function toolSchemas(tools: readonly unknown[]): unknown[] {
  return tools.map(tool => {
    if (!isObject(tool)) return plain(tool);
    // OpenAI's chat completions put a level in between.
    const described = isObject(tool['function']) ? tool['function'] : tool;
    const { name, description } = described;
    const parameters = plain(described['parameters'] ?? described['input_schema'] ?? described['schema']);
    // A tool of the provider's own has settings instead.
    if (parameters === undefined && !isLive(described)) return plain(withoutKeys(tool));
    return { name, ...(description !== undefined && { description }), ...(parameters !== undefined && { parameters }) };
  });
}

/** The settings of a tool of the provider's own, such as a server for it to ask, without what lets it in there. */
const withoutKeys = (tool: Live): Live => Object.fromEntries(Object.entries(tool).filter(([name]) => !KEYS.has(name)));

const KEYS = new Set(['headers', 'authorization', 'authorization_token']);

const isLive = (tool: Live): boolean => typeof tool['invoke'] === 'function';
