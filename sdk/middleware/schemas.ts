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
    const parameters = jsonSchema(described['parameters'] ?? described['input_schema'] ?? described['schema']);
    // A tool of the provider's own has settings instead.
    if (parameters === undefined && !isLive(described)) return plain(tool);
    return { name, ...(description !== undefined && { description }), ...(parameters !== undefined && { parameters }) };
  });
}

const isLive = (tool: Live): boolean => typeof tool['invoke'] === 'function';

/** A live Zod object says another thing before its first use and after it. Newer ones give their JSON Schema. */
function jsonSchema(schema: unknown): unknown {
  if (!isObject(schema)) return undefined;
  const standard = schema['~standard'];
  if (!isObject(standard) && !('_def' in schema)) return plain(schema);
  const converter = isObject(standard) ? standard['jsonSchema'] : undefined;
  if (!isObject(converter) || typeof converter['input'] !== 'function') return undefined;
  try {
    return plain(converter['input']({ target: 'draft-2020-12' }));
  } catch {
    // What has no JSON Schema, such as a transformation.
    return undefined;
  }
}
