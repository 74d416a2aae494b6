// Turns what an agent does into steps and cassettes. Whatever goes wrong is counted and logged, and never thrown into
// the agent: its run is `partial` then, for good.
import { otherRef, responseHash } from './cassette.js';
import { HASH_VERSION, reqHash } from './hash.js';
import { harmless, isThenable, type Log, reasonOf, sparing } from './log.js';
import { Recent } from './recent.js';
import { type RedactConfig, redact } from './redact.js';
import { jsonText, settled } from './redaction.js';
import type { RewindRequest } from './request.js';
import type { Cassette, RecordedError, Run, Step, StepKind, Usage } from './schema.js';
import type { Store } from './store/types.js';
import { ulid } from './ulid.js';

export interface RecorderOptions {
  store: Store;
  /** What is redacted before anything is stored: the default preset, unless told otherwise. */
  redact?: RedactConfig | undefined;
  /** What is known of the run. */
  run?: RunMetadata | undefined;
  /** Takes one line a minute at most; standard error by default. */
  log?: Log | undefined;
}

/** What a caller may say of a run. The rest is the recorder's own account. */
export type RunMetadata = Partial<
  Pick<
    Run,
    | 'run_id'
    | 'thread_id'
    | 'graph_sha'
    | 'code_sha'
    | 'prompt_sha'
    | 'model_cfg'
    | 'seed'
    | 'flags_snapshot'
    | 'started_at'
  >
>;

/** One call that came to its end. */
export interface Observation {
  /** The node of the graph. */
  node: string;
  kind: StepKind;
  request: RewindRequest | { kind: 'human' | 'env'; [field: string]: unknown };
  /** `null` for a call that threw. */
  response: unknown;
  latency_ms: number;
  tokens?: number | null | undefined;
  cost_usd?: number | null | undefined;
  error?: RecordedError | null | undefined;
  provider?: string | null | undefined;
  model_version?: string | null | undefined;
  /** From {@link Recorder.reserve}; the next one by default. */
  seq?: number | undefined;
  /** ISO 8601; by default the moment of recording, and `latency_ms` before it. */
  started_at?: string | undefined;
  ended_at?: string | undefined;
  usage?: Usage | null | undefined;
}

/** How many requests a recorder remembers for a store that returns no refs. */
const REMEMBERED = 4096;

export class Recorder {
  /** The run as it stands. `status` is `complete` until something is dropped; on disk it is `partial` until `finish`. */
  readonly run: Run = newRun();
  /** Writes that were lost, and steps that were recorded. */
  readonly stats = { dropped: 0, steps: 0 };

  #store: Store | undefined;
  /** Null until it is read, which `redact` refuses: nothing is stored that was not redacted as it was meant to be. */
  #redact: RedactConfig | null = null;
  #log: Log = sparing(harmless(undefined));
  #next = 0;
  /** The store holds the run, so that its steps can be found. */
  #opened = false;
  #finished = false;
  readonly #answers = new Recent<string>(REMEMBERED);

  constructor(options: RecorderOptions) {
    try {
      this.#log = sparing(harmless(options.log));
      this.#store = options.store;
      this.#store.onDrop?.(count => this.#drop(count, undefined));
      this.#redact = settled(options.redact);
      this.#describe(options.run ?? {});
    } catch (error) {
      this.#drop(1, error);
    }
    this.#attempt(() => this.#open());
  }

  /** The next `seq`, for a call that starts now: steps are in the order in which calls began. */
  reserve(): number {
    const seq = this.#next;
    this.#next += 1;
    return seq;
  }

  /** Records one call: its cassette, its step, its part of the totals. */
  record(observation: Observation): void {
    this.#attempt(() => this.#record(observation));
  }

  /** Counts a call that could not be observed: the run is no complete account. */
  lose(error: unknown): void {
    this.#drop(1, error);
  }

