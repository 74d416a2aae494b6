// The redaction specification in plain JavaScript: the twin that the native core is compared with. It knows the
// default preset only, as the regular expressions that were published.

const MAX_DEPTH = 2048;

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

const isObject = value => typeof value === 'object' && value !== null;

const pointer = path => path.map(key => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

function failure(ErrorClass, code, message, path) {
  return Object.assign(new ErrorClass(message), { code: `ERR_TAPEPROOF_${code}`, pointer: pointer(path) });
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

/** The value with tokens in it, and what each token stands for. */
export function redact(value, config = {}) {
  const { matchers, paths, keys } = read(config);
  const tokens = new Tokens();
  const segments = [];

  const isField = (path, key) => paths.has(path) || (key !== undefined && keys.has(key));

  /** `key` is '' for the root and undefined for an element. */
  const walk = (value, path, key, depth) => {
    if (value !== undefined && isField(path, key)) return tokens.token('field', `${path}:${JSON.stringify(value)}`);
    if (typeof value === 'string') return tokens.scrub(value, matchers);
    if (!isObject(value)) return value;
    if (depth >= MAX_DEPTH) throw failure(RangeError, 'DEPTH', 'the value is cyclic or nested too deeply', segments);
    return Array.isArray(value) ? elements(value, path, depth + 1) : members(value, path, depth + 1);
  };

  const child = (value, path, key, segment, depth) => {
    segments.push(segment);
    const result = walk(value, path, key, depth);
    segments.pop();
    return result;
  };

  const elements = (array, path, depth) => {
    const copy = new Array(array.length);
    for (let index = 0; index < array.length; index++) {
      if (index in array) copy[index] = child(array[index], `${path}[${index}]`, undefined, index, depth);
    }
    return copy;
  };

  const members = (object, path, depth) => {
    const copy = Object.entries(object).map(([key, member]) => [
      key,
      child(member, path === '' ? key : `${path}.${key}`, key, key, depth),
    ]);
    return Object.fromEntries(copy.filter(([key]) => key !== '__proto__'));
  };

  return { value: walk(value, '', '', 0), map: tokens.map };
}
