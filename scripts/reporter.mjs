// A short report of a run of `node --test`: a line a file, every failure and skip in full, node's own closing lines.
// With `CI` set a skipped test fails the run: there, every tool and every file that a test wants is present.
import { basename, relative } from 'node:path';
import { inspect } from 'node:util';
import { duration, paint } from './terminal.mjs';

const RUNNER_FRAME = /\n +at (?:.* \()?node:.*/g;

const indent = text => text.replace(/^/gm, '    ');

function failure(path, { file, line, column, details }) {
  const { error } = details;
  // The runner wraps what the test threw.
  const cause = error?.code === 'ERR_TEST_FAILURE' ? (error.cause ?? error) : error;
  const text = typeof cause === 'string' ? cause : inspect(cause).replace(RUNNER_FRAME, '');
  return `${paint('red', '✖')} ${path}\n    ${relative('', file ?? '')}:${line}:${column}\n${indent(text)}\n`;
}

const skip = (path, why) =>
  `${paint('yellow', '﹣')} ${path}: skipped${typeof why === 'string' && why !== '' ? `, ${why}` : ''}\n`;

// A parent fails because a child did; the child has told why.
const isLeaf = data => data.details.error?.failureType !== 'subtestsFailed';

/** The tests of one file. The runner reports file after file, also when it runs several at once. */
class FileCount {
  file;
  #tests = 0;
  #failed = 0;
  #ms = 0;

  constructor(file) {
    this.file = file;
  }

  add({ nesting, details }, passed) {
    if (nesting === 0) this.#ms += details.duration_ms;
    if (details.type === 'suite') return;
    this.#tests += 1;
    if (!passed) this.#failed += 1;
  }

  get line() {
    const tests = `${this.#tests} ${this.#tests === 1 ? 'test' : 'tests'}`;
    const counts = this.#failed === 0 ? tests : `${this.#failed} of ${tests} failed`;
    const mark = this.#failed === 0 ? paint('green', '✔') : paint('red', '✖');
    return `${mark} ${basename(this.file)} ${paint('dim', `(${counts}, ${duration(this.#ms)})`)}\n`;
  }
}

export default async function* report(events) {
  const names = [];
  let count;
  let skipped = 0;

  for await (const { type, data } of events) {
    switch (type) {
      case 'test:start':
        names.length = data.nesting;
        names[data.nesting] = data.name;
        break;
      case 'test:pass':
      case 'test:fail': {
        const file = data.entryFile ?? data.file ?? '';
        if (count?.file !== file) {
          if (count) yield count.line;
          count = new FileCount(file);
        }
        const path = [...names.slice(0, data.nesting), data.name].join(' › ');
        const passed = type === 'test:pass';
        count.add(data, passed || data.todo !== undefined);
        if (!passed && isLeaf(data)) yield failure(path, data);
        if (data.skip !== undefined) {
          skipped += 1;
          yield skip(path, data.skip);
        }
        break;
      }
      case 'test:stdout':
      case 'test:stderr':
        yield data.message;
        break;
      case 'test:diagnostic':
        // What belongs to no file are the closing lines.
        if (count && data.file === undefined) {
          yield count.line;
          count = undefined;
        }
        yield `ℹ ${data.message}\n`;
        break;
    }
  }
  if (skipped > 0 && process.env.CI) {
    process.exitCode = 1;
    yield `${paint('red', '✖')} ${skipped} skipped: with CI set, a skipped test is a failure\n`;
  }
}
