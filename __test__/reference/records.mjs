// The record specification in plain JavaScript: a second reading, to compare the native one with.
import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  sign,
  timingSafeEqual,
  verify as verifies,
} from 'node:crypto';

export const KNOWN_SCHEMAS = ['runback.audit/v2', 'runback.cassette/v1'];
export const RUNBACK_AUDIT_PUBKEY_PEM = pem('ac33e647e1afbb51dac274af33ac6365aa3b0553cf43cd10ab7b1ad61018bc35');
const MAX_DEPTH = 2048;

const sha256 = text => createHash('sha256').update(text, 'utf8').digest('hex');
const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value);
const own = (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined);

// --- canonical text

/** C(v), with a stack of its own: values may be nested deeper than the thread's stack is. */
export function canonicalText(root) {
  let text = '';
  const todo = [{ value: root }];
  while (todo.length > 0) {
    const { value, literal } = todo.pop();
    if (literal !== undefined) text += literal;
    else if (typeof value !== 'object' || value === null) text += scalarText(value);
    else if (Array.isArray(value))
      enclose(
        todo,
        '[]',
        Array.from(value, item => ['', item]),
      );
    else {
      const present = Object.keys(value).filter(key => value[key] !== undefined);
      enclose(
        todo,
        '{}',
        present.sort().map(key => [`${JSON.stringify(key)}:`, value[key]]),
      );
    }
  }
  return text;
}

function scalarText(value) {
  if (typeof value === 'bigint') throw new TypeError('a BigInt has no canonical text');
  if (typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value);
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : 'null';
}

/** Leaves a container's parts to do, the first on top. */
function enclose(todo, [open, close], items) {
  todo.push({ literal: close });
  for (const [at, [label, value]] of [...items.entries()].reverse()) {
    todo.push({ value }, { literal: (at === 0 ? '' : ',') + label });
  }
  todo.push({ literal: open });
}

/** Throws for nesting that no implementation has to follow. */
function bounded(value) {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    level = level.filter(item => typeof item === 'object' && item !== null);
    if (depth === MAX_DEPTH && level.length > 0) throw new RangeError('nested too deeply');
    level = level.flatMap(item => Object.values(item));
  }
  return value;
}

// --- the two digests

function withoutHash(event) {
  if (!isObject(event)) return event;
  return Object.fromEntries(Object.entries(event).filter(([key]) => key !== '_hash'));
}

export function computeEventChain(events) {
  const hashes = [];
  for (const event of events) hashes.push(sha256((hashes.at(-1) ?? '') + canonicalText(withoutHash(event))));
  return { hashes, digest: hashes.at(-1) ?? sha256('') };
}

function paths(projection, name) {
  const list = own(projection, name) ?? [];
  if (!Array.isArray(list) || list.some(path => typeof path !== 'string'))
    throw new TypeError(`${name}: not a list of strings`);
  return list.map(path => path.split('.'));
}

/** P: the part of a question that identifies it. */
function projected(input, projection) {
  const keep = paths(projection, 'keep');
  const drop = paths(projection, 'drop');
  if (!isObject(input) || keep.length + drop.length === 0) return input;
  const names = keep.map(([name]) => name);
  const kept = Object.entries(JSON.parse(JSON.stringify(input))).filter(
    ([key]) => names.length === 0 || names.includes(key),
  );
  const result = Object.fromEntries(kept);
  for (const path of drop) remove(result, path);
  return result;
}

function remove(value, [name, ...rest]) {
  if (Array.isArray(value)) for (const item of value) remove(item, [name, ...rest]);
  else if (own(value, name) === undefined) return;
  else if (rest.length === 0) delete value[name];
  else remove(value[name], rest);
}

function entryOf(event) {
  const { type, error, key_projection: projection } = isObject(event) ? event : {};
  const call = (name, input, output) => ({
    kind: type,
    key: sha256(`${type}:${name ?? ''}:${canonicalText(projected(input, projection))}`),
    output: error ? { error } : output,
  });
  if (type === 'llm') return call(own(event.model, 'model_id'), own(event, 'request'), own(event, 'response'));
  if (type === 'tool') return call(own(event, 'tool_name'), own(event, 'input'), own(event, 'output'));
  if (type === 'env') return { kind: own(event, 'kind'), key: own(event, 'key'), output: own(event, 'output') };
  return undefined;
}

