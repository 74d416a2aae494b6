// What stands between a value and its redacted text on disk.
import type { RedactConfig } from './redact.js';

/** A configuration that stays as it is: `fields` may be an iterator that can be asked only once. */
export function settled(config: RedactConfig | undefined): RedactConfig {
  if (typeof config !== 'object' || config === null) return config ?? {};
  const { preset, fields, custom } = config;
  return {
    ...(preset && { preset: typeof preset === 'string' ? preset : [...preset] }),
    ...(fields && { fields: [...fields] }),
    ...(custom && { custom: [...custom] }),
  };
}

/**
 * `JSON.stringify` without the value's own `toJSON`: redaction has read the value as it is, and what a function returns
 * has not been redacted. `null` for what has no text.
 */
export function jsonText(value: unknown): string {
  return JSON.stringify(speaksForItself(value) ? withoutFunctions(value) : value) ?? 'null';
}

/** Whether a function within the value would be asked for its text. */
function speaksForItself(value: unknown): boolean {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return true;
  if (Array.isArray(value)) return value.some(speaksForItself);
  for (const key in value) if (speaksForItself((value as Record<string, unknown>)[key])) return true;
  return false;
}

/** A copy in which functions are missing, as in JSON text. */
function withoutFunctions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFunctions);
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutFunctions(member)]));
}
