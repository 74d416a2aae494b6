// Tells whether what a step makes is still what it would make, by content for inputs and by size and time for outputs.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './steps.mjs';

function* files(path) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isDirectory()) yield path;
  else for (const name of readdirSync(join(root, path)).sort()) yield* files(`${path}/${name}`);
}

function digestOf(paths, describe) {
  const hash = createHash('sha256');
  for (const path of paths) for (const file of files(path)) hash.update(`${file}\0`).update(describe(join(root, file)));
  return hash.digest('hex');
}

const content = file => createHash('sha256').update(readFileSync(file)).digest();

function sizeAndTime(file) {
  const { size, mtimeMs } = statSync(file);
  return `${size} ${mtimeMs}\0`;
}

/**
 * What a step reads and makes. `settings` are the values beside files that change its result;
 * `outputs()` lists what it made, and is asked anew each time.
 */
export class Product {
  #name;
  #inputs;
  #outputs;
  #settings;

  constructor(name, { inputs, outputs, settings = [] }) {
    this.#name = name;
    this.#inputs = inputs;
    this.#outputs = outputs;
    this.#settings = settings;
  }

  get #stamp() {
    return join(root, 'target', 'fresh', this.#name);
  }

  #state() {
    const outputs = this.#outputs();
    return JSON.stringify([this.#settings, digestOf(this.#inputs, content), outputs, digestOf(outputs, sizeAndTime)]);
  }

  isFresh() {
    try {
      return readFileSync(this.#stamp, 'utf8') === this.#state();
    } catch {
      return false;
    }
  }

  /** Forgets the last success, so that a step that is cut short starts over. */
  invalidate() {
    rmSync(this.#stamp, { force: true });
  }

  markFresh() {
    mkdirSync(dirname(this.#stamp), { recursive: true });
    writeFileSync(this.#stamp, this.#state());
  }
}
