// The part of JSON Schema that the OpenAPI document uses. A keyword that is not known here is an error.
const isType = {
  object: value => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: value => typeof value === 'string',
  boolean: value => typeof value === 'boolean',
  integer: Number.isInteger,
  null: value => value === null,
};

const KEYWORDS = {
  description: () => true,
  type: (value, types) => [types].flat().some(type => isType[type](value)),
  const: (value, constant) => value === constant,
  enum: (value, values) => values.includes(value),
  minimum: (value, least) => typeof value !== 'number' || value >= least,
  pattern: (value, pattern) => typeof value !== 'string' || new RegExp(pattern, 'u').test(value),
  required: (value, names) => !isType.object(value) || names.every(name => Object.hasOwn(value, name)),
  items: (value, schema, context) => !Array.isArray(value) || value.every(item => conforms(item, schema, context)),
  properties: (value, schemas, context) =>
    !isType.object(value) ||
    Object.entries(schemas).every(
      ([name, schema]) => !Object.hasOwn(value, name) || conforms(value[name], schema, context),
    ),
  additionalProperties: (value, allowed, _context, { properties }) =>
    allowed || !isType.object(value) || Object.keys(value).every(name => Object.hasOwn(properties, name)),
  $ref: (value, pointer, context) => conforms(value, at(context, pointer), context),
};

/** What a pointer `#/…` into a document finds. */
export function at(document, pointer) {
  return pointer
    .split('/')
    .slice(1)
    .reduce((value, name) => value[name.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}

/** Whether a value is as a schema of this document says. */
export function conforms(value, schema, document) {
  return Object.entries(schema).every(([keyword, argument]) => {
    if (!Object.hasOwn(KEYWORDS, keyword)) throw new Error(`unknown keyword ${keyword}`);
    return KEYWORDS[keyword](value, argument, document, schema);
  });
}
