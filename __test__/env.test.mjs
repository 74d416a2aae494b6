// Recording as the environment asks for it, each case in a process and a folder of its own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as env from 'tapeproof/env';
import { listRuns, readCassette, readTrace } from 'tapeproof/store';
import { filesIn, temporaryFolder } from './recorder/folder.mjs';
import { FAILURES, ingestServer } from './recorder/ingest.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A folder in which `tapeproof` and the published names can be imported, with these files. */
function project(files = {}) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'node_modules', '@krishnadobhal'), { recursive: true });
  for (const name of ['tapeproof', '@krishnadobhal/rewind-sdk-js', '@krishnadobhal/rewind-core']) {
    symlinkSync(root, join(folder, 'node_modules', name), 'junction');
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** Runs a script in a project, with no variables of ours but these. */
async function run(folder, script, variables = {}) {
  writeFileSync(join(folder, 'agent.mjs'), script);
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(REWIND|NODE)_/.test(name)));
  const child = spawn(process.execPath, ['--no-warnings', 'agent.mjs'], {
    cwd: folder,
    env: { ...clean, ...variables },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', chunk => {
    stdout += chunk;
  });
  child.stderr.on('data', chunk => {
    stderr += chunk;
  });
  const status = await new Promise(resolve => child.once('close', resolve));
  return { status, stdout, stderr };
}

const RECORD = `
  import { recorderFromEnv } from '@krishnadobhal/rewind-sdk-js/env';
  const recorder = await recorderFromEnv({ thread_id: 'first' });
  recorder?.record({ node: 'plan', kind: 'tool', request: { kind: 'tool', tool_name: 't', args: { to: 'ann@example.org', ssn: '1' } },
    response: 'ok', latency_ms: 1 });
  console.log(recorder === null ? 'off' : 'on');
`;

/** Asserts that a project has one complete run of one step, and gives it. */
function recordedIn(folder) {
  const [id, ...others] = listRuns(folder);
  assert.ok(id);
  assert.deepEqual(others, []);
  const trace = readTrace(folder, id);
  assert.equal(trace.run.status, 'complete');
  assert.notEqual(trace.run.ended_at, null);
  assert.equal(trace.steps.length, 1);
  return { ...trace, cassette: readCassette(folder, trace.steps[0].cassette_ref) };
}

