// Tools.
import { resultOf } from './answer.js';
import type { Call, Observer } from './call.js';
import { within } from './context.js';
import { isObject, type Live } from './live.js';
import { observed } from './observe.js';
import { Chunks } from './pieces.js';
import { plain } from './plain.js';
import type { Interceptor, Role } from './stand-in.js';
import { streamed } from './streams.js';

export function toolRole(tool: Live, observer: Observer, otherwise: Role): Role {
  const begin = (config: unknown, args: () => unknown, when?: 'at the end'): Call =>
    within(config, () =>
      observer.begin(() => {
        const { name } = tool;
        return { kind: 'tool', tool_name: typeof name === 'string' ? name : 'unknown', args: plain(args()) };
      }, when),
    );

  // The config is the scope of the models that the tool calls.
  const invoke: Interceptor = (method, _, args) => {
    const [input, config] = args;
    const call = begin(config, () => argsOf(input));
    return observed(call, () => within(config, () => method.apply(tool, args)), resultOf);
  };

  // A runnable in the form of a tool hands these on to what is in it.
  const handedOn: Record<string, Interceptor> = {
    batch: (method, _, args) => {
      const [inputs, configs] = args;
      const calls = (Array.isArray(inputs) ? inputs : []).map((input, index) =>
        begin(Array.isArray(configs) ? configs[index] : configs, () => argsOf(input)),
      );
      return all(calls, method.apply(tool, args));
    },
    stream: (method, _, args) => {
      const [input, config] = args;
      const start = (): Call => begin(config, () => argsOf(input));
      return streamed(start, () => within(config, () => method.apply(tool, args)), new Chunks());
    },
    transform: (method, _, [inputs, config, ...rest]) => {
      const given = new Chunks();
      const noted = async function* (): AsyncGenerator<unknown> {
        for await (const input of inputs as AsyncIterable<unknown>) {
          given.add(input);
          yield input;
        }
      };
      const start = (): Call => begin(config, () => argsOf(given.whole()), 'at the end');
      return streamed(start, () => within(config, () => method.call(tool, noted(), config, ...rest)), new Chunks());
    },
  };
  const isBinding = isObject(tool['bound']);

  return (key, method) => {
    if (key === 'invoke' || key === 'call') return invoke;
    // The function that a tool was made of is its own: whoever calls it calls no tool.
    if (Object.hasOwn(tool, key)) return null;
    return (isBinding && Object.hasOwn(handedOn, key) && handedOn[key]) || otherwise(key, method);
  };
}

/** The arguments within the envelope of a tool call. */
function argsOf(input: unknown): unknown {
  return isObject(input) && input['type'] === 'tool_call' && 'args' in input ? input['args'] : input;
}

/** The ends of calls that end together. */
async function all(calls: readonly Call[], results: unknown): Promise<unknown> {
  try {
    const values = await results;
    for (const [index, call] of calls.entries()) {
      const value: unknown = Array.isArray(values) ? values[index] : undefined;
      if (value instanceof Error) call.fail(value);
      else call.end(() => resultOf(value));
    }
    return values;
  } catch (error) {
    for (const call of calls) call.fail(error);
    throw error;
  }
}
