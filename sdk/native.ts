// The only importer of the addon. It is loaded on first use, so that importing the package never throws.
import type { ErrorCode } from './errors.js';

const { createRequire } = process.getBuiltinModule('node:module');

/** An addon of another version may hash otherwise. `node scripts/platforms.mjs` writes this. */
const VERSION = '0.1.0';

// A bundle in CommonJS has no `import.meta`.
const here = (): string => import.meta.url ?? __filename;

/** The addon's exports; see `src/binding/`. What outlives a call lives in it, one for each environment. */
export interface Addon {
  /** That of the package that it was built for. */
  version: string;
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
  verifyFile(
    path: string,
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

/** What hashes and redacts where there is no addon. */
export type Fallback = typeof import('./fallback/index.cjs');

let addon: Addon | undefined;
let fallback: Fallback | undefined;
/** What became of the attempts to load the addon, when all have failed. */
let causes: unknown[] | undefined;

/** Whether the addon could be loaded. If not, hashing and redaction are done in plain JavaScript, and records are not. */
export function isNative(): boolean {
  if (addon === undefined && causes === undefined) load();
  return addon !== undefined;
}

/** The addon of this environment, for what only it can do. */
export function native(): Addon {
  if (addon === undefined && !isNative()) throw unavailable('which verification and the extended preset need');
  return addon as Addon;
}

/** What stands in for the addon: nothing where the addon is. */
export function standIn(): Fallback | undefined {
  return addon === undefined ? (fallback ??= loadFallback()) : undefined;
}

/** The error of a code, at a JSON Pointer. */
export const failure = (code: ErrorCode, pointer: string): Error => (standIn() ?? native()).error(code, pointer);

const platform = (): string => `${process.platform}-${process.arch}`;
const ABIS: Partial<Record<NodeJS.Platform, readonly string[]>> = { linux: ['-gnu', '-musl'], win32: ['-msvc'] };

/** Tries the builds that may serve this platform; npm installs the one that does. */
function load(): void {
  const require = createRequire(here());
  const failed: unknown[] = [];
  for (const abi of ABIS[process.platform] ?? ['']) {
    // Beside the package in a checkout, a package of its own when installed.
    for (const place of [`../tapeproof.${platform()}${abi}.node`, `tapeproof-${platform()}${abi}`]) {
      try {
        const found = require(place) as Addon;
        if (found.version !== VERSION) throw new Error(`expected version ${VERSION}, found ${found.version}`);
        addon = found;
        return;
      } catch (cause) {
        failed.push(cause);
      }
    }
  }
  causes = failed;
}

/** Copies of the package under several names share a process, and it is warned once. */
const WARNED = Symbol.for('tapeproof.fallback');

function loadFallback(): Fallback | undefined {
  if (isNative()) return undefined;
  if (process.env['TAPEPROOF_REQUIRE_NATIVE'] === '1') throw unavailable('which TAPEPROOF_REQUIRE_NATIVE asks for');
  let loaded: Fallback;
  try {
    loaded = createRequire(here())('./fallback/index.cjs') as Fallback;
  } catch (cause) {
    causes?.push(cause);
    throw unavailable('for which plain JavaScript stands in but not in a bundle');
  }
  const shared = process as { [WARNED]?: boolean };
  if (!shared[WARNED]) {
    shared[WARNED] = true;
    process.emitWarning(
      `expected the addon of tapeproof for ${platform()}, ${found()}: plain JavaScript stands in for it`,
      {
        type: 'TapeproofWarning',
        code: 'TAPEPROOF_FALLBACK',
      },
    );
  }
  return loaded;
}

/** What became of the attempts, in words. The first that found a file tells why it did not serve. */
function found(): string {
  const codes = (causes ?? []).map(cause => (cause as NodeJS.ErrnoException).code ?? 'another version');
  const code = codes.find(code => code !== 'MODULE_NOT_FOUND');
  return code === undefined ? 'found none' : `found one that cannot be loaded [${code}]`;
}

function unavailable(what: string): Error {
  const code: ErrorCode = 'ERR_TAPEPROOF_ADDON';
  const message = `expected the addon of tapeproof for ${platform()}, ${what}, ${found()}. npm installs it unless optional dependencies are left out; \`npm run build\` in a clone builds it`;
  return Object.assign(new Error(message, { cause: new AggregateError(causes ?? []) }), { code });
}
