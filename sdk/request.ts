/** One message of a conversation, flattened from the framework's own classes. */
export interface Message {
  role: string;
  content: unknown;
  [key: string]: unknown;
}

/** A call of a model. Sampling parameters that are null or missing do not count. */
export interface ModelRequest {
  kind: 'model';
  provider: string;
  model_id: string;
  messages: readonly Message[];
  system_prompt_sha?: string;
  tool_schemas?: readonly unknown[];
  response_format?: unknown;
  temperature?: number | null;
  top_p?: number | null;
  top_k?: number | null;
  seed?: number | null;
  max_tokens?: number | null;
  tool_choice?: unknown;
}

/** A call of a tool. */
export interface ToolRequest {
  kind: 'tool';
  tool_name: string;
  args: unknown;
}

/** A reading of the clock or of a random source: only how often it was read counts. */
export interface ShimRequest {
  kind: 'clock' | 'rng';
  counter: number;
}

/** Any call that can be hashed, told apart by `kind`. */
export type RewindRequest = ModelRequest | ToolRequest | ShimRequest;
