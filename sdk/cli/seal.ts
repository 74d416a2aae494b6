// `tapeproof seal`
import { parseArgs } from 'node:util';
import { ENV_HMAC_KEY, ENV_PRIVATE_KEY } from '../keyring.js';
import type { SealKeys } from '../seal.js';
import { type RunSummary, type SealOptions, seal } from '../verify.js';
import { InputError, UsageError } from './failure.js';
import { decode, parse, readBytes, readLines } from './input.js';
import { write } from './output.js';
import { replace } from './replace.js';
import { RUN_HELP, RUN_OPTIONS, sealRecorded } from './seal-run.js';
import { isTime } from './time.js';

export const help = `Usage: tapeproof seal EVENTS.json|EVENTS.jsonl|- --run RUN.json [-o FILE]
       tapeproof seal --run-id RUN [-o FILE] [--dir FOLDER]

Makes a record of the events of a run: a JSON array, or in a file named *.jsonl one event a line. It is signed with the
Ed25519 key in TAPEPROOF_ED25519_PRIVATE_KEY (a PKCS#8 PEM), without that with the HMAC key in TAPEPROOF_HMAC_KEY.

  --run RUN.json       the summary of the run
  --generated-at TIME  when the record was made (ISO 8601); now, unless it is given
  -o, --output FILE    write the record there; a file that is there already is replaced
${RUN_HELP}`;

const OPTIONS = {
  run: { type: 'string' },
  'generated-at': { type: 'string' },
  output: { type: 'string', short: 'o' },
  ...RUN_OPTIONS,
} as const;

/** What is sealed, and its names for when something is wrong with it. */
interface Material {
  events: object[];
  run: RunSummary;
  /** Where a value at a pointer into `{run, events}` came from. */
  source(pointer: string): string;
}

export async function run(args: string[]): Promise<number> {
  const keys = signer();
  await sealed(args, keys);
  // Such a record says nothing of who made it, and a name that is misspelt looks the same.
  if (Object.keys(keys).length === 0)
    process.stderr.write(`tapeproof seal: unsigned, neither ${ENV_PRIVATE_KEY} nor ${ENV_HMAC_KEY} is set\n`);
  return 0;
}

async function sealed(args: string[], keys: SealKeys): Promise<void> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
  if (values['run-id'] !== undefined) {
    if (positionals.length > 0 || values.run !== undefined)
      throw new UsageError('expected EVENTS or --run-id, not both');
    return sealRecorded(values['run-id'], values, { ...keys, ...madeAt(values['generated-at']) });
  }
  if (values.dir !== undefined || values['allow-partial'] || values['with-req-hash'])
    throw new UsageError('expected --run-id beside --dir, --allow-partial and --with-req-hash');
  const { events, run, source } = await fromFiles(positionals, values.run);
  let record: string;
  try {
    record = `${JSON.stringify(seal(events, { run, ...keys, ...madeAt(values['generated-at']) }))}\n`;
  } catch (error) {
    const { pointer } = error as { pointer?: unknown };
    throw typeof pointer === 'string' && pointer !== '' ? new InputError(source(pointer), undefined, error) : error;
  }
  if (values.output === undefined) await write(record);
  else replace(values.output, record);
}

async function fromFiles(positionals: string[], runFile: string | undefined): Promise<Material> {
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0)
    throw new UsageError('expected one file of EVENTS, or - for standard input');
  if (runFile === undefined) throw new UsageError('expected --run RUN.json');
  if (file === '-' && runFile === '-') throw new UsageError('only one of the two can be standard input');
  const events = file.endsWith('.jsonl') ? await lines(file) : await value(file);
  if (!Array.isArray(events)) throw new InputError(file, undefined, 'expected an array of events');
  const run = (await value(runFile)) as RunSummary;
  return { events, run, source: pointer => (pointer.startsWith('/run') ? runFile : file) };
}

async function value(file: string): Promise<unknown> {
  try {
    return parse(decode(await readBytes(file)));
  } catch (error) {
    throw new InputError(file, undefined, error);
  }
}

async function lines(file: string): Promise<unknown[]> {
  const events: unknown[] = [];
  let line = 0;
  try {
    for await (const batch of readLines(file)) {
      for (const bytes of batch) {
        line += 1;
        if (bytes.length > 0) events.push(parse(decode(bytes)));
      }
    }
  } catch (error) {
    throw new InputError(file, line || undefined, error);
  }
  return events;
}

/** The keys of the environment: Ed25519 before HMAC. */
function signer(): SealKeys {
  const { [ENV_PRIVATE_KEY]: privateKey, [ENV_HMAC_KEY]: hmacKey } = process.env;
  return { ...(privateKey ? { privateKey } : {}), ...(hmacKey ? { hmacKey } : {}) };
}

function madeAt(time: string | undefined): Pick<SealOptions, 'generatedAt'> {
  if (time === undefined) return {};
  if (!isTime(time)) throw new UsageError('expected --generated-at as a time in ISO 8601');
  return { generatedAt: time };
}
