// Reads what the command line names: bytes are joined first and then decoded, so that no character is cut in two.
import { createReadStream } from 'node:fs';

const LF = 0x0a;

const open = (file: string): AsyncIterable<Buffer> => (file === '-' ? process.stdin : createReadStream(file));

// The byte order mark stays, as JSON.parse sees it.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const failure = (ErrorClass: ErrorConstructor, code: string, message: string): Error =>
  Object.assign(new ErrorClass(message), { code: `ERR_TAPEPROOF_${code}` });

/** The text of UTF-8 bytes. */
export function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
      ? failure(SyntaxError, 'UTF8', 'not UTF-8')
      : failure(RangeError, 'MEMORY', 'the value does not fit in memory');
  }
}

/** The value of a JSON text. The message of V8's own error would repeat the text. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw failure(SyntaxError, 'SYNTAX', 'not JSON');
  }
}

/** All bytes of a file, or of standard input for `-`. */
export async function readBytes(file: string): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of open(file)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The lines of a file, in batches as they arrive; holds no more than a chunk and the longest line. */
export async function* readLines(file: string): AsyncGenerator<Uint8Array[]> {
  let unfinished: Buffer[] = [];
  for await (const chunk of open(file)) {
    const lines: Uint8Array[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      lines.push(Buffer.concat([...unfinished, chunk.subarray(start, end)]));
      unfinished = [];
      start = end + 1;
    }
    if (start < chunk.length) unfinished.push(chunk.subarray(start));
    yield lines;
  }
  if (unfinished.length > 0) yield [Buffer.concat(unfinished)];
}
