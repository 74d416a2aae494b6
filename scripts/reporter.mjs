// A short report of a run of `node --test`: a line a file, every failure and skip in full, node's own closing lines.
// With `CI` set a skipped test fails the run: there, every tool and every file that a test wants is present.
import { basename, relative } from 'node:path';
import { inspect } from 'node:util';
import { duration, paint } from './terminal.mjs';

const RUNNER_FRAME = /\n +at (?:.* \()?node:.*/g;

const indent = text => text.replace(/^/gm, '    ');

function failure(names, { file, line, column, details }) {
  const { error } = details;
  // The runner wraps what the test threw.
  const cause = error?.code === 'ERR_TEST_FAILURE' ? (error.cause ?? error) : error;
  const text = typeof cause === 'string' ? cause : inspect(cause).replace(RUNNER_FRAME, '');
  return `${paint('red', '✖')} ${names.join(' › ')}\n    ${relative('', file ?? '')}:${line}:${column}\n${indent(text)}\n`;
}

// A parent fails because a child did; the child has told why.
const isLeaf = data => data.details.error?.failureType !== 'subtestsFailed';

export default async function* report(events) {
  const counts = new Map();
  const names = [];
  let skipped = 0;

  for await (const { type, data } of events) {
    const isFile = data?.file !== undefined && data.name === data.file;
    switch (type) {
      case 'test:start':
        names.length = data.nesting;
        names[data.nesting] = data.name;
        break;
      case 'test:complete':
        if (!isFile) {
          if (data.details.type !== 'suite') counts.set(data.file, (counts.get(data.file) ?? 0) + 1);
        } else if (data.details.passed !== false) {
          const count = counts.get(data.file) ?? 0;
          const words = `${count} ${count === 1 ? 'test' : 'tests'}, ${duration(data.details.duration_ms)}`;
          yield `${paint('green', '✔')} ${basename(data.file)} ${paint('dim', `(${words})`)}\n`;
        }
        break;
      case 'test:pass':
        if (data.skip !== undefined) {
          skipped += 1;
          yield `${paint('yellow', '﹣')} ${[...names.slice(0, data.nesting), data.name].join(' › ')}: skipped${typeof data.skip === 'string' && data.skip ? `, ${data.skip}` : ''}\n`;
        }
        break;
      case 'test:fail':
        if (isLeaf(data)) yield failure([...names.slice(0, data.nesting), data.name], data);
        break;
      case 'test:stdout':
      case 'test:stderr':
        yield data.message;
        break;
      case 'test:diagnostic':
        yield `ℹ ${data.message}\n`;
        break;
    }
  }
  if (skipped > 0 && process.env.CI) {
    process.exitCode = 1;
    yield `${paint('red', '✖')} ${skipped} skipped: with CI set, a skipped test is a failure\n`;
  }
}
