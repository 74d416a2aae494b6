// Records every call that an agent makes of its models and tools. Nothing of LangChain is imported: whatever version of
// it the agent has is the one that is observed.
import { recorderFromEnv } from './env.js';
import { harmless, reasonOf } from './log.js';
import type { Pricing } from './middleware/call.js';
import { instrumentOf } from './middleware/instrument.js';
import { standIn } from './native.js';
import type { Recorder, RunMetadata } from './recorder.js';

export type { Pricing };

export interface RewindOptions<Model, Tools> {
  /** A chat model, a runnable with one in it, or anything with `invoke`. */
  model?: Model;
  /** The agent's tools, a list or a record of them; those that the provider runs stay as they are. */
  tools?: Tools;
  /** Records here, in place of the recorder that the environment asks for. */
  recorder?: Recorder | null | undefined;
  /** What is known of the run, for the recorder of the environment. */
  run?: RunMetadata | undefined;
  /** What a call costs. */
  pricing?: Pricing | undefined;
}

/** The same model and tools, observed; the very same when nothing is recorded. */
export interface Rewind<Model, Tools> {
  model: Model;
  tools: Tools;
  /** Null when nothing is recorded. */
  recorder: Recorder | null;
  /** Observes one more model, tool, or runnable that is made of some, or a list or record of them. */
  wrap<T>(value: T): T;
}

/** Records the calls of a model and of tools, if the environment or `recorder` asks for it. Never throws. */
export async function withRewind<Model = undefined, Tools = undefined>(
  options: RewindOptions<Model, Tools> = {},
): Promise<Rewind<Model, Tools>> {
  const model = options?.model as Model;
  const tools = options?.tools as Tools;
  try {
    const recorder = options?.recorder ?? (await recorderFromEnv(options?.run));
    if (recorder) {
      // What would fail at every call fails now, once.
      standIn();
      const { model: asModel, tools: asTools, wrap } = instrumentOf(recorder, options.pricing);
      return { model: asModel(model), tools: asTools(tools), recorder, wrap };
    }
  } catch (error) {
    harmless(undefined)(`tapeproof: not recording: ${reasonOf(error)}`);
  }
  return { model, tools, recorder: null, wrap: value => value };
}
