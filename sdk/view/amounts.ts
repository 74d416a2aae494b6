// Amounts for people.
import type { Run, Step } from '../schema.js';

// What a recording holds may be anything.
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** A number, or 0 for what is none. */
export const amount = (value: unknown): number => (isNumber(value) ? value : 0);

/** A duration for people. */
export function duration(ms: unknown): string {
  if (!isNumber(ms)) return '';
  if (ms < 999.5) return `${ms.toFixed(0)} ms`;
  if (ms < 99_950) return `${(ms / 1000).toFixed(1)} s`;
  return `${(ms / 60_000).toFixed(1)} min`;
}

/** An amount of money, or a dash: what is not known is not nothing. */
export const dollars = (cost: unknown): string => (isNumber(cost) ? `$${cost.toFixed(4)}` : '–');

/** Of how many steps of a run the cost is known, and of how many calls of models it is not. */
export interface Pricing {
  priced: number;
  unpriced: number;
}

/** Counts a step in. */
export function price(pricing: Pricing, { kind, cost_usd }: Step): void {
  if (isNumber(cost_usd)) pricing.priced += 1;
  else if (kind === 'model') pricing.unpriced += 1;
}

/** How many steps there are, and of how many the cost is known. */
export function counted(all: Iterable<Step>): { steps: number; pricing: Pricing } {
  const pricing = { priced: 0, unpriced: 0 };
  let steps = 0;
  for (const step of all) {
    steps += 1;
    price(pricing, step);
  }
  return { steps, pricing };
}

/** What a run cost, as far as that is known: its sum is 0 where nothing is. */
export function cost({ cost_usd }: Run, { priced, unpriced }: Pricing): string {
  if (priced === 0 && cost_usd === 0) return dollars(undefined);
  return `${priced > 0 && unpriced > 0 ? 'at least ' : ''}${dollars(cost_usd)}`;
}
