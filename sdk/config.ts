import type { RedactConfig } from './redact.js';

/** Where recordings go unless told otherwise. */
export const DEFAULT_DIR = '.rewind';

/** What a `rewind.config.ts` (or `.mjs`, `.js`) exports by default. The environment goes before it. */
export interface RewindConfig {
  /** The folder of the recordings. */
  dir?: string | undefined;
  /** An ingest server, in place of a folder. */
  server?: string | undefined;
  /** The bearer token for the server. */
  token?: string | undefined;
  redact?: RedactConfig | undefined;
}

/** The configuration as it is, with its type checked. */
export const defineConfig = (config: RewindConfig): RewindConfig => config;
