// Seals a recorded run.
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { requireJson } from '../json.js';
import { failure, native } from '../native.js';
import { generationTime, preamble, type Sealed, type SealedRecord, type SealKeys, seal, signerOf } from '../seal.js';
import { replaceable, replaceWhole } from '../store/write.js';
import { callEvent, envelopeOf, type RunEvent } from './events.js';
import { RecordedRun } from './run.js';

/** How to seal a recorded run. */
export interface SealRunOptions extends SealKeys {
  /** ISO 8601; now by default. The same run and time give the same bytes. */
  generatedAt?: string;
  /** Seals a partial run too; the record then says of itself that it is no complete account. */
  allowPartial?: boolean;
  /** Keeps the hash of a request beside the request also where something in it was redacted. */
  withReqHash?: boolean;
}

/** This much text of events is sealed at a time. */
const PART_LENGTH = 1 << 18;

/**
 * Makes a record of a run in the folder `dir`.
 *
 * @throws {Error} `ERR_TAPEPROOF_RUN`, `ERR_TAPEPROOF_PARTIAL`, and with a pointer that names the step
 *   `ERR_TAPEPROOF_CASSETTE`, `ERR_TAPEPROOF_RECORDING`; `ERR_TAPEPROOF_HASH_VERSION`
 * @throws {TypeError} `ERR_TAPEPROOF_PRIVATE_KEY`, `ERR_TAPEPROOF_SIGNING_KEY`
 */
export function sealRun(dir: string, runId: string, options: SealRunOptions = {}): SealedRecord {
  const recorded = open(dir, runId, options);
  try {
    const { summary } = envelopeOf(recorded);
    return seal([...eventsOf(recorded, options)], { ...options, runId, run: summary });
  } finally {
    recorded.steps.close();
  }
}

/**
 * As {@link sealRun}, into a file, in memory that does not grow with the run but for the places of its steps. The file
 * appears whole, in place of one that is there, or not at all; a pipe or a device is written to.
 *
 * @returns the manifest
 * @throws as {@link sealRun}, and what the file system throws
 */
export function sealRunToFile(
  dir: string,
  runId: string,
  file: string,
  options: SealRunOptions = {},
): SealedRecord['manifest'] {
  const recorded = open(dir, runId, options);
  try {
    const { summary: run } = envelopeOf(recorded);
    requireJson(run, '/run');
    const signer = signerOf(options);
    const known = {
      run_id: runId,
      generated_at: generationTime(options),
      event_count: recorded.steps.length + 2,
    };
    const finish = ({ content, cassette, entry_count }: Progress) => {
      const sealed: Sealed = JSON.parse(native().finishSeal(content, cassette, entry_count, ...signer));
      return preamble(known, sealed);
    };
    const textOf = (head: ReturnType<typeof preamble>) =>
      Buffer.from(`${JSON.stringify({ ...head, run }).slice(0, -1)},"events":[`);

    const place = replaceable(file);
    if (place === undefined) {
      // Nothing can be written over later: the events are sealed first, and once more as they are written.
      const head = finish(writeEvents(undefined, eventsOf(recorded, options)));
      const output = openSync(file, 'w');
      try {
        writeFileSync(output, textOf(head));
        writeEvents(output, eventsOf(recorded, options));
        writeFileSync(output, ']}\n');
      } finally {
        closeSync(output);
      }
      return head.manifest;
    }

    // Digests and signatures are as long as those of nothing: the place in front of the events is filled at the end.
    // Every step gives one entry.
    let head = finish({ ...NOTHING, entry_count: recorded.steps.length });
    const blank = textOf(head);
    replaceWhole(place, output => {
      writeFileSync(output, blank);
      head = finish(writeEvents(output, eventsOf(recorded, options)));
      writeFileSync(output, ']}\n');
      const text = textOf(head);
      if (text.length !== blank.length) throw failure('ERR_TAPEPROOF_PANIC', '');
      for (let at = 0; at < text.length; ) at += writeSync(output, text, at, text.length - at, at);
    });
    return head.manifest;
  } finally {
    recorded.steps.close();
  }
}

function open(dir: string, runId: string, { allowPartial = false }: SealRunOptions): RecordedRun {
  const recorded = new RecordedRun(dir, runId);
  if (recorded.isPartial && !allowPartial) throw failure('ERR_TAPEPROOF_PARTIAL', '');
  return recorded;
}

function* eventsOf(recorded: RecordedRun, { withReqHash = false }: SealRunOptions): Generator<RunEvent> {
  const { start, end } = envelopeOf(recorded);
  yield start;
  for (let at = 0; at < recorded.steps.length; at += 1) {
    const step = recorded.steps.at(at);
    yield callEvent(step, recorded.cassetteOf(step), withReqHash);
  }
  yield end;
}

/** How far the seal has come; see `Progress` in Rust. */
interface Progress {
  content: string;
  cassette: string;
  entry_count: number;
}

const NOTHING: Progress = { content: '', cassette: '', entry_count: 0 };

/** Writes events with their hashes, with commas between them, or only seals them. */
function writeEvents(output: number | undefined, events: Iterable<RunEvent>): Progress {
  let progress = NOTHING;
  let part: string[] = [];
  let length = 0;
  let count = 0;
  const flush = () => {
    if (part.length === 0) return;
    const { content, cassette, entry_count } = progress;
    const sealed: Progress & { hashes: string[] } = JSON.parse(
      native().sealPart(`{"events":[${part.join(',')}]}`, content, cassette, entry_count),
    );
    if (output !== undefined) {
      const texts = part.map((text, at) => `${text.slice(0, -1)},"_hash":"${sealed.hashes[at]}"}`);
      writeFileSync(output, `${count === part.length ? '' : ','}${texts.join(',')}`);
    }
    progress = sealed;
    part = [];
    length = 0;
  };
  for (const event of events) {
    requireJson(event, `/events/${count}`);
    const text = JSON.stringify(event);
    part.push(text);
    length += text.length;
    count += 1;
    if (length >= PART_LENGTH) flush();
  }
  flush();
  return progress;
}
