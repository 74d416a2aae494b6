// Amounts for people.

// What a recording holds may be anything.
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** A duration for people. */
export function duration(ms: unknown): string {
  if (!isNumber(ms)) return '';
  if (ms < 999.5) return `${ms.toFixed(0)} ms`;
  if (ms < 99_950) return `${(ms / 1000).toFixed(1)} s`;
  return `${(ms / 60_000).toFixed(1)} min`;
}

/** An amount of money, or nothing. */
export const dollars = (cost: unknown): string => (isNumber(cost) ? `$${cost.toFixed(4)}` : '');
