// The events of a record, made of what was recorded.
import { HASH_VERSION } from '../hash.js';
import { failure } from '../native.js';
import type { Cassette, Step } from '../schema.js';
import type { RunSummary } from '../seal.js';
import { writeCall } from './call.js';
import type { RecordedRun } from './run.js';

/** An event of a record. */
export type RunEvent = Record<string, unknown>;

/** What a record of a run begins and ends with, and its summary. */
export interface Envelope {
  start: RunEvent;
  end: RunEvent;
  summary: RunSummary;
}

/** The envelope of a run. What its end says, the summary says too: `verify` compares them. */
export function envelopeOf(recorded: RecordedRun): Envelope {
  const { run, steps } = recorded;
  const { run_id, thread_id, started_at = null, ended_at = null, outcome = null } = run;
  const dropped = run.dropped ?? 0;
  const name = thread_id || run_id;
  const metadata = {
    thread_id: thread_id ?? '',
    graph_sha: run.graph_sha ?? '',
    code_sha: run.code_sha ?? '',
    prompt_sha: run.prompt_sha ?? '',
    model_cfg: run.model_cfg ?? {},
    seed: run.seed ?? 0,
    flags_snapshot: run.flags_snapshot ?? {},
    hash_version: HASH_VERSION,
  };
  const { status, error } = endingOf(recorded, dropped);
  const totals = {
    step_count: steps.length,
    total_tokens: run.tokens ?? 0,
    total_cost_usd: run.cost_usd ?? 0,
    total_latency_ms: run.latency_ms ?? 0,
    dropped,
  };
  const event = (seq: number, phase: string, ts_end: string | null) => ({
    schema_version: 1,
    run_id,
    span_id: run_id,
    parent_span_id: null,
    seq,
    ts_start: started_at,
    ts_end,
    type: 'run',
    phase,
    name,
    input: null,
  });
  return {
    start: { ...event(0, 'start', null), output: null, status: 'running', error: null, metadata },
    end: {
      ...event(steps.length + steps.missing + 1, 'end', ended_at),
      output: outcome,
      status,
      error,
      metadata,
      ...totals,
    },
    summary: { run_id, name, status, started_at, ended_at, input: null, output: outcome, error, metadata, ...totals },
  };
}

/** How a run ended. An account that is known to be incomplete says so itself. */
function endingOf(recorded: RecordedRun, dropped: number): { status: string; error: object | null } {
  if (recorded.isPartial) {
    const { missing, unreadable } = recorded.steps;
    const message = 'the recording is no complete account of the run';
    return { status: 'error', error: { name: 'PartialRecording', message, dropped, missing, unreadable } };
  }
  const { status } = recorded.run;
  if (status === 'complete') return { status: 'success', error: null };
  if (status === 'error') return { status: 'error', error: null };
  throw failure('ERR_TAPEPROOF_RECORDING', '/status');
}

/** The event of a step: what was asked and answered is what its cassette holds. */
export function callEvent(step: Step, cassette: Cassette, withReqHash: boolean): RunEvent {
  const { run_id, seq, node = null, tokens = null, latency_ms = null, cost_usd = null, error = null } = step;
  const call = writeCall(step.kind, held(step, cassette.request), held(step, cassette.response), cassette);
  if (!call) throw failure('ERR_TAPEPROOF_RECORDING', `/steps/${seq}/kind`);
  // The hash of a short secret's surroundings lets a reader guess the secret.
  const isHashShown = withReqHash || Object.keys(cassette.redaction_map ?? {}).length === 0;
  return {
    schema_version: 1,
    run_id,
    span_id: `${run_id}.${seq}`,
    parent_span_id: run_id,
    seq: seq + 1,
    ts_start: step.started_at ?? null,
    ts_end: step.ended_at ?? null,
    ...call,
    node,
    usage: step.usage ?? (tokens === null ? null : { total_tokens: tokens }),
    latency_ms,
    cost_usd,
    error,
    ...(isHashShown && { req_hash: step.req_hash }),
    ...(step.response_hash !== undefined && { response_hash: step.response_hash }),
  };
}

function held(step: Step, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw failure('ERR_TAPEPROOF_CASSETTE', `/steps/${step.seq}/cassette_ref`);
  }
}
