// examples/langgraph-agent: what its README shows is what it does.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { listRuns, readTrace } from 'tapeproof/store';

const folder = new URL('../examples/langgraph-agent/', import.meta.url);
const readme = readFileSync(new URL('README.md', folder), 'utf8');
let dir;

before(() => {
  dir = mkdtempSync(join(tmpdir(), 'tapeproof-example-'));
});
after(() => rmSync(dir, { recursive: true, force: true }));

function runAgent(env) {
  const agent = fileURLToPath(new URL('index.mjs', folder));
  const { status, stdout, stderr } = spawnSync(process.execPath, [agent], {
    cwd: dir,
    encoding: 'utf8',
    env: { ...process.env, REWIND_DIR: dir, ...env },
  });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

describe('examples/langgraph-agent', () => {
  it('says the same, recorded or not', () => {
    const answer = runAgent({ REWIND_ENABLED: '0' });
    assert.deepEqual(listRuns(dir), []);
    assert.equal(runAgent({ REWIND_ENABLED: '1' }), answer);
    assert.ok(readme.includes(`\`${answer}\``));
  });

  it('has the steps that its README shows', () => {
    const shown = [...readme.matchAll(/^ +(\d) {2}(\w+) +(\w+) +([0-9a-f]{12}) +(\d*) +– +\d+ ms/gm)];
    const [runId, ...others] = listRuns(dir);
    assert.deepEqual(others, []);
    const { run, steps, problems } = readTrace(dir, runId);
    assert.deepEqual([run.status, problems], ['complete', []]);
    assert.deepEqual(
      steps.map(({ seq, node, kind, req_hash, tokens }) => [seq, node, kind, req_hash.slice(0, 12), tokens ?? 0]),
      shown.map(([, seq, node, kind, hash, tokens]) => [Number(seq), node, kind, hash, Number(tokens)]),
    );
  });
});
