// Compiles, or fails to, as a user's strict code would. Never run.

import type * as tapeproof from 'tapeproof';
import type { ErrorCode, TapeproofError } from 'tapeproof';
import {
  canonical,
  diffRequests,
  HASH_VERSION,
  normalizeText,
  reqHash,
  reqHashJson,
  reqHashMany,
  stateHash,
  stateHashJson,
} from 'tapeproof/hash';
import {
  findSensitive,
  type MatcherName,
  type RedactConfig,
  type Redacted,
  redact,
  redactText,
  type SensitivePlace,
} from 'tapeproof/redact';
import type { Message, ModelRequest, RewindRequest, ToolRequest } from 'tapeproof/request';
import {
  type Cassette,
  type MATCH_TIERS,
  type MatchTier,
  type Run,
  STEP_KINDS,
  type Step,
  type StepKind,
} from 'tapeproof/schema';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <_ extends true>(): void => {};

// The drop-in names keep their signatures.
const model: ModelRequest = {
  kind: 'model',
  provider: 'anthropic',
  model_id: 'claude-sonnet-5',
  messages: [{ role: 'user', content: 'summarise this', name: 'anything else' }],
  system_prompt_sha: 'sha256:abc',
  tool_schemas: [{ name: 'search', parameters: {} }],
  temperature: null,
};
const tool: ToolRequest = { kind: 'tool', tool_name: 'search', args: { q: ['anything'] } };
const requests: RewindRequest[] = [model, tool, { kind: 'clock', counter: 1 }];

const hash: string = reqHash(model);
const state: string = stateHash({ anything: undefined });
const text: string = normalizeText('text');
const form: Record<string, unknown> = canonical(tool);
const version: number = HASH_VERSION;
const fromText: string[] = [reqHashJson('{}'), stateHashJson('{}')];
const many: string[] = reqHashMany(new Set(requests));
for (const { pointer, a, b } of diffRequests(model, tool))
  holds<Equal<[typeof pointer, typeof a, typeof b], [string, unknown, unknown]>>();

// A request is told apart by its kind.
function name(request: RewindRequest): string {
  switch (request.kind) {
    case 'model':
      return request.model_id;
    case 'tool':
      return request.tool_name;
    default:
      return String(request.counter);
  }
}

// @ts-expect-error a request has a kind
reqHash({});
// @ts-expect-error a tool has a name
reqHash({ kind: 'tool', args: {} });
// @ts-expect-error messages are a list
reqHash({ kind: 'model', provider: 'p', model_id: 'm', messages: 'text' });
// @ts-expect-error a text
reqHashJson({});
// @ts-expect-error a text
normalizeText(1);
// @ts-expect-error requests, not one request
reqHashMany(model);
// @ts-expect-error a message has a role
const message: Message = { content: 'x' };

// Lists are literal unions.
holds<Equal<StepKind, 'model' | 'tool' | 'clock' | 'rng' | 'human' | 'env'>>();
holds<Equal<MatchTier, 'exact' | 'miss' | 'recorded'>>();
holds<Equal<(typeof STEP_KINDS)[number], StepKind>>();
holds<Equal<(typeof MATCH_TIERS)[number], MatchTier>>();
// @ts-expect-error lists are constant
STEP_KINDS.push('model');

// The schema is closed enough to write against.
const step: Step = {
  run_id: '01J',
  seq: 0,
  node: 'plan',
  kind: 'model',
  req_hash: hash,
  cassette_ref: hash,
  match_tier: 'recorded',
  latency_ms: 420,
  tokens: 900,
  cost_usd: null,
  error: null,
};
const cassette: Pick<Cassette, 'hash' | 'hash_version' | 'kind'> = {
  hash,
  hash_version: HASH_VERSION,
  kind: step.kind,
};
const status: Run['status'] = 'partial';

// Codes are a union that a switch can exhaust, and the list has its type.
holds<Equal<(typeof tapeproof.ERROR_CODES)[number], ErrorCode>>();
const code: ErrorCode = 'ERR_TAPEPROOF_DEPTH';
// @ts-expect-error no such code
const wrong: ErrorCode = 'ERR_TAPEPROOF_OTHER';
function where(error: TapeproofError): string | undefined {
  const known: ErrorCode = error.code;
  return error.pointer ?? known;
}

// A configuration says what it may hold, and a value comes back as unknown.
const presets: RedactConfig[] = [
  {},
  { preset: 'extended', fields: ['user.ssn'], custom: [/x/g, { source: 'x', flags: '' }] },
  { preset: ['default', 'iban', 'ipv4'], fields: new Set(['a']) },
];
holds<Equal<ReturnType<typeof redact>, Redacted<unknown>>>();
const redactedText: string = redactText('text', presets[1]).value;
const map: Record<string, string> = redact({ a: 1 }).map;
const typed: { a: string } = redact<{ a: string }>({ a: 1 }, { fields: ['a'] }).value;
const places: SensitivePlace[] = findSensitive({ a: 'x' }, { preset: 'none' });
const matcher: MatcherName = 'aws-secret';
// @ts-expect-error no such preset
redact(1, { preset: 'strict' });
// @ts-expect-error one matcher is a list of one
redact(1, { preset: 'iban' });
// @ts-expect-error patterns are a list
redact(1, { custom: /x/ });
// @ts-expect-error a text
redactText(1);

// `.` has all of the cores.
holds<Equal<typeof tapeproof.reqHash, typeof reqHash>>();
holds<Equal<typeof tapeproof.redact, typeof redact>>();
holds<Equal<typeof tapeproof.STEP_KINDS, typeof STEP_KINDS>>();

export {
  cassette,
  code,
  form,
  fromText,
  many,
  map,
  matcher,
  message,
  name,
  places,
  redactedText,
  state,
  status,
  text,
  typed,
  version,
  where,
  wrong,
};
