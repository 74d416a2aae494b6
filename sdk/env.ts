// Recording as the environment asks for it.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DEFAULT_DIR, type RewindConfig } from './config.js';
import { parseDotenv } from './dotenv.js';
import { type BufferedStore, bufferedStore } from './emitter.js';
import { httpStore } from './http.js';
import { isObject } from './json.js';
import { harmless, reasonOf, sparing } from './log.js';
import { standIn } from './native.js';
import { Recorder, type RunMetadata } from './recorder.js';
import { redact } from './redact.js';
import { settled } from './redaction.js';
import { type AsyncStore, fileStore } from './store.js';
import { ENV_CONFIG, ENV_DIR, ENV_ENABLED, ENV_ENV_FILE, ENV_SERVER, ENV_TOKEN } from './variables.js';

export { ENV_CONFIG, ENV_DIR, ENV_ENABLED, ENV_ENV_FILE, ENV_SERVER, ENV_TOKEN };

interface Recording {
  recorder: Recorder;
  /** Has writes of its own to deliver. */
  buffer: BufferedStore | undefined;
}

/** What a process has one of, however many copies of this module are loaded under whatever name. */
interface Shared {
  recording: Promise<Recording | null> | undefined;
  atExit: boolean;
}

const SHARED = Symbol.for('tapeproof.recorder');

const shared = (): Shared => {
  const global = globalThis as { [SHARED]?: Shared };
  global[SHARED] ??= { recording: undefined, atExit: false };
  return global[SHARED];
};

const warn = (what: string): void => harmless(undefined)(`tapeproof: ${what}`);

/**
 * The one Recorder of this process, or null: recording is off, or its configuration is broken, which is said once.
 * What the first caller says of the run counts.
 */
export async function recorderFromEnv(run?: RunMetadata): Promise<Recorder | null> {
  const state = shared();
  if (!state.recording) {
    loadEnvFile();
    if (process.env[ENV_ENABLED] !== '1') return null;
  }
  state.recording ??= start(run);
  return (await state.recording)?.recorder ?? null;
}

/** Forgets the process's Recorder as it is, unfinished: the next caller gets a new one. */
export function resetRecorder(): void {
  shared().recording = undefined;
}

/**
 * Sets the variables of `.env`, or of the file that `REWIND_ENV_FILE` names, but for those that are set already.
 * Returns the path of the file, or null when there was none to load.
 */
export function loadEnvFile(): string | null {
  const named = process.env[ENV_ENV_FILE];
  if (named === '0') return null;
  let path: string;
  try {
    path = resolve(named || '.env');
    for (const [name, value] of parseDotenv(readFileSync(path, 'utf8'))) process.env[name] ??= value;
    return path;
  } catch (error) {
    const reason = reasonOf(error);
    if (named || reason !== 'ENOENT') warn(`the file of environment variables cannot be read (${reason})`);
    return null;
  }
}

async function start(run: RunMetadata | undefined): Promise<Recording | null> {
  try {
    const config = await loadConfig(process.env[ENV_CONFIG]);
    // What would fail at every step fails now, once.
    standIn();
    const redaction = settled(config.redact);
    redact('', redaction);
    const server = process.env[ENV_SERVER] || config.server;
    const token = process.env[ENV_TOKEN] || config.token;
    const buffer = server ? bufferedStore({ target: serverStore(server, token) }) : undefined;
    const store = buffer ?? fileStore(process.env[ENV_DIR] || config.dir || DEFAULT_DIR);
    const recorder = new Recorder({ store, redact: redaction, run });
    finishAtExit();
    return { recorder, buffer };
  } catch (error) {
    warn(`not recording: ${error instanceof ConfigError ? error.message : `set-up failed (${reasonOf(error)})`}`);
    return null;
  }
}

class ConfigError extends Error {}

/** What `fetch` would refuse at every batch is refused now. */
function serverStore(server: string, token: string | undefined): AsyncStore {
  const { protocol, username, password } = new URL(server);
  if (protocol !== 'http:' && protocol !== 'https:') throw new ConfigError(`${ENV_SERVER} is no http or https URL`);
  if (username || password) throw new ConfigError(`${ENV_SERVER} has a name or a password, expected ${ENV_TOKEN}`);
  try {
    new Headers({ authorization: token ?? '' });
  } catch {
    throw new ConfigError(`${ENV_TOKEN} cannot stand in a header`);
  }
  return httpStore({ url: server, token });
}

async function loadConfig(path: string | undefined): Promise<RewindConfig> {
  if (!path) return {};
  let config: unknown;
  try {
    config = await inTime(import(pathToFileURL(resolve(path)).href).then(defaultOf));
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const reason = reasonOf(error);
    throw new ConfigError(
      reason === 'ERR_UNKNOWN_FILE_EXTENSION'
        ? `this Node ${process.versions.node} cannot load a TypeScript configuration, ${ENV_CONFIG} can name a .mjs file`
        : `the configuration file cannot be loaded (${reason})`,
    );
  }
  if (!isObject(config)) throw new ConfigError('the configuration file has no object as its default export');
  for (const name of ['dir', 'server', 'token'] as const) {
    const value = config[name];
    if (value !== undefined && typeof value !== 'string')
      throw new ConfigError(`${name} of the configuration is no text`);
  }
  return config as RewindConfig;
}

/** The default export, also of a module that was compiled to CommonJS: Node gives all of its exports as that. */
function defaultOf({ default: exported }: { default?: unknown }): unknown {
  return isObject(exported) && exported['__esModule'] === true ? exported['default'] : exported;
}

const LONGEST_LOAD_MS = 10_000;

/** An agent must not wait for ever for a configuration that does. */
async function inTime<T>(loading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new ConfigError(`the configuration file takes longer than ${LONGEST_LOAD_MS / 1000} seconds`);
    timer = setTimeout(() => reject(error), LONGEST_LOAD_MS);
  });
  try {
    return await Promise.race([loading, late]);
  } finally {
    clearTimeout(timer);
  }
}

function finishAtExit(): void {
  const state = shared();
  if (state.atExit) return;
  state.atExit = true;
  // What one round has delivered is not delivered again: an event loop that stays empty ends the process.
  let delivered: string | undefined;
  const tell = sparing(harmless(undefined));
  process.on('beforeExit', async () => {
    const recording = await state.recording;
    if (!recording) return;
    const { recorder, buffer } = recording;
    const account = () => JSON.stringify([recorder.run.run_id, recorder.stats, recorder.run.ended_at]);
    if (account() === delivered) return;
    if (recorder.run.ended_at === null) recorder.finish(null);
    else recorder.save();
    const pending = (await buffer?.flush())?.pending ?? 0;
    if (pending > 0) tell(`tapeproof: writes that the server has not taken when the process ended: ${pending}`);
    delivered = account();
  });
}
