// `tapeproof redact`
import { closeSync, fstatSync, ftruncateSync, openSync, statSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findSensitive, type RedactConfig, redact } from '../redact.js';
import { visible } from '../visible.js';
import { notWritten, UsageError } from './failure.js';
import { decode, parse } from './input.js';
import { transform } from './transform.js';

export const help = `Usage: tapeproof redact FILE|- [OPTIONS]

Prints a JSON value with tokens for what looks like a secret or a personal datum.

  --preset NAMES  default, extended, none, or names of matchers with commas between them
  --field NAME    replace the values under this key, or with a . or [ in it at this path; may be repeated
  --pattern RE    replace what a regular expression matches, PATTERN or /PATTERN/FLAGS; may be repeated
  --map FILE      write there which matcher each token stands for, as JSON
  --check         print no value; name what was found, its place but not its text, and exit with 1
  --lines         read JSON Lines: one value a line, one result a line, in the same order
`;

/** Found something with --check. */
const FOUND = 1;

export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      preset: { type: 'string' },
      field: { type: 'string', multiple: true, default: [] },
      pattern: { type: 'string', multiple: true, default: [] },
      map: { type: 'string' },
      check: { type: 'boolean', default: false },
      lines: { type: 'boolean', default: false },
    },
  });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new UsageError('expected one FILE, or - for standard input');
  if (values.check && values.map !== undefined) throw new UsageError('expected --check or --map, not both');
  const config: RedactConfig = { fields: values.field, custom: values.pattern.map(pattern) };
  if (values.preset !== undefined) config.preset = preset(values.preset);
  // What is wrong with the options is not to be blamed on the input.
  redact(null, config);

  if (values.check) return check(file, values.lines, config);
  await print(file, values.lines, config, values.map);
  return 0;
}

async function print(file: string, lines: boolean, config: RedactConfig, mapFile: string | undefined): Promise<void> {
  if (mapFile !== undefined && isInput(mapFile, file)) throw new UsageError('expected --map as another file');
  // Opened first: a value without its map is of no use. What is in it stays until there is a map.
  const map = mapFile === undefined ? undefined : openForWriting(mapFile);
  let maps: string | undefined;
  try {
    await transform(file, lines, bytes => {
      const redacted = redact(parse(decode(bytes)), config);
      if (map !== undefined) maps = `${maps ?? ''}${JSON.stringify(redacted.map)}\n`;
      return `${JSON.stringify(redacted.value)}\n`;
    });
    maps ??= '';
  } finally {
    if (map !== undefined) put(mapFile as string, map, maps);
  }
}

/** Whether the map would take the place of what is redacted. */
function isInput(mapFile: string, file: string): boolean {
  const map = statSync(mapFile, { throwIfNoEntry: false });
  const input = file === '-' ? fstatSync(0) : statSync(file, { throwIfNoEntry: false });
  return map?.isFile() === true && map.dev === input?.dev && map.ino === input.ino;
}

/** Writes the maps that there are, and closes the file. */
function put(file: string, map: number, maps: string | undefined): void {
  try {
    if (maps === undefined) return;
    if (fstatSync(map).isFile()) ftruncateSync(map);
    writeFileSync(map, maps);
  } catch (error) {
    throw notWritten(file, error);
  } finally {
    closeSync(map);
  }
}

function openForWriting(file: string): number {
  try {
    return openSync(file, 'a', 0o600);
  } catch (error) {
    throw notWritten(file, error);
  }
}

async function check(file: string, lines: boolean, config: RedactConfig): Promise<number> {
  let found = false;
  await transform(file, lines, (bytes, line) => {
    for (const { pointer, matcher, start, end } of findSensitive(parse(decode(bytes)), config)) {
      found = true;
      const place = line === undefined ? '' : `${line}:`;
      process.stderr.write(`${place}${visible(pointer)} ${matcher} ${start}-${end}\n`);
    }
    return '';
  });
  return found ? FOUND : 0;
}

function preset(names: string): NonNullable<RedactConfig['preset']> {
  // A name that is none is refused with all others, by its place.
  return names.split(',') as Exclude<RedactConfig['preset'], string | undefined>;
}

function pattern(text: string): RegExp {
  const [, source = text, flags = 'g'] = /^\/(.+)\/([a-z]*)$/s.exec(text) ?? [];
  try {
    return new RegExp(source, flags);
  } catch {
    throw new UsageError(`not a regular expression: ${visible(text)}`);
  }
}
