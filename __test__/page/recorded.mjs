// A folder with two recorded runs, `monday` and `tuesday`: the same call with another answer.
import { Recorder } from 'tapeproof/recorder';
import { fileStore } from 'tapeproof/store';
import { temporaryFolder } from '../recorder/folder.mjs';

export function recorded() {
  const dir = temporaryFolder();
  for (const [run_id, answer] of [
    ['monday', 'paid'],
    ['tuesday', '<img src=x onerror=alert(1)>'],
  ]) {
    const recorder = new Recorder({ store: fileStore(dir), run: { run_id } });
    const request = { kind: 'tool', tool_name: 'pay', args: { amount: 40 } };
    recorder.record({ node: 'tools', kind: 'tool', request, response: answer, latency_ms: 800, tokens: 12 });
    recorder.finish({ final_state_hash: 'sha256:0' });
  }
  return dir;
}
