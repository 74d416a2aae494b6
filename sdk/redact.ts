import { failure } from './native.js';
import { type RedactConfig, readConfig } from './redact/config.js';
import { Copy } from './redact/copy.js';
import { findingsIn } from './redact/find.js';
import { scrub } from './redact/scrub.js';

export type { MatcherName, Preset, RedactConfig } from './redact/config.js';

/** A redacted value, and what its tokens stand for. */
export interface Redacted<Value = unknown> {
  value: Value;
  /** Each token and the name of its matcher; never an original. */
  map: Record<string, string>;
}

/** A place in a value that would be redacted. */
export interface SensitivePlace {
  /** JSON Pointer (RFC 6901) to the text or field. */
  pointer: string;
  /** The name of the matcher, `field`, or `custom:` and the index of a pattern. */
  matcher: string;
  /** In UTF-16 units of the text; a field is found from 0 to the length of its text, or to 0 when it is no text. */
  start: number;
  end: number;
}

/**
 * A copy of a value in which tokens stand for what the matchers find: `[redacted:<matcher>:<n>]`. The value is not
 * changed. The same original always gets the same token within one call. What the copy is, the caller may know: a field
 * that was redacted is a string, whatever it was.
 *
 * @throws {TypeError} `ERR_TAPEPROOF_CONFIG`, `ERR_TAPEPROOF_PRESET`, `ERR_TAPEPROOF_FIELDS`, `ERR_TAPEPROOF_CUSTOM`,
 * and `ERR_TAPEPROOF_BIGINT` for one in a field
 * @throws {SyntaxError} for a custom pattern that does not compile
 * @throws {RangeError} `ERR_TAPEPROOF_DEPTH` for a cycle or nesting beyond 2048, `ERR_TAPEPROOF_MEMORY`
 */
export function redact<Value = unknown>(value: unknown, config: RedactConfig = {}): Redacted<Value> {
  const plan = readConfig(config);
  const copy = new Copy(value, plan);
  const { map } = scrub(copy, plan);
  return { value: copy.value as Value, map };
}

/**
 * {@link redact} for one text.
 *
 * @throws as {@link redact}, and {TypeError} `ERR_TAPEPROOF_TEXT` for what is not a string
 */
export function redactText(text: string, config: RedactConfig = {}): Redacted<string> {
  if (typeof text !== 'string') throw failure('ERR_TAPEPROOF_TEXT', '');
  return redact<string>(text, config);
}

/**
 * Where {@link redact} would put tokens, in the order in which it would give them out; never what is there.
 *
 * @throws as {@link redact}
 */
export function findSensitive(value: unknown, config: RedactConfig = {}): SensitivePlace[] {
  const plan = readConfig(config);
  const copy = new Copy(value, plan);
  return Array.from(findingsIn(copy, plan), ({ text, matcher, start, end }) => {
    return { pointer: copy.pointer(text), matcher, start, end };
  });
}
