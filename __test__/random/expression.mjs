// Values described as data, so that one description can be built afresh for each implementation, printed as the
// JavaScript that a reader pastes, written as JSON text, and shrunk.
//
//   { type: 'constant', value }            null, true or false
//   { type: 'number', value }              a double; infinite for JSON's 1e400
//   { type: 'text', value, form? }         a string, held by the engine in the way the form says
//   { type: 'js', source }                 whatever the expression gives
//   { type: 'array', items, form? }        an item that is undefined is a hole
//   { type: 'object', entries, form? }     entries are [key, expression]
//   { type: 'deep', levels, link, inner }  `levels` containers around `inner`: objects with the key `link`, or arrays
import vm from 'node:vm';

const getters = keys =>
  `(v, read) => { for (const k of ${keys}) { const now = v[k]; ` +
  'Object.defineProperty(v, k, { get: () => (read(k), now), enumerable: true, configurable: true }); } return v; }';

/** How the engine may hold a string. */
export const TEXT_FORMS = {
  rope: 'v => v.slice(0, v.length >> 1) + v.slice(v.length >> 1)',
  slice: "v => ('<' + v + '>').slice(1, -1)",
  twoByte: "v => ('\\u2028' + v).slice(1)",
};

/** How an object may come. `read` is told of every key that a getter is asked for. */
export const OBJECT_FORMS = {
  frozen: 'v => Object.freeze(v)',
  bare: 'v => Object.setPrototypeOf(v, null)',
  instance:
    'v => Object.defineProperties(new (class A { #p = 1; get inherited() { return 1; } method() {} })(), ' +
    'Object.getOwnPropertyDescriptors(v))',
  inheriting: "v => Object.setPrototypeOf(v, { inherited: 1, id: 'x' })",
  hidden: "v => Object.defineProperty(Object.assign(v, { [Symbol('s')]: 1 }), 'hidden', { value: 1 })",
  dictionary: 'v => { v.gone = 1; delete v.gone; return v; }',
  proxy: 'v => new Proxy(v, {})',
  reversed: 'v => new Proxy(v, { ownKeys: t => Reflect.ownKeys(t).reverse() })',
  forgetful: 'v => new Proxy(v, { ownKeys: t => Reflect.ownKeys(t).slice(1) })',
  inventive: "v => new Proxy(v, { get: (t, k) => (typeof t[k] === 'string' ? t[k] + '!' : t[k]) })",
  getters: getters('Object.keys(v)'),
  someGetters: getters('Object.keys(v).filter((_, i) => i % 2)'),
};

/** How an array may come. */
export const ARRAY_FORMS = {
  frozen: 'v => Object.freeze(v)',
  extra: "v => Object.assign(v, { x: 1, '-1': 2, id: 'z' })",
  subclass: 'v => Object.assign(new (class A extends Array {})(v.length), v)',
  foreign: "v => Object.assign(vm.runInNewContext('[]'), v, { length: v.length })",
  proxy: 'v => new Proxy(v, {})',
  getters: getters('Object.keys(v)'),
};

const compiled = new Map();
function evaluate(source) {
  if (!compiled.has(source)) compiled.set(source, new Function('vm', `return (${source})`));
  return compiled.get(source)(vm);
}

const FORMS = { text: TEXT_FORMS, array: ARRAY_FORMS, object: OBJECT_FORMS };
const formOf = expression => FORMS[expression.type]?.[expression.form];

const own = (object, key, value) =>
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });

/** A fresh value. */
export function build(expression, read = () => {}) {
  const value = buildPlain(expression, read);
  const form = formOf(expression);
  return form ? evaluate(form)(value, read) : value;
}

function buildPlain(expression, read) {
  switch (expression.type) {
    case 'js':
      return evaluate(expression.source);
    case 'array': {
      const array = new Array(expression.items.length);
      expression.items.forEach((item, index) => {
        if (item) array[index] = build(item, read);
      });
      return array;
    }
    case 'object':
      return expression.entries.reduce((object, [key, member]) => {
        const value = build(member, read);
        if (key === '__proto__') own(object, key, value);
        else object[key] = value;
        return object;
      }, {});
    case 'deep':
      return nest(expression.levels, expression.link, build(expression.inner, read));
    default:
      return expression.value;
  }
}

function nest(levels, link, inner) {
  let value = inner;
  for (let i = 0; i < levels; i++) value = link === undefined ? [value] : own({}, link, value);
  return value;
}

const literal = text => JSON.stringify(text).replace(/[\u2028\u2029\u007f-\uffff]/g, c => `\\u${hex(c)}`);
const hex = unit => unit.charCodeAt(0).toString(16).padStart(4, '0');

/** The JavaScript expression that gives the value. `read` and `nest` stand for the functions of this module. */
export function source(expression) {
  const form = formOf(expression);
  const text = plainSource(expression);
  return form ? `(${form})(${text}, read)` : text;
}

