// The redaction specification in plain JavaScript: the twin that the native core is compared with. It knows the
// default preset only, as the regular expressions that were published.
import { descend, failure, isObject, lengthOf, MAX_DEPTH } from './walk.mjs';

const DEFAULT = [
  { name: 'email', pattern: /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g },
  {
    name: 'token',
    pattern:
      /\b(?:Bearer\s+[\w.\-~+/]+=*|(?:sk|pk|rk)[-_](?:live|test)?[-_]?[A-Za-z0-9]{12,}|xox[baprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})/g,
  },
  { name: 'card', pattern: /\b(?:\d[ -]?){13,19}\b/g, accepts: isCard },
  {
    name: 'phone',
    pattern: /(?<![\w-])(?:\+\d{1,3}[ .-]?)?(?:\(\d{2,4}\)|\d{2,4})[ .-]\d{3,4}[ .-]?\d{3,4}(?![\w-])/g,
  },
];
const PRESETS = new Map([
  ['default', DEFAULT],
  ['none', []],
]);

function isCard(match) {
  const digits = match.replace(/[ -]/g, '');
  return digits.length >= 13 && /^(?:4|5[1-5]|2[2-7]|34|37|6011|65|62|35)/.test(digits) && luhn(digits);
}

function luhn(digits) {
  const weighted = [...digits].reverse().map((digit, place) => Number(digit) * (place % 2 === 1 ? 2 : 1));
  const sum = weighted.reduce((sum, value) => sum + (value > 9 ? value - 9 : value), 0);
  return sum % 10 === 0;
}

/** The matchers of a configuration, in order, and its fields. */
function read(config) {
  if (!isObject(config)) throw failure(TypeError, 'CONFIG', 'expected an object', []);
  const { preset, fields, custom } = config;
  const matchers = PRESETS.get(preset ?? 'default');
  if (matchers === undefined) throw failure(TypeError, 'PRESET', 'unknown preset or matcher', ['preset']);
  if (typeof (fields ?? [])[Symbol.iterator] !== 'function') {
    throw failure(TypeError, 'FIELDS', 'expected an iterable of field names', ['fields']);
  }
  if (!Array.isArray(custom ?? [])) {
    throw failure(TypeError, 'CUSTOM', 'expected an array of regular expressions', ['custom']);
  }
  const names = [...(fields ?? [])].filter(field => typeof field === 'string');
  const isPath = field => field.includes('.') || field.includes('[');
  return {
    paths: new Set(names.filter(isPath)),
    keys: new Set(names.filter(field => !isPath(field))),
    matchers: [...matchers, ...Array.from(custom ?? [], compiled)],
  };
}

function compiled(regExp, index) {
  if (!isObject(regExp)) {
    throw failure(TypeError, 'CUSTOM', 'expected a regular expression', ['custom', index]);
  }
  return { name: `custom:${index}`, pattern: new RegExp(regExp.source, regExp.flags) };
}

/** The one token table of a call. */
class Tokens {
  map = {};
  #byOriginal = new Map();
  #counts = new Map();

  token(matcher, original) {
    const known = this.#byOriginal.get(original);
    if (known !== undefined) return known;
    const count = this.#counts.get(matcher) ?? 0;
    this.#counts.set(matcher, count + 1);
    const token = `[redacted:${matcher}:${count}]`;
    this.#byOriginal.set(original, token);
    this.map[token] = matcher;
    return token;
  }

  scrub(text, matchers) {
    return matchers.reduce((text, { name, pattern, accepts }) => {
      pattern.lastIndex = 0;
      return text.replace(pattern, match => (accepts?.(match) === false ? match : this.token(name, match)));
    }, text);
  }
}

/** The JSON text of a field's value. */
function json(value, path) {
  try {
    const text = JSON.stringify(value);
    let level = text === undefined ? [] : [JSON.parse(text)].filter(isObject);
    for (let depth = path.length; level.length > 0; depth++) {
      if (depth >= MAX_DEPTH) throw failure(RangeError, 'DEPTH', 'the value is nested too deeply', path);
      level = level.flatMap(Object.values).filter(isObject);
    }
    return text;
  } catch (error) {
    if (/^Converting circular structure|^Maximum call stack/.test(error?.message)) {
      throw failure(RangeError, 'DEPTH', 'the value is cyclic or nested too deeply', path);
    }
    if (/serialize a BigInt/.test(error?.message)) throw failure(TypeError, 'BIGINT', 'a BigInt has no text', path);
    throw error;
  }
}

/** The value with tokens in it, and what each token stands for. */
export function redact(value, config = {}) {
  const { matchers, paths, keys } = read(config);
  const tokens = new Tokens();
  const segments = [];

  /** What a value becomes that holds no others; `key` is '' for the root and undefined for an element. */
  const leaf = (value, path, key) => {
    const isField = value !== undefined && (paths.has(path) || (key !== undefined && keys.has(key)));
    if (isField) return { copy: tokens.token('field', `${path}:${json(value, segments)}`) };
    if (isObject(value)) return undefined;
    return { copy: typeof value === 'string' ? tokens.scrub(value, matchers) : value };
  };

  function* elements(array, path) {
    const length = lengthOf(array);
    const copy = new Array(length);
    for (let index = 0; index < length; index++) {
      if (!(index in array)) continue;
      const element = array[index];
      const inner = `${path}[${index}]`;
      segments.push(index);
      const done = leaf(element, inner, undefined);
      copy[index] = done ? done.copy : yield container(element, inner);
      segments.pop();
    }
    return copy;
  }

  function* members(object, path) {
    const copy = [];
    for (const [key, member] of Object.entries(object)) {
      const inner = path === '' ? key : `${path}.${key}`;
      segments.push(key);
      const done = leaf(member, inner, key);
      copy.push([key, done ? done.copy : yield container(member, inner)]);
      segments.pop();
    }
    return Object.fromEntries(copy.filter(([key]) => key !== '__proto__'));
  }

  const container = (value, path) => (Array.isArray(value) ? elements(value, path) : members(value, path));
  const done = leaf(value, '', '');
  return { value: done ? done.copy : descend(container(value, ''), 0, segments), map: tokens.map };
}