describe('environment', () => {
  it('the names of the variables', () => {
    const { ENV_ENABLED, ENV_DIR, ENV_SERVER, ENV_TOKEN, ENV_CONFIG, ENV_ENV_FILE } = env;
    assert.deepEqual([ENV_ENABLED, ENV_DIR, ENV_SERVER, ENV_TOKEN, ENV_CONFIG, ENV_ENV_FILE].sort(), [
      'REWIND_CONFIG',
      'REWIND_DIR',
      'REWIND_ENABLED',
      'REWIND_ENV_FILE',
      'REWIND_SERVER',
      'REWIND_TOKEN',
    ]);
  });

  for (const [name, variables] of [
    ['no variable', {}],
    ['0', { REWIND_ENABLED: '0' }],
    ['true', { REWIND_ENABLED: 'true' }],
    ['nothing', { REWIND_ENABLED: '' }],
  ]) {
    it(`off: ${name}`, async () => {
      const folder = project();
      assert.deepEqual(await run(folder, RECORD, variables), { status: 0, stdout: 'off\n', stderr: '' });
      assert.ok(!existsSync(join(folder, '.rewind')));
    });
  }

  it('on: into .rewind, finished at the exit', async () => {
    const folder = project();
    assert.deepEqual(await run(folder, RECORD, { REWIND_ENABLED: '1' }), { status: 0, stdout: 'on\n', stderr: '' });
    const { run: recorded, cassette } = recordedIn(join(folder, '.rewind'));
    assert.equal(recorded.thread_id, 'first');
    assert.match(cassette.request, /\[redacted:email:0\]/);
  });

  it('into another folder', async () => {
    const folder = project();
    await run(folder, RECORD, { REWIND_ENABLED: '1', REWIND_DIR: 'a/b' });
    recordedIn(join(folder, 'a', 'b'));
  });

  it('one Recorder, however often and under whatever name it is asked for; the first caller describes the run', async () => {
    const folder = project();
    const script = `
      import * as one from '@krishnadobhal/rewind-sdk-js/env';
      // Another copy of the module, as another installation of the package has one.
      const two = await import(import.meta.resolve('tapeproof/env') + '?copy');
      console.log(one.recorderFromEnv !== two.recorderFromEnv);
      const all = await Promise.all([one.recorderFromEnv({ thread_id: 'a' }), two.recorderFromEnv({ thread_id: 'b' }), one.recorderFromEnv()]);
      console.log(new Set(all).size, all[0].run.thread_id);
      one.resetRecorder();
      const next = await two.recorderFromEnv({ thread_id: 'c' });
      console.log(next !== all[0], next === (await one.recorderFromEnv()), next.run.thread_id);
    `;
    const { stdout, stderr } = await run(folder, script, { REWIND_ENABLED: '1' });
    assert.equal(stdout, 'true\n1 a\ntrue true c\n', stderr);
    assert.equal(listRuns(join(folder, '.rewind')).length, 2);
  });

  it('an agent that finishes its run itself', async () => {
    const folder = project();
    await run(folder, `${RECORD} recorder.finish({ final_state_hash: 'x' }, 'error');`, { REWIND_ENABLED: '1' });
    const [id] = listRuns(join(folder, '.rewind'));
    const { run: recorded } = readTrace(join(folder, '.rewind'), id);
    assert.deepEqual([recorded.status, recorded.outcome], ['error', { final_state_hash: 'x' }]);
  });

  for (const [name, end] of [
    ['process.exit', 'process.exit(0);'],
    ['an exception', 'throw new Error("agent");'],
    ['a kill', 'process.kill(process.pid, "SIGKILL");'],
  ]) {
    it(`${name} leaves the steps, in a run that is partial`, async () => {
      const folder = project();
      await run(folder, RECORD + end, { REWIND_ENABLED: '1' });
      const [id] = listRuns(join(folder, '.rewind'));
      const { run: recorded, steps } = readTrace(join(folder, '.rewind'), id);
      assert.deepEqual([recorded.status, recorded.ended_at, steps.length], ['partial', null, 1]);
    });
  }

  it('calls that end after the event loop was empty once are in the run', async () => {
    const folder = project();
    const more = `
      process.once('beforeExit', () => setTimeout(() => recorder.record({ node: 'n', kind: 'clock', request: { kind: 'clock', counter: 0 },
        response: 1, latency_ms: 2 }), 5));
    `;
    assert.equal((await run(folder, RECORD + more, { REWIND_ENABLED: '1' })).status, 0);
    const [id] = listRuns(join(folder, '.rewind'));
    const { run: recorded, steps } = readTrace(join(folder, '.rewind'), id);
    assert.deepEqual([recorded.status, recorded.latency_ms, steps.length], ['complete', 3, 2]);
  });
});

/** The run as it began, a cassette and its step, the run as it ended. */
const NOT_TAKEN = 'tapeproof: writes that the server has not taken when the process ended: 4\n';