function plainSource(expression) {
  switch (expression.type) {
    case 'js':
      return `(${expression.source})`;
    case 'text':
      return literal(expression.value);
    case 'number':
      return Object.is(expression.value, -0) ? '-0' : String(expression.value);
    case 'array': {
      const items = expression.items.map(item => (item ? source(item) : ''));
      return `[${items.join(', ')}${expression.items.at(-1) === undefined && items.length > 0 ? ',' : ''}]`;
    }
    case 'object':
      return `({ ${expression.entries.map(([key, member]) => `[${literal(key)}]: ${source(member)}`).join(', ')} })`;
    case 'deep': {
      const link = expression.link === undefined ? 'undefined' : literal(expression.link);
      return `nest(${expression.levels}, ${link}, ${source(expression.inner)})`;
    }
    default:
      return String(expression.value);
  }
}

/** Whether some JSON text parses to the value. */
export function isJson(expression) {
  switch (expression.type) {
    case 'js':
      return false;
    case 'array':
      return !expression.form && expression.items.every(item => item && isJson(item));
    case 'object':
      return !expression.form && expression.entries.every(([, member]) => isJson(member));
    case 'deep':
      return isJson(expression.inner);
    default:
      return true;
  }
}

/** JSON text that parses to the value, with the spelling left to chance. */
export function jsonText(expression, random) {
  const space = () => (random.oneIn(6) ? random.pick([' ', '\n', '\t', '\r\n', '   ']) : '');
  const joined = (open, texts, close) => `${open}${texts.map(text => space() + text + space()).join(',')}${close}`;
  switch (expression.type) {
    case 'text':
      return spellText(expression.value, random);
    case 'number':
      return spellNumber(expression.value, random);
    case 'array':
      return joined(
        '[',
        expression.items.map(item => jsonText(item, random)),
        ']',
      );
    case 'object':
      return joined(
        '{',
        expression.entries.map(
          ([key, member]) => `${spellText(key, random)}${space()}:${space()}${jsonText(member, random)}`,
        ),
        '}',
      );
    case 'deep': {
      const { levels, link, inner } = expression;
      const [open, close] = link === undefined ? ['[', ']'] : [`{${JSON.stringify(link)}:`, '}'];
      return open.repeat(levels) + jsonText(inner, random) + close.repeat(levels);
    }
    default:
      return String(expression.value);
  }
}

function spellText(text, random) {
  const spelled = JSON.stringify(text);
  if (!random.oneIn(3)) return spelled;
  const upper = random.oneIn(2);
  return spelled.replace(/\\u[0-9a-f]{4}|\\.|[^"]/g, unit => {
    if (unit === '/') return random.oneIn(2) ? '\\/' : '/';
    if (unit.length > 1 || !random.oneIn(4)) return unit;
    return `\\u${upper ? hex(unit).toUpperCase() : hex(unit)}`;
  });
}

function spellNumber(value, random) {
  if (!Number.isFinite(value))
    return `${value < 0 ? '-' : ''}${random.pick(['1e400', '1E+309', '17976931348623159e292'])}`;
  if (Object.is(value, -0)) return random.pick(['-0', '-0.0', '-0e5', '-1e-400']);
  const exact = [String(value), value.toExponential(), value.toPrecision(21)];
  if (Number.isInteger(value) && Math.abs(value) < 1e21) exact.push(`${value}.0`, `${value}e0`, `${value}E-0`);
  return random.oneIn(3) ? random.pick(exact) : exact[0];
}

/** Smaller expressions, the boldest first. */
export function* shrink(expression) {
  const { form, ...plain } = expression;
  if (form) yield plain;
  switch (expression.type) {
    case 'text':
      for (const value of shorter(expression.value)) yield { ...expression, value };
      break;
    case 'number':
      for (const value of [0, 1, Math.trunc(expression.value)]) {
        if (Math.abs(value) < Math.abs(expression.value)) yield { ...expression, value };
      }
      break;
    case 'array':
      for (const item of expression.items) if (item) yield item;
      for (const items of shorter(expression.items)) yield { ...expression, items };
      for (const [index, item] of expression.items.entries()) {
        if (item) for (const less of shrink(item)) yield { ...expression, items: expression.items.with(index, less) };
      }
      break;
    case 'object':
      for (const [, member] of expression.entries) yield member;
      for (const entries of shorter(expression.entries)) yield { ...expression, entries };
      for (const [index, [key, member]] of expression.entries.entries()) {
        const put = entry => ({ ...expression, entries: expression.entries.with(index, entry) });
        for (const less of shrink(member)) yield put([key, less]);
        if (key.length > 12) for (const less of shorter(key)) yield put([less, member]);
      }
      break;
    case 'deep':
      yield expression.inner;
      for (const levels of [expression.levels >> 1, expression.levels - 1]) {
        if (levels > 0) yield { ...expression, levels };
      }
      for (const inner of shrink(expression.inner)) yield { ...expression, inner };
      break;
  }
}

/** A string or a list with a part left out: halves first, single places last. */
function* shorter(sequence) {
  for (let size = sequence.length; size >= 1; size >>= 1) {
    for (let at = 0; at < sequence.length; at += size) {
      yield sequence.slice(0, at).concat(sequence.slice(at + size));
    }
  }
}

/** The smallest expression that chance and patience find for which `fails` still holds. */
export function minimize(expression, fails, patience = 20_000) {
  let smallest = expression;
  let left = patience;
  for (let improved = true; improved && left > 0; ) {
    improved = false;
    for (const smaller of shrink(smallest)) {
      if (left-- <= 0) break;
      if (!fails(smaller)) continue;
      smallest = smaller;
      improved = true;
      break;
    }
  }
  return smallest;
}