export function computeCassetteDigest(events) {
  if (events.some(event => event === null || event === undefined)) throw new TypeError('expected an event, found null');
  const seqs = events.map(event => own(event, 'seq') ?? 0);
  if (seqs.some(seq => typeof seq !== 'number' || Number.isNaN(seq))) return { digest: null, entry_count: 0 };
  const order = [...events.keys()].sort((a, b) => (seqs[a] === seqs[b] ? a - b : seqs[a] < seqs[b] ? -1 : 1));
  const entries = order.map(index => entryOf(events[index])).filter(entry => entry !== undefined);
  const digest = entries.reduce((head, entry) => sha256(head + canonicalText(entry)), '');
  return { digest: digest || sha256(''), entry_count: entries.length };
}

// --- keys and signatures

function pem(hex) {
  const der = Buffer.from(`302a300506032b6570032100${hex}`, 'hex');
  return `-----BEGIN PUBLIC KEY-----\n${der.toString('base64')}\n-----END PUBLIC KEY-----\n`;
}

/** The 32 bytes of the one Ed25519 key in a text, in hex. */
function keyOf(text) {
  if (typeof text !== 'string') return undefined;
  const bodies = [];
  let body;
  for (const line of text.replace(/^\ufeff/, '').match(/[^\n\r\u2028\u2029]*(?:\r\n|[\n\r\u2028\u2029]|$)/g)) {
    if (body === undefined) {
      if (/^-----BEGIN PUBLIC KEY-----[ \t]*\r?\n$/.test(line)) body = '';
    } else if (/^-----END PUBLIC KEY-----[ \t]*[\n\r\u2028\u2029]*$/.test(line)) {
      bodies.push(body.replace(/\s/g, ''));
      body = undefined;
    } else {
      body += line;
    }
  }
  if (bodies.length !== 1 || !/^[A-Za-z0-9+/]{59}=$/.test(bodies[0])) return undefined;
  return /^302a300506032b6570032100(.{64})$/.exec(Buffer.from(bodies[0], 'base64').toString('hex'))?.[1];
}

function keysOf(option, fallback) {
  const list = option === undefined ? fallback : option;
  return [list].flat().map(text => {
    const key = keyOf(text);
    if (key === undefined) throw new TypeError('expected one Ed25519 PUBLIC KEY PEM');
    return key;
  });
}

const P = 2n ** 255n - 19n;

/** The y coordinate that 32 bytes of hex encode, without the sign of x. */
const yOf = hex => BigInt(`0x${Buffer.from(hex, 'hex').reverse().toString('hex')}`) & (2n ** 255n - 1n);

/** On -x² + y² = 1 + d·x²·y² with d = -121665/121666, eight times a point is neutral just for the roots of this. */
function isSmallOrder(hex) {
  const y2 = yOf(hex) ** 2n % P;
  return (y2 * (y2 - 1n) * (121665n * y2 ** 2n - 243332n * y2 + 121666n)) % P === 0n;
}

function isSignature(value, key, payload) {
  if (yOf(key) >= P || isSmallOrder(key) || isSmallOrder(value.slice(0, 64))) return false;
  return verifies(null, payload, createPublicKey(pem(key)), Buffer.from(value, 'hex'));
}

function signatureOf(manifest, signingKey, pinned, revoked) {
  const signature = own(manifest, 'signature');
  const value = own(signature, 'value');
  if (!value) return { signature: 'unsigned', signature_alg: null };
  const payload = Buffer.from(`${own(manifest, 'content_digest')}:${own(own(manifest, 'replay'), 'cassette_digest')}`);
  if (own(signature, 'alg') === 'Ed25519') {
    const verdict = () => {
      if (!own(signature, 'pubkey')) return 'no-key';
      const key = keyOf(signature.pubkey);
      if (key === undefined || typeof value !== 'string' || !/^[0-9a-f]{128}$/i.test(value)) return 'invalid';
      if (!isSignature(value, key, payload)) return 'invalid';
      if (revoked.includes(key)) return 'revoked';
      return pinned.includes(key) ? 'valid' : 'valid-unpinned';
    };
    return { signature: verdict(), signature_alg: 'Ed25519' };
  }
  const verdict = () => {
    if (!signingKey) return 'no-key';
    if (typeof value !== 'string') return 'invalid';
    const right = Buffer.from(createHmac('sha256', signingKey).update(payload).digest('hex'));
    const given = Buffer.from(value);
    return right.length === given.length && timingSafeEqual(right, given) ? 'valid' : 'invalid';
  };
  return { signature: verdict(), signature_alg: 'HMAC-SHA256' };
}

// --- the summary

const shown = value => (typeof value === 'object' && value !== null ? canonicalText(value) : String(value));

