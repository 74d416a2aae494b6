// The redaction specification in plain JavaScript: the twin that the redaction of the package is compared with. It has
// its own walk and its own tokens; the patterns, which were published, are those of the fallback.
import errors from '../../dist/fallback/errors.cjs';
import fallback from '../../dist/fallback/index.cjs';
import walk from '../../dist/fallback/walk.cjs';

const { failure } = errors;
const { descend, isObject, lengthOf, MAX_DEPTH } = walk;

const PRESETS = new Map([
  ['default', fallback.defaultPreset],
  ['none', []],
]);

/** The matchers of a configuration, in order, and its fields. */
function read(config) {
  if (!isObject(config)) throw failure('ERR_TAPEPROOF_CONFIG', []);
  const { preset, fields, custom } = config;
  const matchers = PRESETS.get(preset ?? 'default');
  if (matchers === undefined) throw failure('ERR_TAPEPROOF_PRESET', ['preset']);
  if (typeof (fields ?? [])[Symbol.iterator] !== 'function') {
    throw failure('ERR_TAPEPROOF_FIELDS', ['fields']);
  }
  if (!Array.isArray(custom ?? [])) {
    throw failure('ERR_TAPEPROOF_CUSTOM', ['custom']);
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
  if (!isObject(regExp)) throw failure('ERR_TAPEPROOF_CUSTOM', ['custom', index]);
  return { name: `custom:${index}`, regExp: new RegExp(regExp.source, regExp.flags) };
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
    return matchers.reduce((text, { name, regExp, accepts }) => {
      regExp.lastIndex = 0;
      return text.replace(regExp, match => (accepts?.(match) === false ? match : this.token(name, match)));
    }, text);
  }
}

/** The JSON text of a field's value. */
function json(value, path) {
  try {
    const text = JSON.stringify(value);
    let level = text === undefined ? [] : [JSON.parse(text)].filter(isObject);
    for (let depth = path.length; level.length > 0; depth++) {
      if (depth >= MAX_DEPTH) throw failure('ERR_TAPEPROOF_DEPTH', path);
      level = level.flatMap(Object.values).filter(isObject);
    }
    return text;
  } catch (error) {
    if (/^Converting circular structure|^Maximum call stack/.test(error?.message)) {
      throw failure('ERR_TAPEPROOF_DEPTH', path);
    }
    if (/serialize a BigInt/.test(error?.message)) throw failure('ERR_TAPEPROOF_BIGINT', path);
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
