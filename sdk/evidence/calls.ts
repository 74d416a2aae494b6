// The calls of a run, from its recording or from its record, as `compareRuns` sees them.
import { HASH_VERSION, reqHash, stateHash } from '../hash.js';
import { isObject } from '../json.js';
import { failure } from '../native.js';
import type { RewindRequest } from '../request.js';
import { readCall } from './call.js';
import { callEvent, envelopeOf, type RunEvent } from './events.js';
import { RecordedRun } from './run.js';

/** A run to compare: recorded in a folder, or a record of it. */
export type RunSource = { dir: string; runId: string } | { events: readonly unknown[] };

/** A call with what came of it. */
export interface AnsweredCall {
  request: RewindRequest;
  answer: { response: unknown; error: unknown };
}

/** How a run ended. */
export type Ending = Record<'status' | 'output' | 'error', unknown>;

/** The calls of a run in the order of `seq`. They are read when they are asked for. */
export interface Calls {
  readonly length: number;
  readonly ending: Ending;
  /** The `seq` of the step, or of the event. */
  seq(at: number): number;
  /** `reqHash` of the request before it was redacted, where that is known. */
  hash(at: number): string | undefined;
  /** A text that is the same for the same answer. */
  answer(at: number): string;
  call(at: number): AnsweredCall;
  close(): void;
}

/**
 * The calls of a run.
 *
 * @throws as {@link RecordedRun}; {TypeError} `ERR_TAPEPROOF_RECORD`, `ERR_TAPEPROOF_EVENT` for what is no record
 */
export const callsOf = (source: RunSource): Calls =>
  'dir' in source ? new RecordedCalls(source.dir, source.runId) : new SealedCalls(source.events);

/** The text of an answer that has this hash, or of the error in its place. */
const answerText = (responseHash: string, error: unknown): string =>
  error ? `${responseHash} ${stateHash(error)}` : responseHash;

function answered(event: RunEvent): AnsweredCall | undefined {
  const call = readCall(event);
  return (
    call && {
      request: call.request as RewindRequest,
      answer: { response: call.response, error: event['error'] ?? null },
    }
  );
}

class RecordedCalls implements Calls {
  readonly length: number;
  readonly ending: Ending;
  readonly #recorded: RecordedRun;

  constructor(dir: string, runId: string) {
    this.#recorded = new RecordedRun(dir, runId);
    this.length = this.#recorded.steps.length;
    this.ending = endingOf(envelopeOf(this.#recorded).end);
  }

  seq(at: number): number {
    return this.#recorded.steps.at(at).seq;
  }

  hash(at: number): string {
    return this.#recorded.steps.at(at).req_hash;
  }

  answer(at: number): string {
    const step = this.#recorded.steps.at(at);
    return answerText(step.response_hash ?? stateHash(this.call(at).answer.response), step.error);
  }

  call(at: number): AnsweredCall {
    const step = this.#recorded.steps.at(at);
    return answered(callEvent(step, this.#recorded.cassetteOf(step), true)) as AnsweredCall;
  }

  close(): void {
    this.#recorded.steps.close();
  }
}

class SealedCalls implements Calls {
  readonly length: number;
  readonly ending: Ending;
  readonly #calls: { seq: number; event: RunEvent; call: AnsweredCall }[] = [];

  constructor(events: unknown) {
    if (!Array.isArray(events)) throw failure('ERR_TAPEPROOF_RECORD', '');
    let end: RunEvent = {};
    for (const [index, event] of events.entries()) {
      if (!isObject(event)) throw failure('ERR_TAPEPROOF_EVENT', `/events/${index}`);
      if (event['type'] === 'run' && event['phase'] === 'end') end = event;
      requireVersion(event, index);
      const call = answered(event);
      const { seq } = event;
      if (call) this.#calls.push({ seq: typeof seq === 'number' ? seq : 0, event, call });
    }
    this.#calls.sort((a, b) => a.seq - b.seq);
    this.length = this.#calls.length;
    this.ending = endingOf(end);
  }

  seq(at: number): number {
    return this.#at(at).seq;
  }

  hash(at: number): string | undefined {
    const hash = this.#at(at).event['req_hash'];
    return typeof hash === 'string' ? hash : undefined;
  }

  // What the event says of the response's hash is not asked: the response is here.
  answer(at: number): string {
    const { response, error } = this.call(at).answer;
    return answerText(stateHash(response), error);
  }

  call(at: number): AnsweredCall {
    return this.#at(at).call;
  }

  close(): void {}

  #at(at: number): { seq: number; event: RunEvent; call: AnsweredCall } {
    return this.#calls[at] as { seq: number; event: RunEvent; call: AnsweredCall };
  }
}

function endingOf({ status = null, output = null, error = null }: RunEvent): Ending {
  return { status, output, error };
}

/** Hashes of another version mean something else. */
function requireVersion({ type, metadata }: RunEvent, index: number): void {
  if (type !== 'run' || !isObject(metadata)) return;
  const version = metadata['hash_version'] ?? HASH_VERSION;
  if (version !== HASH_VERSION) {
    throw failure('ERR_TAPEPROOF_HASH_VERSION', `/events/${index}/metadata/hash_version`);
  }
}

/** What stands for a request whose own hash is not known: the hash of its redacted form. */
export const redactedHash = ({ request }: AnsweredCall): string => `redacted ${reqHash(request)}`;