  /** Ends the run and writes it. A run that is `partial` stays it. */
  finish(outcome: Run['outcome'], status: Run['status'] = 'complete'): void {
    this.#attempt(() => {
      this.run.ended_at = new Date().toISOString();
      if (this.run.status !== 'partial') this.run.status = status;
      this.#finished = true;
      this.run.outcome = outcome ? (this.#redacted(outcome) as Run['outcome']) : null;
    });
    this.save();
  }

  /** Writes the run as it stands. */
  save(): void {
    this.#attempt(() => this.#putRun({ ...this.run, status: this.#finished ? this.run.status : 'partial' }));
  }

  #describe(metadata: RunMetadata): void {
    const { run } = this;
    for (const name of ['run_id', 'thread_id', 'graph_sha', 'code_sha', 'prompt_sha', 'started_at'] as const) {
      const text = metadata[name];
      if (typeof text === 'string') run[name] = text;
    }
    const { seed, model_cfg, flags_snapshot } = metadata;
    if (Number.isSafeInteger(seed)) run.seed = seed as number;
    if (model_cfg) run.model_cfg = this.#redacted(model_cfg) as Run['model_cfg'];
    if (flags_snapshot) run.flags_snapshot = this.#redacted(flags_snapshot) as Run['flags_snapshot'];
  }

  /** A process that dies leaves a run that says `partial`. */
  #open(): void {
    this.#putRun({ ...this.run, status: 'partial' });
    this.#opened = true;
  }

  #reopen(): void {
    try {
      this.#open();
    } catch {
      // Counted the first time.
    }
  }

  #record(observation: Observation): void {
    const seq = this.#take(observation?.seq);
    const { node, kind, request, response = null, latency_ms, provider = null, model_version = null } = observation;
    const now = Date.now();
    // Over the plaintext: a new rule of redaction must not change what a call is.
    const req_hash = reqHash(request as RewindRequest);
    const failure = observation.error ? recordedError(observation.error) : null;
    const { value, map } = redact({ request, response, error: failure }, this.#redact as RedactConfig);
    const redacted = value as { request: unknown; response: unknown; error: unknown };

    const cassette: Cassette = {
      hash: req_hash,
      hash_version: HASH_VERSION,
      kind,
      request: jsonText(redacted.request),
      response: jsonText(redacted.response),
      chunks: null,
      provider,
      model_version,
      redaction_map: map,
      refcount: 1,
      recorded_at: new Date(now).toISOString(),
    };
    const response_hash = responseHash(cassette);
    if (!this.#opened) this.#reopen();
    const cassette_ref = this.#keep(cassette, response_hash);

    const tokens = numberOrNull(observation.tokens);
    const cost_usd = numberOrNull(observation.cost_usd);
    const latency = numberOrNull(latency_ms) ?? 0;
    const step: Step = {
      run_id: this.run.run_id,
      seq,
      node,
      kind,
      req_hash,
      cassette_ref,
      match_tier: 'recorded',
      latency_ms: latency,
      tokens,
      cost_usd,
      error: redacted.error === null ? null : recordedError(redacted.error),
      response_hash,
      started_at: observation.started_at ?? new Date(now - latency).toISOString(),
      ended_at: observation.ended_at ?? cassette.recorded_at,
      usage: observation.usage ?? null,
    };
    this.#watch(this.#target.appendStep(step));

    this.stats.steps += 1;
    this.run.latency_ms += latency;
    this.run.tokens += tokens ?? 0;
    this.run.cost_usd += cost_usd ?? 0;
    // A call that ends late, as of a tool that nobody waited for: the totals that were written lack it.
    if (this.#finished) this.save();
  }

  #take(seq: number | undefined): number {
    if (seq === undefined || !Number.isSafeInteger(seq) || seq < 0) return this.reserve();
    this.#next = Math.max(this.#next, seq + 1);
    return seq;
  }

  /** Puts a cassette and finds its ref. */
  #keep(cassette: Cassette, response_hash: string): string {
    const ref: unknown = this.#target.putCassette(cassette);
    if (typeof ref === 'string') return ref;
    this.#watch(ref);
    // What a store does not say, the answers of this run do.
    const first = this.#answers.get(cassette.hash);
    if (first === undefined) this.#answers.set(cassette.hash, response_hash);
    return first === undefined || first === response_hash ? cassette.hash : otherRef(cassette.hash, response_hash);
  }

  #putRun(run: Run): void {
    this.#watch(this.#target.putRun(run));
  }

  get #target(): Store {
    if (!this.#store) throw new TypeError('no store');
    return this.#store;
  }

  #redacted(value: unknown): unknown {
    return JSON.parse(jsonText(redact(value, this.#redact as RedactConfig).value));
  }

  #attempt(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#drop(1, error);
    }
  }

  /** A store that is asynchronous against the rules must not end the process with a rejection that nobody handles. */
  #watch(result: unknown): void {
    if (isThenable(result)) result.then(undefined, error => this.#drop(1, error));
  }

  #drop(count: number, error: unknown): void {
    try {
      this.#lost(count, error);
    } catch {
      // Somebody has frozen the account. Unfinished as it is, the run on disk is partial.
    }
  }

  #lost(count: number, error: unknown): void {
    this.stats.dropped += count;
    this.run.dropped = this.stats.dropped;
    const wasPartial = this.run.status === 'partial';
    this.run.status = 'partial';
    const reason = error === undefined ? 'the queue gave them up' : reasonOf(error);
    this.#log(`tapeproof: the run is partial, writes lost so far: ${this.stats.dropped} (${reason})`);
    // Also when it was finished: what was written then claims too much.
    if (!wasPartial && this.#finished) this.save();
  }
}

function newRun(): Run {
  return {
    run_id: ulid(),
    thread_id: '',
    graph_sha: '',
    code_sha: '',
    prompt_sha: '',
    model_cfg: {},
    seed: 0,
    flags_snapshot: {},
    hash_version: HASH_VERSION,
    started_at: new Date().toISOString(),
    ended_at: null,
    status: 'complete',
    outcome: null,
    tokens: 0,
    cost_usd: 0,
    latency_ms: 0,
    dropped: 0,
  };
}

const numberOrNull = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** Name and message of an error, also of one that a field rule has made a token of. */
function recordedError(error: unknown): RecordedError {
  if (typeof error !== 'object' || error === null) return { name: 'Error', message: String(error) };
  const { name, message } = error as Partial<RecordedError>;
  return { name: String(name ?? 'Error'), message: String(message ?? '') };
}
