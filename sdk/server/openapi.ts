// What the server answers, as a document that machines read (OpenAPI 3.1).

const json = (schema: object) => ({ 'application/json': { schema } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const refusal = (description: string, headers?: object) => ({
  description,
  ...(headers && { headers }),
  content: json(ref('Refusal')),
});

const RETRY_AFTER = { 'Retry-After': { description: 'Seconds', schema: { type: 'integer', minimum: 1 } } };

/** What any request may get. */
const ANY = {
  421: refusal('The Host header names another server'),
  500: refusal('A bug, or keys that cannot be used'),
};

const PASSES = { type: 'boolean' };
const ANYTHING = { description: 'What the record says, of whatever type: it is not verified' };

const OPENAPI = {
  openapi: '3.1.0',
  info: {
    title: 'tapeproof',
    description: 'Verifies records of runs of AI agents: runback.audit/v2 and runback.cassette/v1.',
    version: '1',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  paths: {
    '/api/audit/verify': {
      post: {
        operationId: 'verify',
        summary: 'Runs the six checks of a record',
        requestBody: { required: true, description: 'At most 8 MiB of UTF-8', content: json(ref('Record')) },
        responses: {
          200: { description: 'The verdict; also that a record is broken or forged', content: json(ref('Result')) },
          400: refusal('Not JSON, or not a record'),
          408: refusal('The body came too slowly'),
          413: refusal('More than 8 MiB'),
          415: refusal('Not application/json in UTF-8'),
          503: refusal('Busy', RETRY_AFTER),
          ...ANY,
        },
      },
    },
    '/health': {
      get: {
        operationId: 'health',
        summary: 'Whether the server answers',
        responses: {
          200: {
            description: 'It does',
            content: json({ type: 'object', required: ['status'], properties: { status: { const: 'ok' } } }),
          },
          ...ANY,
        },
      },
    },
    '/openapi.json': {
      get: {
        operationId: 'openapi',
        summary: 'This document',
        responses: { 200: { description: 'It', content: json({ type: 'object' }) }, ...ANY },
      },
    },
    '/.well-known/runback-audit-key.pem': {
      get: {
        operationId: 'key',
        summary: 'The Ed25519 key that is pinned first',
        responses: {
          200: {
            description: 'SPKI PEM',
            content: {
              'application/x-pem-file': { schema: { type: 'string', pattern: '^-----BEGIN PUBLIC KEY-----' } },
            },
          },
          404: refusal('No key is pinned'),
          ...ANY,
        },
      },
    },
  },
  components: {
    schemas: {
      Record: {
        type: 'object',
        required: ['manifest', 'events'],
        properties: {
          $schema: { enum: ['runback.audit/v2', 'runback.cassette/v1'] },
          manifest: { type: 'object' },
          run: { type: 'object' },
          events: { type: 'array', items: { type: 'object' } },
        },
      },
      Result: {
        type: 'object',
        required: ['valid', 'verdict', 'integrity', 'checks', 'consistency_failures', 'meta', 'failures'],
        additionalProperties: false,
        properties: {
          valid: { type: 'boolean', description: 'Whole, and signed by a pinned key or with the HMAC key' },
          verdict: { enum: ['valid', 'unverified', 'invalid'] },
          integrity: { type: 'boolean', description: "All checks but the signature's passed" },
          checks: {
            type: 'object',
            required: ['schema', 'chain', 'digest', 'cassette', 'consistent', 'signature', 'signature_alg'],
            additionalProperties: false,
            properties: {
              schema: PASSES,
              chain: PASSES,
              digest: PASSES,
              cassette: PASSES,
              consistent: PASSES,
              signature: { enum: ['valid', 'valid-unpinned', 'revoked', 'invalid', 'no-key', 'unsigned'] },
              signature_alg: { enum: ['Ed25519', 'HMAC-SHA256', null] },
            },
          },
          consistency_failures: { type: 'array', items: { type: 'string' } },
          meta: {
            type: 'object',
            required: ['schema', 'event_count', 'spec_url'],
            additionalProperties: false,
            properties: {
              schema: ANYTHING,
              run_id: ANYTHING,
              event_count: { type: 'integer', minimum: 0 },
              generated_at: ANYTHING,
              spec_url: ANYTHING,
            },
          },
          failures: { type: 'array', items: ref('Failure') },
        },
      },
      Failure: {
        type: 'object',
        required: ['check', 'pointer'],
        additionalProperties: false,
        properties: {
          check: { enum: ['schema', 'consistent', 'chain', 'digest', 'cassette', 'signature'] },
          index: { type: 'integer', minimum: 0, description: 'The first event at which it failed' },
          pointer: { type: 'string', description: 'JSON Pointer to the claim that does not hold' },
          evidence: { type: 'string', description: 'JSON Pointer to what contradicts it' },
          expected: { type: 'string', description: 'The digest that would be right' },
          actual: ANYTHING,
        },
      },
      Refusal: {
        type: 'object',
        required: ['error'],
        additionalProperties: false,
        properties: {
          error: {
            type: 'object',
            required: ['message'],
            additionalProperties: false,
            properties: { message: { type: 'string' }, code: { type: 'string', pattern: '^ERR_TAPEPROOF_' } },
          },
        },
      },
    },
  },
};

const INTEGER = { type: 'integer', minimum: 0 };
const TEXT = { type: 'string' };
const RECORDED = { type: 'object', description: 'As it was recorded; of whatever types, when others wrote it' };
const list = (items: object) => ({ type: 'array', items });

/** An object that has all of these members, and no others. */
const exactly = (properties: object, optional: readonly string[] = []) => ({
  type: 'object',
  required: Object.keys(properties).filter(name => !optional.includes(name)),
  additionalProperties: false,
  properties,
});

const RUNS_SCHEMAS = {
  Listed: exactly(
    {
      run_id: { ...TEXT, description: 'The name of its folder' },
      run: RECORDED,
      steps: INTEGER,
      pricing: ref('Pricing'),
      problem: { ...TEXT, description: 'Why it cannot be read; then there is nothing else of it' },
    },
    ['run', 'steps', 'pricing', 'problem'],
  ),
  Pricing: exactly({
    priced: { ...INTEGER, description: 'Steps whose cost is known' },
    unpriced: { ...INTEGER, description: 'Calls of models whose cost is not: the sum is too low' },
  }),
  RunPage: exactly({
    run_id: TEXT,
    run: RECORDED,
    steps: { ...list(RECORDED), description: 'By seq' },
    from: INTEGER,
    total: INTEGER,
    problems: list(TEXT),
  }),
  StepPage: exactly({
    run_id: TEXT,
    step: RECORDED,
    cassette: { type: ['object', 'null'], description: 'Its request and response; null when it is missing' },
    elsewhere: { ...list(exactly({ run_id: TEXT, seq: INTEGER })), description: 'Other steps that made the same call' },
    more: { ...INTEGER, description: 'So many beside those' },
    unread: { ...INTEGER, description: 'Runs that could not be looked through' },
  }),
  Comparison: exactly({
    same: { type: 'boolean', description: 'All calls, all answers and the ending' },
    counts: exactly({ same: INTEGER, answer: INTEGER, changed: INTEGER, missing: INTEGER, extra: INTEGER }),
    ending: exactly({ same: { type: 'boolean' }, pointers: list(TEXT) }),
    steps: list(
      exactly(
        {
          result: { enum: ['same', 'answer', 'changed', 'missing', 'extra'] },
          a: { type: ['integer', 'null'], description: 'seq of the step' },
          b: { type: ['integer', 'null'] },
          pointers: list(TEXT),
          only_redacted: { type: 'boolean' },
        },
        ['pointers', 'only_redacted'],
      ),
    ),
  }),
};

const parameter = (name: string, schema: object) => ({ name, in: 'path', required: true, schema });
const RUN = parameter('run', TEXT);

/** The operations on recorded runs; with a token only for those who have it. */
function runsPaths(withToken: boolean): object {
  const get = (operationId: string, summary: string, schema: object, ...parameters: object[]) => ({
    get: {
      operationId,
      summary,
      ...(withToken && { security: [{ token: [] }] }),
      ...(parameters.length > 0 && { parameters }),
      responses: {
        200: { description: 'It', content: json(schema) },
        ...(withToken && { 401: refusal('Without the token') }),
        ...(parameters.length > 0 && { 404: refusal('There is none') }),
        409: refusal('It cannot be read'),
        ...ANY,
      },
    },
  });
  return {
    '/api/runs': get('runs', 'The recorded runs', list(ref('Listed'))),
    '/api/runs/{run}/from/{from}': get(
      'run',
      'A run, and a part of its steps',
      ref('RunPage'),
      RUN,
      parameter('from', INTEGER),
    ),
    '/api/runs/{run}/steps/{seq}': get(
      'step',
      'A step with its cassette',
      ref('StepPage'),
      RUN,
      parameter('seq', INTEGER),
    ),
    '/api/runs/{run}/compare/{other}': get(
      'compare',
      'Two runs, call by call',
      ref('Comparison'),
      RUN,
      parameter('other', TEXT),
    ),
  };
}

/** The document of a server: of recorded runs only where it shows them. */
export function openapiFor(recordings: { token: string | undefined } | undefined): object {
  if (!recordings) return OPENAPI;
  const { paths, components } = OPENAPI;
  const withToken = recordings.token !== undefined;
  return {
    ...OPENAPI,
    paths: { ...paths, ...runsPaths(withToken) },
    components: {
      schemas: { ...components.schemas, ...RUNS_SCHEMAS },
      ...(withToken && { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }),
    },
  };
}
