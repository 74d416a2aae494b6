/** A call as a recorder observes it. */
export const call = (args, response, more = {}) => ({
  node: 'tools',
  kind: 'tool',
  request: { kind: 'tool', tool_name: 'search', args },
  response,
  latency_ms: 5,
  ...more,
});

/** A log that keeps its lines. */
export function keptLog() {
  const lines = [];
  return { lines, log: line => lines.push(line) };
}

/** A store in memory. `fails` names the methods that throw. */
export function memoryStore(fails = [], error = new Error('no')) {
  const store = { runs: [], steps: [], cassettes: [] };
  const put = (name, list) => value => {
    if (fails.includes(name)) throw error;
    list.push(structuredClone(value));
  };
  return Object.assign(store, {
    putRun: put('putRun', store.runs),
    appendStep: put('appendStep', store.steps),
    putCassette: put('putCassette', store.cassettes),
  });
}