describe('environment: a server', () => {
  it('is sent everything before the exit', async () => {
    const server = await ingestServer();
    const folder = project();
    const variables = { REWIND_ENABLED: '1', REWIND_SERVER: server.url, REWIND_TOKEN: 't0ken' };
    assert.deepEqual(await run(folder, RECORD, variables), { status: 0, stdout: 'on\n', stderr: '' });
    assert.ok(!existsSync(join(folder, '.rewind')));
    assert.equal(server.requests[0].headers.authorization, 'Bearer t0ken');
    const kept = [...server.kept.values()];
    assert.deepEqual(kept.map(({ kind }) => kind).sort(), ['cassette', 'run', 'step']);
    assert.equal(kept.find(({ kind }) => kind === 'run').run.status, 'complete');
  });

  for (const name of ['answers 500', 'resets the connection', 'closes without an answer']) {
    it(`that ${name} does not harm`, async () => {
      const server = await ingestServer((_number, request, response) => FAILURES[name](request, response));
      const result = await run(project(), RECORD, { REWIND_ENABLED: '1', REWIND_SERVER: server.url });
      assert.deepEqual(result, { status: 0, stdout: 'on\n', stderr: NOT_TAKEN });
      assert.ok(server.requests.length <= 4);
    });
  }

  it('that is none does not harm', async () => {
    const variables = { REWIND_ENABLED: '1', REWIND_SERVER: 'http://127.0.0.1:9' };
    assert.deepEqual(await run(project(), RECORD, variables), { status: 0, stdout: 'on\n', stderr: NOT_TAKEN });
  });

  it('whose token cannot be sent is said once', async () => {
    const variables = { REWIND_ENABLED: '1', REWIND_SERVER: 'http://127.0.0.1:9', REWIND_TOKEN: 'S3\nCRET' };
    const stderr = 'tapeproof: not recording: REWIND_TOKEN cannot stand in a header\n';
    assert.deepEqual(await run(project(), RECORD, variables), { status: 0, stdout: 'off\n', stderr });
  });

  for (const [server, reason] of [
    ['S3CRET', 'set-up failed (ERR_INVALID_URL)'],
    ['user:S3CRET@', 'REWIND_SERVER is no http or https URL'],
    ['http://user:S3CRET@127.0.0.1:9', 'REWIND_SERVER has a name or a password, expected REWIND_TOKEN'],
  ]) {
    it(`whose address is none is said once: ${server}`, async () => {
      const script = `${RECORD} await recorderFromEnv(); await recorderFromEnv();`;
      const { status, stdout, stderr } = await run(project(), script, { REWIND_ENABLED: '1', REWIND_SERVER: server });
      assert.deepEqual([status, stdout, stderr], [0, 'off\n', `tapeproof: not recording: ${reason}\n`]);
    });
  }
});

const readsTypeScript = Boolean(process.features.typescript);

