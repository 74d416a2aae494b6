// What a result is, made comparable: its classes and fields, with the ids that are new in every run by their order.

const VOLATILE =
  /\b[0-9a-f]{32}\b|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const SKIPPED = new Set(['lc_kwargs', 'timestamp', 'nodeFirstAttemptTime', 'signal', 'caller', 'client', 'stack']);

export function shape(value) {
  const seen = new Set();
  const order = new Map();
  const text = string =>
    string.replace(VOLATILE, id => {
      if (!order.has(id)) order.set(id, `#${order.size}`);
      return order.get(id);
    });
  const walk = each => {
    if (typeof each === 'string') return text(each);
    if (typeof each === 'function') return `function ${each.name}`;
    if (typeof each !== 'object' || each === null) return each;
    if (seen.has(each)) return 'again';
    seen.add(each);
    const copy = Array.isArray(each) ? each.map(walk) : { class: each.constructor?.name ?? 'none' };
    if (each instanceof Error) Object.assign(copy, { name: each.name, message: text(each.message) });
    if (!Array.isArray(each))
      for (const key of Object.keys(each)) if (!SKIPPED.has(key)) copy[text(key)] = walk(each[key]);
    seen.delete(each);
    return copy;
  };
  return walk(value);
}
