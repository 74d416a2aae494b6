// Puts the pieces of a streamed answer together.
import { type Answer, answerOf, answerOfGeneration, fromMessage } from './answer.js';
import { isObject, type Live, type Method } from './live.js';
import { plain } from './plain.js';

/** Takes each piece as it passes, and tells the answer when no more will come. */
export interface Pieces {
  add(piece: unknown): void;
  answer(): Answer;
}

/**
 * Chunks of the framework, which know how to join each other. Neighbours of one size are joined as they come: joining
 * copies, so that a chunk that is changed later is not seen, and each text is copied a logarithmic number of times.
 */
export class Chunks implements Pieces {
  readonly #joined: { chunk: unknown; size: number }[] = [];

  add(chunk: unknown): void {
    let [last, size] = [chunk, 1];
    for (let before = this.#joined.at(-1); before?.size === size; before = this.#joined.at(-1)) {
      last = join(before.chunk, last);
      size *= 2;
      this.#joined.pop();
    }
    this.#joined.push({ chunk: last, size });
  }

  whole(): unknown {
    const chunks = this.#joined.map(({ chunk }) => chunk);
    return chunks.length === 0 ? null : chunks.reduceRight((rest, chunk) => join(chunk, rest));
  }

  answer(): Answer {
    const whole = this.whole();
    // Of a model for chats, or for text.
    const isGeneration = isObject(whole) && ('message' in whole || ('text' in whole && 'generationInfo' in whole));
    return isGeneration ? answerOfGeneration(whole) : answerOf(whole);
  }
}

function join(one: unknown, other: unknown): unknown {
  if (typeof one === 'string' && typeof other === 'string') return one + other;
  if (isObject(one) && typeof one['concat'] === 'function' && !Array.isArray(one)) {
    return (one['concat'] as Method).call(one, other);
  }
  return [one, other].flat();
}

/** The events of `streamEvents` version 3. */
export class Events implements Pieces {
  readonly #message: Live = { role: 'ai' };
  readonly #metadata: Live = {};
  readonly #blocks: Live[] = [];

  add(event: unknown): void {
    if (!isObject(event)) return;
    const { id, usage, index, content, delta, reason, responseMetadata } = event;
    if (isObject(usage)) this.#message['usage_metadata'] = plain(usage);
    switch (event['event']) {
      case 'message-start':
        if (id !== undefined) this.#message['id'] = id;
        break;
      case 'content-block-start':
      case 'content-block-finish':
        this.#blocks[index as number] = plain(content) as Live;
        break;
      case 'content-block-delta':
        if (isObject(delta)) extend(this.#blocks[index as number], delta);
        break;
      case 'message-finish':
        Object.assign(this.#metadata, plain(responseMetadata), reason !== undefined && { finish_reason: reason });
    }
  }

  answer(): Answer {
    const blocks = this.#blocks.filter(isObject);
    const calls = blocks
      .filter(({ type }) => type === 'tool_call')
      .map(({ id, name, args, type }) => ({ id, name, args, type }));
    const rest = blocks.filter(({ type }) => type !== 'tool_call');
    return fromMessage({
      ...this.#message,
      content: rest.every(({ type }) => type === 'text') ? rest.map(({ text }) => text).join('') : rest,
      ...(calls.length > 0 && { tool_calls: calls }),
      response_metadata: this.#metadata,
    });
  }
}

/** A block is told whole at its end; until then it is the sum of its deltas. */
function extend(block: Live | undefined, delta: Live): void {
  if (!block) return;
  for (const field of ['text', 'reasoning', 'args', 'data']) {
    const more = delta[field];
    if (typeof more === 'string') block[field] = `${block[field] ?? ''}${more}`;
  }
  if (isObject(delta['fields'])) Object.assign(block, plain(delta['fields']));
}