describe('environment: a configuration file', () => {
  const config = `import { defineConfig, DEFAULT_DIR } from '@krishnadobhal/rewind-sdk-js/config';
    export default defineConfig({ dir: DEFAULT_DIR + '-there', redact: { preset: 'default', fields: ['ssn'].values(), custom: [/ann/g] } });`;

  for (const name of ['rewind.config.mjs', 'rewind.config.js', ...(readsTypeScript ? ['rewind.config.ts'] : [])]) {
    it(name, async () => {
      const folder = project({ [name]: config, 'package.json': '{"type":"module"}' });
      const { stdout, stderr } = await run(folder, RECORD, { REWIND_ENABLED: '1', REWIND_CONFIG: name });
      assert.deepEqual([stdout, stderr], ['on\n', '']);
      const { cassette } = recordedIn(join(folder, '.rewind-there'));
      assert.match(cassette.request, /"ssn":"\[redacted:field:0\]"/);
    });
  }

  for (const [name, file, text] of [
    [
      'compiled to CommonJS',
      'c.cjs',
      'exports.__esModule = true; exports.default = { dir: "there", redact: { fields: ["ssn"] } };',
    ],
    ['that is there later', 'c.mjs', 'export default Promise.resolve({ dir: "there", redact: { fields: ["ssn"] } });'],
  ]) {
    it(name, async () => {
      const folder = project({ [file]: text });
      const result = await run(folder, RECORD, { REWIND_ENABLED: '1', REWIND_CONFIG: file });
      assert.deepEqual(result, { status: 0, stdout: 'on\n', stderr: '' });
      assert.match(recordedIn(join(folder, 'there')).cassette.request, /"ssn":"\[redacted:field:0\]"/);
    });
  }

  it('the environment goes before it', async () => {
    const folder = project({ 'c.mjs': config });
    await run(folder, RECORD, { REWIND_ENABLED: '1', REWIND_CONFIG: join(folder, 'c.mjs'), REWIND_DIR: 'here' });
    recordedIn(join(folder, 'here'));
    assert.ok(!existsSync(join(folder, '.rewind-there')));
  });

  it('can name a server', async () => {
    const server = await ingestServer();
    const text = `export default ${JSON.stringify({ server: server.url, token: 'fromfile' })}`;
    await run(project({ 'c.mjs': text }), RECORD, { REWIND_ENABLED: '1', REWIND_CONFIG: 'c.mjs' });
    assert.equal(server.requests[0].headers.authorization, 'Bearer fromfile');
  });

  const cannotBeLoaded = reason => new RegExp(`the configuration file cannot be loaded \\(${reason}\\)$`);
  const BROKEN = [
    ['that is not there', undefined, cannotBeLoaded('ERR_MODULE_NOT_FOUND')],
    ['that throws', 'throw new RangeError("S3CRET")', cannotBeLoaded('RangeError')],
    ['that throws nothing', 'throw undefined', cannotBeLoaded('unknown failure')],
    ['that does not parse', 'export default {', cannotBeLoaded('SyntaxError')],
    ['that exports nothing', '', /no object as its default export$/],
    ['that exports by another name', 'export const config = {}', /no object as its default export$/],
    ['that exports null', 'export default null', /no object as its default export$/],
    ['that exports a list', 'export default [{ dir: "a" }]', /no object as its default export$/],
    ['that exports a function', 'export default () => ({})', /no object as its default export$/],
    ['that waits for ever', 'await new Promise(() => {})', /takes longer than 10 seconds$/],
    ['that exports what never comes', 'export default new Promise(() => {})', /takes longer than 10 seconds$/],
    ['whose folder throws', 'export default { get dir() { throw new Error("S3CRET") } }', /set-up failed \(Error\)$/],
    ['whose folder is no text', 'export default { dir: 7 }', /dir of the configuration is no text$/],
    ['whose preset is none', 'export default { redact: { preset: "S3CRET" } }', /\(ERR_TAPEPROOF_PRESET\)$/],
    [
      'whose pattern is none',
      'export default { redact: { custom: [{ source: "S3CRET(", flags: "" }] } }',
      /\(SyntaxError\)$/,
    ],
    ['whose fields are none', 'export default { redact: { fields: 7 } }', /\((ERR_TAPEPROOF_FIELDS|TypeError)\)$/],
  ];
  for (const [name, text, reason] of BROKEN) {
    it(`${name}: one warning, no recording, no harm`, async () => {
      const folder = project(text === undefined ? {} : { 'c.mjs': text });
      const script = `${RECORD} await recorderFromEnv();`;
      const { status, stdout, stderr } = await run(folder, script, { REWIND_ENABLED: '1', REWIND_CONFIG: 'c.mjs' });
      assert.deepEqual([status, stdout], [0, 'off\n']);
      assert.match(stderr, /^tapeproof: not recording: .+\n$/);
      assert.match(stderr.trimEnd(), reason);
      assert.doesNotMatch(stderr, /S3CRET/);
      assert.ok(!existsSync(join(folder, '.rewind')));
    });
  }

  it('a broken one is of no interest while recording is off', async () => {
    const { stderr } = await run(project({ 'c.mjs': 'throw 1' }), RECORD, { REWIND_CONFIG: 'c.mjs' });
    assert.equal(stderr, '');
  });

  if (!readsTypeScript) {
    it('in TypeScript, which this Node cannot load', async () => {
      const folder = project({ 'rewind.config.ts': config });
      const { status, stderr } = await run(folder, RECORD, { REWIND_ENABLED: '1', REWIND_CONFIG: 'rewind.config.ts' });
      assert.equal(status, 0);
      assert.match(
        stderr,
        /^tapeproof: not recording: this Node [\d.]+ cannot load a TypeScript configuration, .*\.mjs file\n$/,
      );
    });
  }
});

