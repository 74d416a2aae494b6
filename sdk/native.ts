// The only importer of the addon. It is loaded on first use, so that importing the package never throws.
import { createRequire } from 'node:module';
import type { ErrorCode } from './errors.js';

/** The addon's exports; see `src/binding/`. What outlives a call lives in it, one for each environment. */
export interface Addon {
  intern(key: string): number;
  reqHash(frame: Int32Array, start: number, end: number, text: string, list: unknown[]): string;
  stateHash(frame: Int32Array, start: number, end: number, text: string, list: unknown[]): string;
  canonicalRequest(frame: Int32Array, start: number, end: number, text: string, list: unknown[]): CanonicalObject;
  canonicalState(frame: Int32Array, start: number, end: number, text: string, list: unknown[]): unknown;
  reqHashJson(text: string, list: unknown[]): string;
  stateHashJson(text: string, list: unknown[]): string;
  normalizeText(text: string, list: unknown[]): string;
  digest(text: string): string;
  verify(
    frame: Int32Array,
    start: number,
    end: number,
    text: string,
    list: unknown[],
    pinned: readonly unknown[],
    revoked: readonly unknown[],
    hmacKeys: readonly unknown[],
  ): string;
  verifyJson(
    source: string | Uint8Array,
    pinned: readonly unknown[],
    revoked: readonly unknown[],
    hmacKeys: readonly unknown[],
  ): string;
  verifyJsonAsync(
    source: string | Uint8Array,
    pinned: readonly unknown[],
    revoked: readonly unknown[],
    hmacKeys: readonly unknown[],
  ): Promise<string>;
  eventChain(frame: Int32Array, start: number, end: number, text: string, list: unknown[]): string;
  cassetteDigest(frame: Int32Array, start: number, end: number, text: string, list: unknown[]): string;
  seal(draft: string, privateKey: string | undefined, hmacKey: unknown): string;
  sealPart(part: string, content: string, cassette: string, entryCount: number): string;
  finishSeal(
    content: string,
    cassette: string,
    entryCount: number,
    privateKey: string | undefined,
    hmacKey: unknown,
  ): string;
  matchers(set: number, name: string): number;
  matcherName(index: number): string;
  findSensitive(texts: readonly string[], matchers: number): Uint32Array | undefined;
  pointer(frame: Int32Array, start: number, end: number, text: string): string;
  error(code: string, pointer: string): Error;
  forgetKeys(): void;
}

/** What `canonical` returns. */
export type CanonicalObject = Record<string, unknown>;

let loaded: Addon | undefined;

/** The addon of this environment. */
export const native = (): Addon => (loaded ??= load());

/** The builds that may serve a platform; npm installs the one that does. */
const TARGETS: Record<string, readonly string[]> = {
  'linux-x64': ['linux-x64-gnu', 'linux-x64-musl'],
  'linux-arm64': ['linux-arm64-gnu', 'linux-arm64-musl'],
  'darwin-x64': ['darwin-x64'],
  'darwin-arm64': ['darwin-arm64'],
  'win32-x64': ['win32-x64-msvc'],
  'win32-arm64': ['win32-arm64-msvc'],
};

function load(): Addon {
  const require = createRequire(import.meta.url);
  const platform = `${process.platform}-${process.arch}`;
  const causes: unknown[] = [];
  for (const target of TARGETS[platform] ?? []) {
    // Beside the package in a checkout, a package of its own when installed.
    for (const place of [`../tapeproof.${target}.node`, `tapeproof-${target}`]) {
      try {
        return require(place) as Addon;
      } catch (cause) {
        causes.push(cause);
      }
    }
  }
  const code: ErrorCode = 'ERR_TAPEPROOF_ADDON';
  const cause = new AggregateError(causes);
  throw Object.assign(new Error(`no addon of tapeproof could be loaded for ${platform}`, { cause }), { code });
}
