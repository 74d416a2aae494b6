// withRewind as a user's strict code sees it. Never run.
import { type Pricing, type Rewind, withRewind } from 'tapeproof/middleware';
import { Recorder } from 'tapeproof/recorder';
import { fileStore } from 'tapeproof/store';

class Model {
  invoke(input: string): Promise<string> {
    return Promise.resolve(input);
  }
}
interface Tool {
  name: string;
  invoke(args: { n: number }): Promise<number>;
}
declare const tools: [Tool, Tool];

// As on the published page.
const model = new Model();
const rw = await withRewind({ model, tools });
const same: Model = rw.model;
const [first]: [Tool, Tool] = rw.tools;
const more: Tool = rw.wrap(first);
const said: string = await rw.model.invoke('Hello');
const recorder: Recorder | null = rw.recorder;

const pricing: Pricing = (model_id, { input_tokens }) => (model_id === 'm' ? input_tokens : null);
const all: Rewind<Model, undefined> = await withRewind({
  model,
  recorder: new Recorder({ store: fileStore('.rewind') }),
  run: { thread_id: 'thread_7' },
  pricing,
});
const none: undefined = (await withRewind()).model;
// @ts-expect-error: the recorder is a Recorder
await withRewind({ recorder: {} });

export { all, more, none, recorder, said, same };