describe('environment: .env', () => {
  const PRINT = `
    import { loadEnvFile } from 'tapeproof/env';
    const loaded = loadEnvFile();
    console.log(JSON.stringify([loaded === null ? null : 'loaded', Object.fromEntries(Object.entries(process.env).filter(([name]) => /^T_/.test(name)))]));
  `;
  const load = async (text, variables) => {
    const { stdout, stderr } = await run(project(text === undefined ? {} : { '.env': text }), PRINT, variables);
    return { result: JSON.parse(stdout), stderr };
  };

  const variables = () => Object.entries(process.env).filter(([variable]) => /^T_/.test(variable));

  const TEXTS = [
    ['names and values', 'T_A=1\nT_B = two words \nT_C=', { T_A: '1', T_B: 'two words', T_C: '' }],
    ['quotes', `T_A="a b "\nT_B='a "b"'\nT_C=\`it's\``, { T_A: 'a b ', T_B: 'a "b"', T_C: "it's" }],
    [
      'escapes in double quotes only',
      `${String.raw`T_A="a\nb\t\"c\" \\ \x"`}\n${String.raw`T_B='a\nb'`}`,
      { T_A: 'a\nb\t"c" \\ \\x', T_B: 'a\\nb' },
    ],
    ['values over lines', 'T_A="one\ntwo"\nT_B=\'three\nfour\'', { T_A: 'one\ntwo', T_B: 'three\nfour' }],
    ['comments', '# T_A=0\nT_B=1 # one\nT_C="#1" # two\n  # x\nT_D=a#b', { T_B: '1', T_C: '#1', T_D: 'a' }],
    ['CRLF', 'T_A=1\r\nT_B="2"\r\nT_C=3\r\n', { T_A: '1', T_B: '2', T_C: '3' }],
    ['old Mac line ends', 'T_A=1\rT_B=2', { T_A: '1', T_B: '2' }],
    ['a name that comes twice', 'T_A=1\nT_A=2', { T_A: '2' }],
    ['export', 'export T_A=1\n  export  T_B=2', { T_A: '1', T_B: '2' }],
    ['a byte order mark', '\ufeffT_A=1', { T_A: '1' }],
    ['lines that are none', 'hello\n=1\nT A=1\nT_A=1\n"', { T_A: '1' }],
    ['a quote that is not closed', 'T_A="a\nT_B=b', { T_A: '"a', T_B: 'b' }],
    ['equal signs', 'T_A=a=b==', { T_A: 'a=b==' }],
    ['an empty file', '', {}],
  ];
  for (const [name, text, expected] of TEXTS) {
    it(name, () => {
      const path = join(project({ '.env': text }), '.env');
      process.env['REWIND_ENV_FILE'] = path;
      try {
        assert.equal(env.loadEnvFile(), path);
        assert.deepEqual(Object.fromEntries(variables()), expected);
      } finally {
        for (const [variable] of [...variables(), ['REWIND_ENV_FILE']]) delete process.env[variable];
      }
    });
  }

  it('never overrides', async () => {
    const { result } = await load('T_A=file\nT_B=file', { T_A: 'set', T_B: '' });
    assert.deepEqual(result[1], { T_A: 'set', T_B: '' });
  });

  it('is loaded before recording is looked at, and can switch it on', async () => {
    const folder = project({ '.env': 'REWIND_ENABLED=1\nREWIND_DIR="from file"\n' });
    assert.equal((await run(folder, RECORD)).stdout, 'on\n');
    recordedIn(join(folder, 'from file'));
    assert.equal((await run(folder, RECORD, { REWIND_ENABLED: '0' })).stdout, 'off\n');
  });

  it('another file', async () => {
    const folder = project({ '.env': 'T_A=1', 'other.env': 'T_B=2' });
    const { stdout } = await run(folder, PRINT, { REWIND_ENV_FILE: 'other.env' });
    assert.deepEqual(JSON.parse(stdout), ['loaded', { T_B: '2' }]);
  });

  it('none', async () => {
    assert.deepEqual((await load('T_A=1', { REWIND_ENV_FILE: '0' })).result, [null, {}]);
    assert.deepEqual(await load(undefined), { result: [null, {}], stderr: '' });
  });

  it('that cannot be read is said, and nothing more', async () => {
    const folder = project();
    mkdirSync(join(folder, '.env'));
    const directory = await run(folder, RECORD, { REWIND_ENABLED: '1' });
    assert.deepEqual([directory.status, directory.stdout], [0, 'on\n']);
    assert.match(directory.stderr, /^tapeproof: the file of environment variables cannot be read \(EISDIR\)\n$/);
    const missing = await run(project(), PRINT, { REWIND_ENV_FILE: 'missing' });
    assert.match(missing.stderr, /\(ENOENT\)\n$/);
  });

  it('that is too long does not harm', async () => {
    const folder = project({ '.env': `T_A="${'\\n'.repeat(20e6)}"` });
    const { status, stdout, stderr } = await run(folder, RECORD, { REWIND_ENABLED: '1' });
    assert.deepEqual([status, stdout], [0, 'on\n']);
    assert.match(stderr, /^(tapeproof: the file of environment variables cannot be read \(RangeError\)\n)?$/);
  });

  it('of a folder that is gone', {
    skip: process.platform === 'win32' && 'a folder in use cannot be removed',
  }, async () => {
    const script = `
      import { rmSync, mkdtempSync } from 'node:fs';
      process.chdir(mkdtempSync('gone-'));
      rmSync(process.cwd(), { recursive: true });
      ${RECORD}
    `;
    assert.equal((await run(project(), script, { REWIND_ENABLED: '1' })).status, 0);
  });
});