function contradictions(record, events) {
  const found = [];
  const claimed = own(record.manifest, 'run_id');
  const runIds = events.map(event => own(event, 'run_id')).filter(Boolean);
  if (claimed && runIds.length > 0 && !runIds.some(runId => runId === claimed)) {
    found.push(`manifest.run_id (${shown(claimed)}) is not the run_id in the signed events`);
  }
  const end = events.find(event => own(event, 'type') === 'run' && own(event, 'phase') === 'end');
  if (!end || !record.run) return found;
  const status = own(record.run, 'status');
  if (status !== undefined && status !== own(end, 'status')) {
    found.push(`run.status (${shown(status)}) contradicts the sealed run-end event (${shown(own(end, 'status'))})`);
  }
  for (const field of ['output', 'error']) {
    const value = own(record.run, field);
    if (value !== undefined && canonicalText(value) !== canonicalText(own(end, field))) {
      found.push(`run.${field} does not match the sealed run-end event`);
    }
  }
  return found;
}

// --- records

export function verify(record, signingKey, options) {
  bounded(record);
  const pinned =
    options?.expectedPublicKey === null ? [] : keysOf(options?.expectedPublicKey, [RUNBACK_AUDIT_PUBKEY_PEM]);
  const revoked = keysOf(options?.revokedPublicKeys, []);
  const manifest = own(record, 'manifest');
  const events = own(record, 'events');
  if (!manifest || !Array.isArray(events)) throw new TypeError('expected a record');

  const { digest: cassette } = computeCassetteDigest(events);
  const { hashes, digest } = computeEventChain(events);
  const consistency_failures = contradictions({ manifest, run: own(record, 'run') }, events);
  const checks = {
    schema: KNOWN_SCHEMAS.includes(own(record, '$schema')),
    chain: hashes.every((hash, index) => own(events[index], '_hash') === hash),
    digest: own(manifest, 'content_digest') === digest,
    cassette: cassette !== null && own(own(manifest, 'replay'), 'cassette_digest') === cassette,
    consistent: consistency_failures.length === 0,
  };
  const integrity = Object.values(checks).every(Boolean);
  const signed = signatureOf(manifest, signingKey, pinned, revoked);
  const valid = integrity && signed.signature === 'valid';
  const meta = {
    schema: own(record, '$schema') ?? null,
    run_id: events.map(event => own(event, 'run_id')).find(Boolean) ?? own(manifest, 'run_id'),
    event_count: events.length,
    generated_at: own(manifest, 'generated_at'),
    spec_url: own(manifest, 'spec_url') ?? 'https://runback.dev/spec',
  };
  for (const key of ['run_id', 'generated_at']) if (meta[key] === undefined) delete meta[key];
  return {
    valid,
    verdict: !integrity || signed.signature === 'invalid' ? 'invalid' : valid ? 'valid' : 'unverified',
    integrity,
    checks: { ...checks, ...signed },
    consistency_failures,
    meta,
  };
}

export function verifyJson(text, signingKey, options) {
  if (typeof text === 'string') return verify(JSON.parse(text), signingKey, options);
  let decoded;
  try {
    decoded = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text);
  } catch {
    throw new SyntaxError('not UTF-8');
  }
  return verify(JSON.parse(decoded), signingKey, options);
}

/** Keys that were read, with their public halves: reading one takes longer than signing with it. */
const signers = new Map();

function signer(text) {
  if (!signers.has(text)) {
    const key = createPrivateKey(text);
    signers.set(text, { key, pubkey: createPublicKey(key).export({ type: 'spki', format: 'pem' }) });
  }
  return signers.get(text);
}

/** A record of JSON events, sealed with a PKCS#8 key, an HMAC key, or not at all. */
export function seal(events, run, { runId, generatedAt, privateKey, hmacKey } = {}) {
  const bare = events.map(withoutHash);
  const { hashes, digest } = computeEventChain(bare);
  const cassette = computeCassetteDigest(bare);
  const payload = Buffer.from(`${digest}:${cassette.digest}`);
  let signature = null;
  if (privateKey !== undefined) {
    const { key, pubkey } = signer(privateKey);
    signature = { alg: 'Ed25519', value: sign(null, payload, key).toString('hex'), pubkey };
  } else if (hmacKey !== undefined) {
    signature = { alg: 'HMAC-SHA256', value: createHmac('sha256', hmacKey).update(payload).digest('hex') };
  }
  return {
    $schema: KNOWN_SCHEMAS[0],
    manifest: {
      run_id: runId,
      generated_at: generatedAt,
      event_count: events.length,
      content_digest: digest,
      replay: { cassette_digest: cassette.digest, entry_count: cassette.entry_count },
      signed: signature !== null,
      signature,
    },
    run,
    events: bare.map((event, index) => ({ ...event, _hash: hashes[index] })),
  };
}
