// What a command does to a whole input or to each of its lines.
import { InputError } from './failure.js';
import { readBytes, readLines } from './input.js';
import { write } from './output.js';

/** Gives the text to print for an input; `line` is its number in JSON Lines, from 1. */
export type Result = (bytes: Uint8Array, line?: number) => string;

/** Prints the result of a file, or in JSON Lines of each line, in the same order. */
export async function transform(file: string, lines: boolean, result: Result): Promise<void> {
  if (lines) await transformLines(file, result);
  else await transformWhole(file, result);
}

async function transformWhole(file: string, result: Result): Promise<void> {
  let text: string;
  try {
    text = result(await readBytes(file));
  } catch (error) {
    throw new InputError(file, undefined, error);
  }
  await write(text);
}

async function transformLines(file: string, result: Result): Promise<void> {
  let line = 0;
  let failure: InputError | undefined;
  const batches = readLines(file);
  do {
    let results = '';
    try {
      const batch = await batches.next();
      if (batch.done) return;
      for (const bytes of batch.value) {
        line += 1;
        results += result(bytes, line);
      }
    } catch (error) {
      failure = new InputError(file, line, error);
    }
    // What came before a bad line is good.
    await write(results);
  } while (!failure);
  throw failure;
}
