// Standard output, no faster than its reader takes it.
import { once } from 'node:events';

/** Writes and waits until more is welcome. */
export async function write(text: string): Promise<void> {
  if (text !== '' && !process.stdout.write(text)) await once(process.stdout, 'drain');
}
