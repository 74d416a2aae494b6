// `tapeproof verify`
import type { VerifyResult } from '../verify.js';
import { visible } from '../visible.js';
import { InputError, reason, UsageError } from './failure.js';
import { KEY_OPTIONS, keysGiven } from './keys.js';
import { Progress, paintFor, write } from './output.js';
import { isFolder, recordsAt } from './records.js';
import { briefReport, report } from './report.js';
import { type Verdict, verdicts } from './verdicts.js';

const { parseArgs } = process.getBuiltinModule('node:util');

export const help = `Usage: tapeproof verify PATH... [OPTIONS]

Runs the six checks of records. PATH is a file, a folder (every *.json below it), or - for standard input.
Exit code 0: all valid. 2: none invalid, but some unverified: whole, and nobody knows who made them.
1: one is invalid, or something went wrong.

  --json           the result of one file as a JSON object, of several an object a line, with its "file"
  --quiet          no report, only the exit code, and on standard error what went wrong
  --pubkey FILE    pin the Ed25519 keys in this PEM file; may be repeated
  --no-pin         pin no key
  --revoked FILE   distrust the keys in this PEM file; may be repeated
  --key-file FILE  the HMAC key is the text in this file, without the line end behind it
  --key KEY        the HMAC key; others can see it in the list of processes

Without --pubkey and --no-pin the keys in TAPEPROOF_ED25519_PUBLIC_KEYS are pinned, without that Runback's published
key. Without --key and --key-file the HMAC keys are TAPEPROOF_HMAC_KEY and TAPEPROOF_HMAC_KEY_PREVIOUS.
`;

/** 2 says something else here. */
export const failure = 1;

const OPTIONS = {
  ...KEY_OPTIONS,
  json: { type: 'boolean', default: false },
  quiet: { type: 'boolean', default: false },
} as const;

type Outcome = VerifyResult['verdict'] | 'failed';

const CODES: Record<Outcome, number> = { valid: 0, unverified: 2, invalid: 1, failed: failure };

/** From good to bad. */
const SEVERITY = [0, 2, 1];

export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
  if (positionals.length === 0) throw new UsageError('expected a PATH, or - for standard input');
  if (positionals.filter(path => path === '-').length > 1) throw new UsageError('standard input can be read once');
  const keys = keysGiven(values);

  const [first = '', ...others] = positionals;
  const isOne = others.length === 0 && !isFolder(first);
  const format = values.quiet ? undefined : values.json ? json : isOne ? whole : brief;
  if (!isOne) useAllCores();
  const counts = new Map<Outcome, number>();
  const progress = new Progress();
  let done = 0;
  let text = '';
  const flush = async () => {
    if (text !== '') progress.clear();
    await write(text);
    text = '';
  };
  for await (const verdict of verdicts(found(positionals), keys)) {
    const result: VerifyResult | undefined = verdict.text === undefined ? undefined : JSON.parse(verdict.text);
    const outcome = result?.verdict ?? 'failed';
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    if (format) text += format(verdict, result, isOne);
    if (!result) {
      await flush();
      progress.clear();
      process.stderr.write(`tapeproof verify: ${new InputError(verdict.file, undefined, verdict.problem).message}\n`);
    }
    done += 1;
    if (text.length > CHUNK) await flush();
    if (!isOne) progress.show(`${done} verified`);
  }
  if (format === brief && done > 1) text += `\n${summary(counts)}\n`;
  await flush();
  progress.clear();
  return [...counts.keys()].map(outcome => CODES[outcome]).reduce(worse, 0);
}

/** Node's pool has four threads unless it is told otherwise before it begins. Node 20 begins it to load this module. */
function useAllCores(): void {
  const { availableParallelism } = process.getBuiltinModule('node:os');
  process.env['UV_THREADPOOL_SIZE'] ??= String(Math.max(4, availableParallelism()));
}

/** Reports are written together. */
const CHUNK = 16 * 1024;

const worse = (a: number, b: number): number => (SEVERITY.indexOf(a) > SEVERITY.indexOf(b) ? a : b);

function* found(paths: readonly string[]) {
  for (const path of paths) yield* recordsAt(path);
}

type Format = (verdict: Verdict, result: VerifyResult | undefined, isOne: boolean) => string;

const shown = ({ file }: Verdict): string => (file === '-' ? 'standard input' : visible(file));

const whole: Format = (verdict, result) => (result ? report(shown(verdict), result, paintFor(process.stdout)) : '');

const brief: Format = (verdict, result) =>
  result ? briefReport(shown(verdict), result, paintFor(process.stdout)) : '';

/** In JSON, a text stays the same when it is made visible. */
const json: Format = (verdict, result, isOne) => {
  const { file, text = '', problem } = verdict;
  if (isOne) return result ? `${visible(text)}\n` : '';
  const rest = result ? text.slice(1) : `"error":${JSON.stringify(reason(problem))}}`;
  return `${visible(`{"file":${JSON.stringify(file)},${rest}`)}\n`;
};

function summary(counts: ReadonlyMap<Outcome, number>): string {
  let total = 0;
  for (const number of counts.values()) total += number;
  const words = (['valid', 'unverified', 'invalid', 'failed'] as const).flatMap(outcome => {
    const number = counts.get(outcome);
    return number ? `${number} ${outcome === 'failed' ? 'not read' : outcome}` : [];
  });
  return `${total} ${total === 1 ? 'record' : 'records'}: ${words.join(', ')}`;
}
