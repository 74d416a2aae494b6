import { isNative, reqHash, type TapeproofError } from 'tapeproof';
import type { bufferedStore } from 'tapeproof/emitter';
import { canonical, HASH_VERSION, stateHash } from 'tapeproof/hash';
import { withRewind } from 'tapeproof/middleware';
import { Recorder } from 'tapeproof/recorder';
import { type RedactConfig, redact } from 'tapeproof/redact';
import type { ModelRequest } from 'tapeproof/request';
import { type Run, STEP_KINDS, type StepKind } from 'tapeproof/schema';
import { fileStore, readTrace } from 'tapeproof/store';
import { generateKeyPair, seal, type VerifyResult, verify } from 'tapeproof/verify';

const request: ModelRequest = {
  kind: 'model',
  provider: 'anthropic',
  model_id: 'claude-sonnet-5',
  messages: [{ role: 'user', content: 'summarise this' }],
};
const config: RedactConfig = { fields: ['ssn'], custom: [/ACC-\d{8}/g] };
const kind: StepKind = STEP_KINDS[0];
const hashes: string[] = [reqHash(request), stateHash(canonical(request))];
const { value, map }: { value: unknown; map: Record<string, string> } = redact({ ssn: 1 }, config);
const recorder = new Recorder({ store: fileStore('.rewind'), redact: config });
recorder.record({ node: 'agent', kind, request, response: { value, map }, latency_ms: 1 });
recorder.finish({ final_state_hash: hashes[1] ?? '' });
const run: Run | undefined = readTrace('.rewind', recorder.run.run_id)?.run;
const { privateKey, publicKey } = generateKeyPair();
const result: VerifyResult = verify(seal([{ seq: 1 }], { run: {}, privateKey }), null, {
  expectedPublicKey: publicKey,
});

export const rewind = (): Promise<{ model: object }> => withRewind({ model: {}, tools: [] });
export const code = (error: unknown): string | undefined => (error as Partial<TapeproofError>).code;
export type Options = Parameters<typeof bufferedStore>[0];

// @ts-expect-error: a request has a kind
reqHash({ provider: 'anthropic' });

const version: 3 = HASH_VERSION;
export default [version, isNative(), run?.status, result.verdict] satisfies unknown[];
