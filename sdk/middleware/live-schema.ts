// Schemas of Zod and its like, known by what they can do. Such an object says another thing before its first use and
// after it, and never its rules.
import { isObject, type Live } from './live.js';

/** A JSON Schema that Zod made has a `~standard` too, and hides it. */
export const isLiveSchema = (value: Live): boolean =>
  '_zod' in value ||
  ('_def' in value && typeof value['parse'] === 'function') ||
  Object.prototype.propertyIsEnumerable.call(value, '~standard');

/** Its JSON Schema, which newer ones tell; undefined when there is none to tell. */
export function jsonSchemaOf(schema: Live): unknown {
  const standard = schema['~standard'];
  const converter = isObject(standard) ? standard['jsonSchema'] : undefined;
  if (!isObject(converter) || typeof converter['input'] !== 'function') return undefined;
  try {
    return converter['input']({ target: 'draft-2020-12' });
  } catch {
    // A transformation, for one, has none.
    return undefined;
  }
}
