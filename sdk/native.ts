// The only importer of the addon. It is loaded on first use, so that importing the package never throws.
import { createRequire } from 'node:module';

/** Calls into the addon; see `src/binding/session.rs`. */
export interface Session {
  intern(key: string): number;
  reqHash(frame: Uint8Array, start: number, end: number, list: unknown[]): string;
  stateHash(frame: Uint8Array, start: number, end: number, list: unknown[]): string;
  canonicalRequest(frame: Uint8Array, start: number, end: number, list: unknown[]): CanonicalObject;
  canonicalState(frame: Uint8Array, start: number, end: number, list: unknown[]): unknown;
  reqHashJson(text: string, list: unknown[]): string;
  stateHashJson(text: string, list: unknown[]): string;
  normalizeText(text: string, list: unknown[]): string;
  digest(text: string): string;
  pointer(frame: Uint8Array, start: number, end: number): string;
  error(code: string, pointer: string): Error;
  tidy(): boolean;
}

/** What `canonical` returns. */
export type CanonicalObject = Record<string, unknown>;

let loaded: Session | undefined;

/** The environment's one session. */
export const session = (): Session => (loaded ??= load());

function load(): Session {
  const { Session } = createRequire(import.meta.url)('../binding.cjs') as { Session: new () => Session };
  return new Session();
}
