// Bytes that are gone, shared or being written while they are read.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { seal, verifyJson, verifyJsonAsync } from 'tapeproof/verify';

const { verdict } = verifyJson(JSON.stringify(seal([], { run: {}, hmacKey: 'k' })), 'k');
const signed = JSON.stringify(seal([{ type: 'tool', x: 1 }], { run: {}, hmacKey: 'k' }));

function detached(view) {
  structuredClone(view.buffer, { transfer: [view.buffer] });
  return view;
}

function outOfBounds() {
  const buffer = new ArrayBuffer(16, { maxByteLength: 16 });
  const view = new Uint8Array(buffer, 8, 8);
  buffer.resize(4);
  return view;
}

const GONE = {
  'a detached view': () => detached(new Uint8Array(8)),
  'a detached buffer': () => detached(new Uint8Array(8)).buffer,
  'a detached DataView': () => detached(new DataView(new ArrayBuffer(8))),
  'a view beyond its buffer': outOfBounds,
  'a Proxy of a view': () => new Proxy(new Uint8Array(8), {}),
};

describe('a key', () => {
  it('that is there', () => assert.equal(verdict, 'valid'));

  for (const [name, make] of Object.entries(GONE)) {
    it(`${name} seals nothing`, () => {
      const options = { run: {}, hmacKey: make() };
      assert.throws(() => seal([], options), { name: 'TypeError', code: 'ERR_TAPEPROOF_SIGNING_KEY' });
    });

    it(`${name} verifies nothing`, () => {
      let found;
      try {
        found = verifyJson(signed, make()).verdict;
      } catch (error) {
        found = error.code;
      }
      assert.match(found, /^(invalid|ERR_TAPEPROOF_SIGNING_KEY)$/);
    });
  }

  it('in a shared buffer is taken as it is then', () => {
    const key = new Uint8Array(new SharedArrayBuffer(1));
    key.set(Buffer.from('k'));
    const sealed = JSON.stringify(seal([], { run: {}, hmacKey: key.buffer }));
    key.fill(0);
    assert.equal(verifyJson(sealed, 'k').verdict, 'valid');
  });

  it('without bytes seals nothing: anybody has it', () => {
    for (const hmacKey of ['', new Uint8Array(0), new ArrayBuffer(0), Buffer.alloc(0)]) {
      assert.throws(() => seal([], { run: {}, hmacKey }), { code: 'ERR_TAPEPROOF_SIGNING_KEY' });
    }
  });
});

describe('a record', () => {
  for (const [name, make] of Object.entries({ ...GONE, 'a shared buffer': () => new SharedArrayBuffer(8) })) {
    it(`${name} is none`, async () => {
      const expected = { code: /^ERR_TAPEPROOF_(SYNTAX|TEXT)$/ };
      assert.throws(() => verifyJson(make()), expected);
      await assert.rejects(verifyJsonAsync(make()), expected);
    });
  }

  it('that another thread writes over meanwhile has a verdict or an error', async () => {
    const text = Buffer.from(JSON.stringify(seal([{ x: 'é'.repeat(5000) }], { run: {} })));
    const shared = new Uint8Array(new SharedArrayBuffer(text.length));
    shared.set(text);
    const writer = new Worker(
      `const bytes = new Uint8Array(require('node:worker_threads').workerData);
       require('node:worker_threads').parentPort.postMessage(0);
       for (;;) for (let at = 0; at < bytes.length; at += 7) { const byte = bytes[at]; bytes[at] = 0xff; bytes[at] = byte; }`,
      { eval: true, workerData: shared.buffer },
    );
    await new Promise(resolve => writer.once('message', resolve));
    try {
      for (let times = 0; times < 200; times++) {
        let found;
        try {
          found = verifyJson(shared).verdict;
        } catch (error) {
          found = error.code;
        }
        assert.match(found, /^(unverified|invalid|ERR_TAPEPROOF_(SYNTAX|UTF8|RECORD|EVENT|PROJECTION))$/);
      }
    } finally {
      await writer.terminate();
    }
  });
});
