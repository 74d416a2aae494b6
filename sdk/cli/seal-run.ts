// `tapeproof seal --run-id`: a recorded run, with the cassettes that its steps name.
import { type SealRunOptions, sealRun, sealRunToFile } from '../evidence/seal.js';
import { InputError, notWritten, UsageError } from './failure.js';
import { write } from './output.js';
import { DIR, DIR_HELP, folderOf, runOf } from './recordings.js';

export const RUN_OPTIONS = {
  ...DIR,
  'run-id': { type: 'string' },
  'allow-partial': { type: 'boolean', default: false },
  'with-req-hash': { type: 'boolean', default: false },
} as const;

export const RUN_HELP = `  --run-id RUN         a recorded run: its id or the beginning of it
  --allow-partial      seal a run that is no complete account, too; its record says that it is none
  --with-req-hash      keep the hash of a request that was redacted; who knows what is around a short secret can
                       guess it from there
${DIR_HELP.replace('--dir FOLDER  ', '--dir FOLDER         ')}`;

interface Values {
  dir?: string | undefined;
  output?: string | undefined;
  'allow-partial': boolean;
  'with-req-hash': boolean;
}

/** Seals a run into the file that is wanted, else onto standard output. */
export async function sealRecorded(given: string, values: Values, options: SealRunOptions): Promise<void> {
  const folder = folderOf(values.dir);
  const id = runOf(folder, given);
  const all = { ...options, allowPartial: values['allow-partial'], withReqHash: values['with-req-hash'] };
  try {
    if (values.output !== undefined) sealRunToFile(folder, id, values.output, all);
    else await write(`${JSON.stringify(sealRun(folder, id, all))}\n`);
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === 'ERR_TAPEPROOF_PARTIAL') {
      throw new UsageError(`${id}: no complete account of the run, see --allow-partial [${code}]`);
    }
    if (values.output !== undefined && !code?.startsWith('ERR_') && !path?.startsWith(folder)) {
      throw notWritten(values.output, error);
    }
    throw isAboutKeys(code) ? error : new InputError(id, undefined, error);
  }
}

const isAboutKeys = (code: string | undefined): boolean => code?.endsWith('_KEY') === true;
