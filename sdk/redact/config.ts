// Reads a configuration once, before any work, and refuses what could only be a mistake.
import { type Fallback, failure, native, standIn } from '../native.js';

/** The matchers that `extended` has and those that are only taken by name. */
export type MatcherName =
  | 'url-credentials'
  | 'private-key'
  | 'anthropic'
  | 'openai'
  | 'github'
  | 'gitlab'
  | 'google'
  | 'huggingface'
  | 'npm'
  | 'slack-webhook'
  | 'slack'
  | 'stripe'
  | 'aws-secret'
  | 'aws-key-id'
  | 'azure-key'
  | 'azure-sas'
  | 'jwe'
  | 'jwt'
  | 'bearer'
  | 'email'
  | 'iban'
  | 'us-ssn'
  | 'card'
  | 'phone'
  | 'mac'
  | 'ipv6'
  | 'ipv4';

/**
 * `default` is the published preset, frozen. `extended` finds more and errs less. A list names matchers of `extended`
 * and others; the order of its names does not matter.
 */
export type Preset = 'default' | 'extended' | 'none';

/** What is redacted. */
export interface RedactConfig {
  /** Defaults to `default`. `default` does not go with `extended`, `email`, `card` or `phone`. */
  preset?: Preset | readonly (Preset | MatcherName)[];
  /**
   * Values that are replaced whole. With a `.` or `[` in it, the exact path of one (`user.ssn`, `items[0]`); without,
   * a key at any depth. `''` also is the whole value.
   */
  fields?: Iterable<string>;
  /**
   * Regular expressions that run after the preset, over what it left, with the semantics of JavaScript. How long one
   * may take is up to its author.
   */
  custom?: readonly { readonly source: string; readonly flags: string }[];
}

/** A pattern under the name that its tokens have. */
export interface Pattern {
  readonly name: string;
  readonly regExp: RegExp;
  /** Refuses what the pattern matches and does not mean. */
  readonly accepts?: (match: string) => boolean;
}

/** A configuration, read. */
export interface Plan {
  /** A set of matchers; 0 is none. */
  readonly matchers: number;
  /** No matcher finds anything in a shorter text. */
  readonly shortest: number;
  readonly patterns: readonly Pattern[];
  readonly fields: Fields | undefined;
}

/** Which values a configuration replaces whole. */
export class Fields {
  readonly #keys = new Set<string>();
  readonly #paths = new Set<string>();
  /** Keys that an exact path may end with. A key may have dots in it. */
  readonly #lastKeys = new Set<string>();
  #endsWithIndex = false;

  static of(names: Iterable<unknown>): Fields | undefined {
    const fields = new Fields();
    for (const name of names) {
      if (typeof name === 'string') fields.#add(name);
    }
    return fields.#keys.size + fields.#paths.size > 0 ? fields : undefined;
  }

  #add(name: string): void {
    if (!name.includes('.') && !name.includes('[')) {
      this.#keys.add(name);
      return;
    }
    this.#paths.add(name);
    this.#lastKeys.add(name);
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1))
      this.#lastKeys.add(name.slice(dot + 1));
    this.#endsWithIndex ||= name.endsWith(']');
  }

  /** Whether the value under this key, or at this index, is replaced. `path` is asked for only when it decides. */
  has(name: string | number, path: () => string): boolean {
    if (typeof name === 'number') return this.#endsWithIndex && this.#paths.has(path());
    return this.#keys.has(name) || (this.#lastKeys.has(name) && this.#paths.has(path()));
  }
}

/** The shortest thing that a matcher of the default preset takes: `a@b.c`. */
const SHORTEST_DEFAULT = 5;
/** And any matcher at all: `::1`. */
const SHORTEST = 3;

/** Reads a configuration, each of its properties once. */
export function readConfig(config: unknown): Plan {
  if (typeof config !== 'object' || config === null) throw failure('ERR_TAPEPROOF_CONFIG', '');
  const { preset, fields, custom } = config as Record<keyof RedactConfig, unknown>;
  const { matchers, patterns } = readPreset(preset ?? 'default');
  return {
    matchers,
    shortest: preset === undefined || preset === 'default' ? SHORTEST_DEFAULT : SHORTEST,
    fields: readFields(fields ?? []),
    patterns: [...patterns, ...readPatterns(custom ?? [])],
  };
}

/** What a preset finds with: matchers of the addon, or patterns where there is none. */
type Means = Pick<Plan, 'matchers' | 'patterns'>;

const presets = new Map<unknown, Means>([['none', { matchers: 0, patterns: [] }]]);

function readPreset(preset: unknown): Means {
  const known = presets.get(preset);
  if (known !== undefined) return known;
  const fallback = standIn();
  if (fallback !== undefined) return { matchers: 0, patterns: patternsOf(preset, fallback) };
  if (Array.isArray(preset)) {
    const matchers = preset.reduce((set: number, name, index) => withMatchers(set, name, `/preset/${index}`), 0);
    return { matchers, patterns: [] };
  }
  const matchers = withMatchers(0, preset, '/preset');
  if (preset !== 'default' && preset !== 'extended') throw failure('ERR_TAPEPROOF_PRESET', '/preset');
  const means = { matchers, patterns: [] };
  presets.set(preset, means);
  return means;
}

/** Without the addon there is the default preset. What it does not have must not pass for clean. */
function patternsOf(preset: unknown, { defaultPreset }: Fallback): readonly Pattern[] {
  const names: unknown[] = Array.isArray(preset) ? preset : [preset];
  names.forEach((name, index) => {
    if (name === 'default' || name === 'none') return;
    if (typeof name === 'string') native();
    throw failure('ERR_TAPEPROOF_PRESET', names === preset ? `/preset/${index}` : '/preset');
  });
  return names.includes('default') ? defaultPreset : [];
}

function withMatchers(set: number, name: unknown, pointer: string): number {
  const both = typeof name === 'string' ? native().matchers(set, name) : -1;
  if (both < 0) throw failure('ERR_TAPEPROOF_PRESET', pointer);
  return both;
}

function readFields(fields: unknown): Fields | undefined {
  const { [Symbol.iterator]: iterate } = fields as Partial<Iterable<unknown>>;
  if (typeof iterate !== 'function') throw failure('ERR_TAPEPROOF_FIELDS', '/fields');
  return Fields.of(fields as Iterable<unknown>);
}

function readPatterns(custom: unknown): Pattern[] {
  if (!Array.isArray(custom)) throw failure('ERR_TAPEPROOF_CUSTOM', '/custom');
  const patterns: Pattern[] = [];
  custom.forEach((pattern: unknown, index) => {
    if (typeof pattern !== 'object' || pattern === null) throw failure('ERR_TAPEPROOF_CUSTOM', `/custom/${index}`);
    // Compiled anew from what the pattern says of itself: nothing else of a subclass counts.
    const { source, flags } = pattern as RegExp;
    patterns.push({ name: `custom:${index}`, regExp: new RegExp(source, flags) });
  });
  return patterns;
}
