/** The kinds of step that a run can have. */
export const STEP_KINDS = ['model', 'tool', 'clock', 'rng', 'human', 'env'] as const;

/** What a step records: a model call, a tool call, or another source of what cannot be foreseen. */
export type StepKind = (typeof STEP_KINDS)[number];

/** How a step found its cassette. */
export const MATCH_TIERS = ['exact', 'miss', 'recorded'] as const;

/** `recorded` is what a live run writes; `exact` and `miss` are what a replay reports. */
export type MatchTier = (typeof MATCH_TIERS)[number];

/** An error as it is recorded. */
export interface RecordedError {
  name: string;
  message: string;
}

/** Tokens of one call. */
export interface Usage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
}

/** One execution of an agent. */
export interface Run {
  /** ULID */
  run_id: string;
  thread_id: string;
  graph_sha: string;
  code_sha: string;
  prompt_sha: string;
  model_cfg: Record<string, unknown>;
  /** An integer below 2^53. */
  seed: number;
  flags_snapshot: Record<string, unknown>;
  hash_version: number;
  /** ISO 8601 */
  started_at: string;
  /** ISO 8601, null while the run goes on. */
  ended_at: string | null;
  status: 'complete' | 'partial' | 'error';
  outcome: { final_state_hash: string; [key: string]: unknown } | null;
  /** Totals over the steps. */
  tokens: number;
  cost_usd: number;
  latency_ms: number;
  /** Steps that could not be recorded. */
  dropped?: number;
}

/** One call that a run made. */
export interface Step {
  run_id: string;
  /** From 0, in the order in which the calls began. */
  seq: number;
  /** The node of the graph. */
  node: string;
  kind: StepKind;
  /** `reqHash` of the request. */
  req_hash: string;
  /** Names the cassette that holds this step's request and response. */
  cassette_ref: string;
  match_tier: MatchTier;
  latency_ms: number;
  tokens: number | null;
  cost_usd: number | null;
  error: RecordedError | null;
  /** `stateHash` of the redacted response. */
  response_hash?: string;
  started_at?: string;
  ended_at?: string;
  usage?: Usage | null;
}

/** One request with one response to it, redacted. Never changed once written. */
export interface Cassette {
  /** `reqHash` of the request. */
  hash: string;
  hash_version: number;
  kind: StepKind;
  /** JSON text */
  request: string;
  /** JSON text */
  response: string;
  chunks: null;
  provider: string | null;
  model_version: string | null;
  /** Token to matcher name; never an original value. */
  redaction_map: Record<string, string>;
  refcount: number;
  /** ISO 8601 */
  recorded_at: string;
}
