// The JavaScript of a document as one program. Comments after a statement, at its end or on the lines below, promise
// what it comes to:
//
//     // → value
//     // throws Class CODE pointer      the pointer as *: any
//     // rewind-core → value            the same for the implementation that the package stands in for,
//     // rewind-core throws Class       where that differs
//     // rewind-core: words             nothing is promised for it
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { blocks } from './blocks.mjs';

const MARK = /^(.*?) *\/\/ (rewind-core(?=:)|(?:rewind-core )?(?:→|throws))(.*)$/;
const CLOSES = /^\s*[)\]}]/;
const indent = line => line.search(/\S/);

/** The first line of the statement that ends on line `last`. */
function startOf(lines, last) {
  let start = last;
  while (CLOSES.test(lines[start]) || indent(lines[start]) !== indent(lines[last])) start -= 1;
  return start;
}

/** The promises that follow the statement which ends on line `last`, and the line behind them. */
function promisesAt(lines, last) {
  const found = {};
  let at = last;
  let mark = MARK.exec(lines[at]) ?? MARK.exec(lines[++at] ?? '');
  while (mark && (at === last || mark[1].trim() === '')) {
    let [, , kind, words] = mark;
    at += 1;
    while (kind === '→' && /^\s*\/\/ /.test(lines[at] ?? '') && !MARK.test(lines[at]))
      words += lines[at++].trim().slice(2);
    found[kind] = words;
    mark = MARK.exec(lines[at] ?? '');
  }
  return { found, next: at };
}

/** What a statement promises on one side: a call of `promise` around it, as text before and behind. */
function call(found, side, line) {
  const of = prefix => {
    if (found[`${prefix}→`] !== undefined) return ['value', `() => (${found[`${prefix}→`]})`];
    if (found[`${prefix}throws`] !== undefined)
      return ['failure', JSON.stringify(found[`${prefix}throws`].trim().split(' '))];
    return undefined;
  };
  const ofOther =
    side === 'rewind-core' ? (of('rewind-core ') ?? (found['rewind-core'] ? ['nothing', ''] : undefined)) : undefined;
  const [kind, expected] = ofOther ?? of('');
  return [`promise.${kind}(() => (`, `), ${line}, ${expected});`];
}

/**
 * The program of a document, each line in its own place.
 *
 * @param {string} text
 * @param {'tapeproof' | 'rewind-core'} side whose promises are wanted
 */
export function program(text, side) {
  const program = text.split('\n').map(() => '');
  for (const { language, lines, line } of blocks(text)) {
    if (language !== 'js') continue;
    for (let at = 0; at < lines.length; ) {
      const first = line - 1;
      const { found, next } = promisesAt(lines, at);
      program[first + at] = lines[at].replace(MARK, '$1');
      if (Object.keys(found).length > 0) {
        const [before, behind] = call(found, side, first + at + 1);
        const start = startOf(lines, at);
        program[first + at] = program[first + at].replace(/;$/, behind);
        program[first + start] = program[first + start].replace(/\S/, letter => before + letter);
      }
      at = Math.max(next, at + 1);
    }
  }
  return program.join('\n');
}

/** Notes what promises came to: `{line, check}`, where `check` throws when one was broken. */
function witness() {
  const kept = [];
  return {
    kept,
    value(run, line, expected) {
      const actual = run();
      const wanted = expected();
      kept.push({ line, check: () => assert.deepEqual(actual, wanted) });
    },
    failure(run, line, [name, code, pointer]) {
      let actual;
      try {
        run();
      } catch (error) {
        actual = [error.name, error.code, error.pointer];
      }
      const expected = [name, code && `ERR_TAPEPROOF_${code}`, pointer === '*' ? actual?.[2] : pointer];
      kept.push({ line, check: () => assert.deepEqual(actual, expected) });
    },
    nothing(_run, line) {
      kept.push({ line, check() {} });
    },
  };
}

/**
 * Runs the program of a document in a project, and gives what its promises came to.
 *
 * @param {string} text
 * @param {string} folder
 * @param {'tapeproof' | 'rewind-core'} [side]
 */
export async function run(text, folder, side = 'tapeproof') {
  const file = join(folder, `program-${process.hrtime.bigint()}.mjs`);
  writeFileSync(file, program(text, side));
  const { kept, ...promise } = witness();
  globalThis.promise = promise;
  const before = process.cwd();
  process.chdir(folder);
  try {
    await import(pathToFileURL(file).href);
  } finally {
    delete globalThis.promise;
    process.chdir(before);
  }
  return kept;
}

/** The number of statements of a document that promise something. */
export const promises = text =>
  blocks(text)
    .filter(({ language }) => language === 'js')
    .flatMap(({ lines }) => lines)
    .filter(line => /\/\/ (→|throws) /.test(line)).length;
