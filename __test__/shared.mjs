import { existsSync } from 'node:fs';

/**
 * A folder of `../shared`, which a clone on its own has not: `undefined` there, and an error where CI expects it.
 *
 * @param {string} name
 */
export function sharedFolder(name) {
  const folder = new URL(`../../shared/${name}/`, import.meta.url);
  if (existsSync(folder)) return folder;
  if (process.env.CI === 'true') throw new Error(`../shared/${name} is missing`);
  return undefined;
}
