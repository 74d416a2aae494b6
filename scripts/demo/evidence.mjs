// The end of `npm run demo`: a recorded run becomes evidence, in the six commands of docs/evidence.md.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { paint } from '../terminal.mjs';

const path = name => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const [agent, tapeproof] = [path('examples/refund-run.mjs'), path('dist/cli/main.js')];

/** Shows what the six commands print. */
export function evidence() {
  const folder = mkdtempSync(join(tmpdir(), 'tapeproof-demo-'));
  const run = (args, env = {}) =>
    spawnSync(process.execPath, args, { cwd: folder, env: { ...process.env, ...env }, encoding: 'utf8' });
  const show = (shown, result, status = 0) => {
    console.log(`  ${paint('cyan', `$ ${shown}`)}`);
    for (const line of result.stdout.split('\n')) if (line.trim() !== '') console.log(`    ${line}`);
    assert.equal(result.status, status, result.stderr);
  };
  const command = (args, status, env) => show(`tapeproof ${args.join(' ')}`, run([tapeproof, ...args], env), status);

  try {
    run([tapeproof, 'keygen', 'demo']);
    const key = { TAPEPROOF_ED25519_PRIVATE_KEY: readFileSync(join(folder, 'demo.key'), 'utf8') };
    console.log(`${paint('bold', 'From a recording to evidence')}`);
    show('node examples/refund-run.mjs', run([agent]));
    command(['show', 'refund-1']);
    command(['seal', '--run-id', 'refund-1', '-o', 'record.json'], 0, key);
    command(['verify', 'record.json', '--pubkey', 'demo.pub']);

    const record = readFileSync(join(folder, 'record.json'), 'utf8');
    writeFileSync(join(folder, 'record.json'), record.replace('"refunded":42.5', '"refunded":425'));
    console.log(`  ${paint('cyan', '$ sed -i \'s/"refunded":42.5/"refunded":425/\' record.json')}`);
    command(['verify', 'record.json', '--pubkey', 'demo.pub'], 1);
    console.log();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
