// Made-up agent conversations, the same for the same size on every machine: prose, lists, code fences, tool calls
// with ids, tool results as JSON text. With `unicode` the prose has typographic marks and accents, as models write it,
// which makes V8 hold it in two bytes a character.

/** The sizes that are measured: messages in a request, and about how many KB of JSON it is. */
export const SIZES = [
  { messages: 1, kilobytes: 0.4 },
  { messages: 3, kilobytes: 2.7 },
  { messages: 12, kilobytes: 12 },
  { messages: 40, kilobytes: 93 },
  { messages: 100, kilobytes: 840 },
];

const WORDS =
  'the order was placed on Monday and refund policy allows thirty days from delivery so please check whether carrier ' +
  'scanned parcel before we promise anything customer wrote twice about damaged box photos show crushed corner but ' +
  'inside looks fine agent should look up invoice compare totals then decide partial credit or full return label';
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const ASCII = { words: WORDS.split(' '), dash: ' -- ', open: '"', close: '"', accented: ['resume', 'cafe', 'naive'] };
const TYPOGRAPHIC = { ...ASCII, dash: ' — ', open: '“', close: '”', accented: ['résumé', 'café', 'naïve'] };

// mulberry32: 32 bits of state are plenty for prose.
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

class Author {
  #next;
  #style;

  constructor(seed, style) {
    this.#next = random(seed);
    this.#style = style;
  }

  integer(below) {
    return Math.floor(this.#next() * below);
  }

  id(prefix) {
    let id = prefix;
    for (let at = 0; at < 24; at += 1) id += ALPHABET[this.integer(ALPHABET.length)];
    return id;
  }

  #word() {
    const { words, accented } = this.#style;
    return this.integer(40) === 0 ? accented[this.integer(accented.length)] : words[this.integer(words.length)];
  }

  sentence() {
    const { dash, open, close } = this.#style;
    const words = Array.from({ length: 6 + this.integer(14) }, () => this.#word());
    const turn = this.integer(8);
    if (turn === 0) words[2] = `${words[2]}${dash}${words.splice(3, 1)}`;
    if (turn === 1) words[3] = `${open}${words[3]}${close}`;
    return `${words.join(' ').replace(/^./, first => first.toUpperCase())}.`;
  }

  /** A reply as a model writes it: paragraphs, a list now and then, code in fences. */
  reply(length) {
    let text = '';
    while (text.length < length) {
      const kind = this.integer(10);
      if (kind < 7) text += `${this.sentence()} ${this.sentence()}\n\n`;
      else if (kind < 9) text += `- ${this.sentence()}\n- ${this.sentence()}\n- ${this.sentence()}\n\n`;
      else text += `\`\`\`ts\n${this.#code()}\n\`\`\`\n\n`;
    }
    return text.trimEnd();
  }

  #code() {
    const lines = Array.from({ length: 3 + this.integer(6) }, (_, at) => {
      const name = this.#style.words[this.integer(40)];
      return `  const ${name}${at} = await orders.find("${name}", { limit: ${this.integer(100)} });`;
    });
    return `async function step() {\n${lines.join('\n')}\n}`;
  }

  /** A tool's answer: JSON text, compact or indented. */
  result(length) {
    const rows = [];
    for (let size = 0; size < length; size += 190) {
      rows.push({
        order: this.id('ord_').slice(0, 12),
        total: this.integer(100000) / 100,
        state: ['shipped', 'delivered', 'lost', 'returned'][this.integer(4)],
        note: this.sentence(),
        open: this.integer(2) === 0,
      });
    }
    return JSON.stringify({ rows, next: null }, null, this.integer(2) === 0 ? 2 : 0);
  }
}

const TOOLS = [
  {
    name: 'lookup_order',
    description: 'Finds orders by number, e-mail address or date.',
    input_schema: {
      type: 'object',
      properties: { query: { type: 'string' }, limit: { type: 'integer', minimum: 1, maximum: 50 } },
      required: ['query'],
    },
  },
  {
    name: 'issue_refund',
    description: 'Pays an amount back to the card that the order was paid with.',
    input_schema: {
      type: 'object',
      properties: { order: { type: 'string' }, amount: { type: 'number', exclusiveMinimum: 0 } },
      required: ['order', 'amount'],
    },
  },
];

// A tool's answers are long, what people write is short.
const SHARE = { system: 1, user: 0.4, call: 0.3, tool: 1.6, assistant: 1.2 };
const CYCLE = ['user', 'call', 'tool', 'assistant'];

/** A model request of about `kilobytes` of JSON. */
export function conversation({ messages, kilobytes, unicode, seed = 7 }) {
  const author = new Author(seed, unicode ? TYPOGRAPHIC : ASCII);
  const roles = Array.from({ length: messages }, (_, at) =>
    messages === 1 ? 'user' : at === 0 ? 'system' : CYCLE[(at - 1) % CYCLE.length],
  );
  const tools = messages > 1 ? TOOLS : undefined;
  const fixed = 180 * messages + (tools ? JSON.stringify(tools).length : 0);
  const unit = (kilobytes * 1000 - fixed) / roles.reduce((sum, role) => sum + SHARE[role], 0);

  let call;
  const message = role => {
    const length = unit * SHARE[role];
    switch (role) {
      case 'call':
        call = author.id('call_');
        return {
          role: 'assistant',
          id: author.id('msg_'),
          content: author.sentence(),
          tool_calls: [
            {
              id: call,
              type: 'function',
              function: { name: 'lookup_order', arguments: JSON.stringify({ query: author.sentence(), limit: 20 }) },
            },
          ],
        };
      case 'tool':
        return { role: 'tool', tool_call_id: call, content: author.result(length) };
      case 'assistant':
        return {
          role,
          id: author.id('msg_'),
          created_at: 1760000000 + author.integer(1e6),
          content: author.reply(length),
        };
      default:
        return { role, content: author.reply(length) };
    }
  };

  return {
    kind: 'model',
    provider: 'anthropic',
    model_id: 'claude-sonnet-5',
    messages: roles.map(message),
    ...(tools && { tool_schemas: tools }),
    temperature: 0.2,
    max_tokens: 4096,
  };
}