describe('code that knows only the published page', () => {
  it('records, reads back and redacts', async () => {
    const folder = project();
    const script = `
      import { Recorder } from '@krishnadobhal/rewind-sdk-js/recorder';
      import { fileStore, readTrace, listRuns, readCassette } from '@krishnadobhal/rewind-sdk-js/store';
      import { bufferedStore } from '@krishnadobhal/rewind-sdk-js/emitter';
      import { httpStore } from '@krishnadobhal/rewind-sdk-js/http';
      import { defineConfig, DEFAULT_DIR } from '@krishnadobhal/rewind-sdk-js/config';
      import { loadEnvFile, recorderFromEnv } from '@krishnadobhal/rewind-sdk-js/env';
      import { redact } from '@krishnadobhal/rewind-sdk-js/redact';
      import { reqHash } from '@krishnadobhal/rewind-core/hash';

      const recorder = new Recorder({ store: fileStore(DEFAULT_DIR) });
      const request = { kind: 'tool', tool_name: 'mail', args: { to: 'ann@example.org', note: 'call 555-123-4567' } };
      recorder.record({ node: 'plan', kind: 'tool', request, response: 'sent', latency_ms: 420, tokens: 900, cost_usd: 0.004 });
      recorder.finish({ final_state_hash: 'sha256:0' });
      for (const id of listRuns('.rewind')) {
        const { run, steps } = readTrace('.rewind', id);
        const { seq, node, kind, req_hash, match_tier, latency_ms, tokens, cost_usd } = steps[0];
        console.log(run.status, steps.length, seq, node, kind, req_hash === reqHash(request), match_tier, latency_ms, tokens, cost_usd);
        console.log(JSON.parse(readCassette('.rewind', req_hash).request).args);
      }
      console.log(redact({ to: 'ann@example.org', note: 'call 555-123-4567' }, { preset: 'default' }).map);
      const store = bufferedStore({ target: httpStore({ url: 'http://127.0.0.1:9', token: 't' }), maxQueue: 1000 });
      console.log(typeof store.flush, typeof defineConfig({ dir: '.rewind' }), loadEnvFile(), await recorderFromEnv());
    `;
    const { stdout, stderr } = await run(folder, script);
    assert.equal(stderr, '');
    assert.equal(
      stdout,
      [
        'complete 1 0 plan tool true recorded 420 900 0.004',
        "{ to: '[redacted:email:0]', note: 'call [redacted:phone:0]' }",
        "{ '[redacted:email:0]': 'email', '[redacted:phone:0]': 'phone' }",
        'function object null null',
        '',
      ].join('\n'),
    );
    assert.equal(filesIn(join(folder, '.rewind')).length, 3);
  });
});
