// Where nesting can be, each as a function of the levels of the value that is hashed; `far` ones also run with a
// million. A request counts as one level,
// so that the text of a request and its value have one limit.
export const LIMIT = 2048;

const nest = (levels, link, inner) => {
  let value = inner;
  for (let i = 0; i < levels; i++) value = link === undefined ? [value] : { [link]: value };
  return value;
};
const arrays = levels => nest(levels, undefined, 'x');
const objects = levels => nest(levels, 'a', 'x');
const mixed = levels => nest(levels % 2, 'a', nest(levels - (levels % 2), undefined, 1));
const text = (levels, open, close) => open.repeat(levels) + close.repeat(levels);

export const CASES = [
  { name: 'a state of arrays', far: true, run: (H, n) => H.stateHash(arrays(n)) },
  { name: 'a state of objects', far: true, run: (H, n) => H.stateHash(objects(n)) },
  { name: 'a state of both', run: (H, n) => H.stateHash(mixed(n)) },
  { name: 'a state of empty containers', run: (H, n) => H.stateHash(nest(n - 1, undefined, {})) },
  { name: 'a state under __proto__', run: (H, n) => H.stateHash(JSON.parse(`{"__proto__":${text(n - 1, '[', ']')}}`)) },
  { name: 'args', far: true, run: (H, n) => H.reqHash({ kind: 'tool', args: objects(n - 1) }) },
  { name: 'messages', run: (H, n) => H.reqHash({ kind: 'model', messages: [{ content: arrays(n - 3) }] }) },
  {
    name: 'a tool schema',
    run: (H, n) => H.reqHash({ kind: 'model', tool_schemas: [{ name: 'a', p: objects(n - 3) }] }),
  },
  {
    name: 'tool schemas from an iterator',
    run: (H, n) => H.reqHash({ kind: 'model', tool_schemas: new Set([objects(n - 2)]) }),
  },
  { name: 'an option', run: (H, n) => H.reqHash({ kind: 'model', response_format: objects(n - 1) }) },
  { name: 'a raw value of arrays', run: (H, n) => H.reqHash({ kind: 'model', provider: arrays(n - 1) }) },
  { name: 'a raw value of objects', far: true, run: (H, n) => H.reqHash({ kind: 'clock', counter: objects(n - 1) }) },
  { name: 'the kind', run: (H, n) => H.reqHash({ kind: arrays(n - 1) }) },
  { name: 'canonical', run: (H, n) => H.canonical({ kind: 'tool', args: objects(n - 1) }) },
  {
    name: 'beside a Date',
    run: (H, n) => H.reqHash({ kind: 'model', provider: new Date(0), messages: arrays(n - 1) }),
  },
  { name: 'through Proxies', run: (H, n) => H.stateHash(nest(n - 2, undefined, new Proxy([new Proxy({}, {})], {}))) },
  { name: 'the text of a state', far: true, run: (H, n) => H.stateHashJson(text(n, '[', ']')) },
  { name: 'the text of objects', far: true, run: (H, n) => H.stateHashJson(`${'{"a":'.repeat(n)}1${'}'.repeat(n)}`) },
  { name: 'the text of a request', run: (H, n) => H.reqHashJson(`{"kind":"tool","args":${text(n - 1, '[', ']')}}`) },
];

/** What each case comes to at the limit and one beyond it. */
export function outcomes(H) {
  const results = CASES.flatMap(({ name, run }) =>
    [LIMIT, LIMIT + 1].map(levels => {
      try {
        run(H, levels);
        return [`${name}: ${levels}`, 'fits'];
      } catch (error) {
        return [`${name}: ${levels}`, `${error.name} ${error.code ?? error.message}`];
      }
    }),
  );
  return Object.fromEntries(results);
}
