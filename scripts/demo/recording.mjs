// A part of `npm run demo`: a LangGraph agent is recorded, twice.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listRuns, readCassette, readTrace } from 'tapeproof/store';
import { paint } from '../terminal.mjs';

const AGENT = 'examples/langgraph-agent/index.mjs';
const path = name => fileURLToPath(new URL(`../../${name}`, import.meta.url));

/** Records the agent, and shows its steps, a redacted request, and that another run has the same hashes. */
export function recording() {
  const folder = mkdtempSync(join(tmpdir(), 'tapeproof-demo-'));
  const env = { ...process.env, REWIND_ENABLED: '1', REWIND_DIR: folder, REWIND_ENV_FILE: '0' };
  const run = (...args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return stdout.trimEnd();
  };
  try {
    console.log(`${paint('bold', AGENT)}  ${run(path(AGENT))}`);
    const [id] = listRuns(folder);
    console.log(`${paint('dim', run(path('dist/cli/main.js'), 'show', id))}\n`);

    const { steps } = readTrace(folder, id);
    const mail = steps
      .map(({ cassette_ref }) => readCassette(folder, cassette_ref))
      .find(({ request }) => request.includes('write_mail'));
    assert.ok(!mail.request.includes('@'));
    console.log(`${paint('bold', 'What is stored has no e-mail address')}\n  ${redactedPart(mail.request)}\n`);

    run(path(AGENT));
    const identities = listRuns(folder).map(each =>
      readTrace(folder, each).steps.map(({ seq, node, req_hash }) => `${seq} ${node} ${req_hash}`),
    );
    assert.deepEqual(identities[0], identities[1]);
    console.log(`${paint('green', '=')} the same ${steps.length} steps with the same hashes in a second run\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The text that leads to the first token. */
function redactedPart(text) {
  const at = text.indexOf('[redacted:email');
  return `…${text.slice(Math.max(0, at - 60), at + 20)}…`;
}
