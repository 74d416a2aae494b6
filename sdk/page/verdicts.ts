// Has records checked by the server, one after another. No verdict is made here.
import { keyIn, type Shown } from '../view/record.js';
import { short } from '../visible.js';

/** A file, and what came of it. */
export interface Checked {
  name: string;
  shown?: Shown;
  /** Why there is no verdict. */
  problem?: string;
}

const MAX_BYTES = 8 << 20;
const ATTEMPTS = 5;

export async function check(file: File): Promise<Checked> {
  const { name, size } = file;
  if (size > MAX_BYTES) {
    return { name, problem: 'larger than the 8 MiB that this page takes; tapeproof verify has no such limit' };
  }
  try {
    const bytes = await file.arrayBuffer();
    const [response, sha256] = await Promise.all([ask(bytes), digest(bytes)]);
    const answer = await response.json();
    if (!response.ok) return { name, problem: refusal(answer) };
    await pause();
    const record: unknown = JSON.parse(new TextDecoder().decode(bytes));
    await pause();
    const key = keyIn(record);
    const signer = key && (await digest(key.buffer));
    return { name, shown: { name, bytes: size, sha256, signer, pinned: pinned(), result: answer, record } };
  } catch {
    return { name, problem: 'the server cannot be reached, or the file cannot be read' };
  }
}

/** Lets the page do what else it has to: to read a large record takes a while, and to show it another. */
const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve));

async function ask(body: ArrayBuffer): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch('/api/audit/verify', { method: 'POST', headers, body });
    if (response.status !== 503 || attempt === ATTEMPTS) return response;
    const seconds = Number(response.headers.get('retry-after')) || 1;
    await new Promise(resolve => setTimeout(resolve, seconds * 1000));
  }
}

/** What a refusal says. Where it points into a record, names of members are the record's. */
export function refusal(answer: unknown): string {
  const { message = 'refused', code } = (answer as { error?: { message?: string; code?: string } }).error ?? {};
  const words = short(message, 300);
  return code === undefined ? words : `${words} [${code}]`;
}

/** SHA-256 in hex; browsers have it for pages of HTTPS and of this machine. */
async function digest(bytes: ArrayBuffer): Promise<string | undefined> {
  if (!isSecureContext) return undefined;
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, byte => byte.toString(16).padStart(2, '0')).join('');
}

/** The fingerprints of the keys that the server trusts. */
const pinned = (): string[] =>
  document.querySelector<HTMLMetaElement>('meta[name=pinned]')?.content.split(' ').filter(Boolean) ?? [];
