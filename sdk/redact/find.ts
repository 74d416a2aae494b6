// Where the findings are, for those who only want to know.
import type { Pattern, Plan } from './config.js';
import type { Copy } from './copy.js';
import { type Found, findIn, matcherName, STRIDE } from './findings.js';
import { Tokens } from './tokens.js';

/** A part of a text in which tokens stand: as it was in the original, or a token or what is left of one. */
interface Piece {
  readonly text: string;
  /** Where in the original that is, or what the token stands for. */
  readonly start: number;
  readonly end: number;
  readonly isToken: boolean;
}

/** A place in a text, and the name of what found it. */
export interface Finding {
  readonly matcher: string;
  readonly start: number;
  readonly end: number;
}

/** What is found in the texts of a copy: the index of the text, and the place in its original. */
export function* findingsIn(copy: Copy, { matchers, patterns }: Plan): Generator<Finding & { text: number }> {
  const findings = findIn(copy.texts, matchers);
  const tokens = new Tokens();
  for (const [index, text] of copy.texts.entries()) {
    const original = copy.originals.get(index);
    if (original !== undefined) {
      tokens.token('field', original.text);
      yield { text: index, matcher: 'field', start: 0, end: original.length };
      continue;
    }
    const found = findings.get(index) ?? [];
    for (let at = 0; at < found.length; at += STRIDE) yield { text: index, ...findingAt(found, at) };
    if (patterns.length === 0) continue;
    let pieces = piecesOf(text, found, tokens);
    for (const pattern of patterns) {
      const [next, places] = applied(pieces, pattern, tokens);
      pieces = next;
      for (const place of places) yield { text: index, matcher: pattern.name, ...place };
    }
  }
}

const findingAt = (found: Found, at: number): Finding => ({
  matcher: matcherName(found[at] as number),
  start: found[at + 1] as number,
  end: found[at + 2] as number,
});

function piecesOf(text: string, found: Found, tokens: Tokens): Piece[] {
  const replaced: Piece[] = [];
  for (let at = 0; at < found.length; at += STRIDE) {
    const { matcher, start, end } = findingAt(found, at);
    replaced.push({ text: tokens.token(matcher, text.slice(start, end)), start, end, isToken: true });
  }
  replaced.sort((a, b) => a.start - b.start);
  const pieces: Piece[] = [];
  let rest = 0;
  for (const piece of replaced) {
    pieces.push({ text: text.slice(rest, piece.start), start: rest, end: piece.start, isToken: false }, piece);
    rest = piece.end;
  }
  pieces.push({ text: text.slice(rest), start: rest, end: text.length, isToken: false });
  return pieces;
}

/** Lets a pattern run over the pieces; gives the new ones, and the places in the original where it matched. */
function applied(
  pieces: readonly Piece[],
  { name, regExp, accepts }: Pattern,
  tokens: Tokens,
): [Piece[], { start: number; end: number }[]] {
  const next: Piece[] = [];
  const places: { start: number; end: number }[] = [];
  const rest = new Rest(pieces);
  regExp.lastIndex = 0;
  const text = pieces.map(piece => piece.text).join('');
  text.replace(regExp, (match, ...details) => {
    if (accepts?.(match) === false) return '';
    // Groups stand between the match and its place; named ones stand last once more.
    const at = (typeof details.at(-1) === 'object' ? details.at(-3) : details.at(-2)) as number;
    rest.moveUpTo(at, next);
    const start = rest.start;
    const taken: Piece[] = [];
    rest.moveUpTo(at + match.length, taken);
    const end = taken.at(-1)?.end ?? start;
    next.push({ text: tokens.token(name, match), start: taken[0]?.start ?? start, end, isToken: true });
    // What lies within tokens was found before.
    if (match === '' || taken.some(({ text, isToken }) => !isToken && text !== ''))
      places.push({ start: taken[0]?.start ?? start, end });
    return '';
  });
  rest.moveUpTo(text.length, next);
  return [next, places];
}

/** The pieces that a pattern has not passed yet. */
class Rest {
  readonly #pieces: Piece[];
  readonly #end: number;
  #at = 0;

  constructor(pieces: readonly Piece[]) {
    this.#pieces = [...pieces].reverse();
    this.#end = pieces.at(-1)?.end ?? 0;
  }

  /** Where in the original the rest begins. */
  get start(): number {
    return this.#pieces.at(-1)?.start ?? this.#end;
  }

  /** Moves what stands before a place in the text to a list; a piece that stands on both sides of it is cut. */
  moveUpTo(place: number, taken: Piece[]): void {
    while (this.#at < place) {
      const piece = this.#pieces.pop() as Piece;
      const length = Math.min(piece.text.length, place - this.#at);
      this.#at += length;
      if (length === piece.text.length) {
        taken.push(piece);
        continue;
      }
      const cut = piece.isToken ? piece : { ...piece, end: piece.start + length };
      taken.push({ ...cut, text: piece.text.slice(0, length) });
      const after = piece.isToken ? piece : { ...piece, start: piece.start + length };
      this.#pieces.push({ ...after, text: piece.text.slice(length) });
    }
  }
}
