// A recorder whose store is a list.
import { reqHash } from 'tapeproof/hash';
import { Recorder } from 'tapeproof/recorder';

export function recording(options = {}) {
  const steps = [];
  const cassettes = new Map();
  const lines = [];
  const recorder = new Recorder({
    store: {
      putRun() {},
      appendStep: step => void steps.push(step),
      putCassette(cassette) {
        const ref = `${cassette.hash}.${cassettes.size}`;
        cassettes.set(ref, cassette);
        return ref;
      },
    },
    redact: { preset: [] },
    log: line => lines.push(line),
    ...options,
  });
  return {
    recorder,
    lines,
    /** The steps in their order, each with its request and response. */
    get steps() {
      const whole = steps.map(step => {
        const { request, response } = cassettes.get(step.cassette_ref);
        return { ...step, request: JSON.parse(request), response: JSON.parse(response) };
      });
      return whole.sort((one, other) => one.seq - other.seq);
    },
    of(kind) {
      return this.steps.filter(step => step.kind === kind);
    },
    /** What two runs of one program have in common. */
    get identities() {
      return this.steps.map(({ seq, node, kind, req_hash }) => [seq, node, kind, req_hash].join(' '));
    },
    /** The same, as if no message had an id. */
    get identitiesWithoutIds() {
      const bare = ({ id, ...message }) => message;
      return this.steps.map(({ seq, node, kind, request }) => {
        const messages = request.messages?.map(bare);
        return [seq, node, kind, reqHash({ ...request, messages })].join(' ');
      });
    },
  };
}
