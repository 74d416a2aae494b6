// What is measured against.
import { existsSync } from 'node:fs';
import canonicalize from 'canonicalize';

const file = name => new URL(`../../shared/baseline/${name}.mjs`, import.meta.url);

/** The yardstick: the reading of the specification that is kept outside the project, else the project's own twin. */
export const yardstick = existsSync(file('hash'))
  ? { name: 'baseline', H: (await import(file('hash').href)).createHashBaseline(canonicalize) }
  : { name: 'twin', H: await import('../__test__/reference/hash.mjs') };

/** `redact` of the same reading. */
export const { redact } = await import(
  existsSync(file('redact')) ? file('redact').href : '../__test__/reference/redact.mjs'
);
