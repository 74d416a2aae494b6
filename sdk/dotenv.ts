// Reads `.env` text, the same way on every Node: `node:util` has a parser that differs from version to version.

// A name, and a value in quotes, which may span lines, or up to a comment or the end of the line.
const LINE =
  /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*(?:"((?:\\.|[^"\\])*)"|'([^']*)'|`([^`]*)`|([^#\n]*))[ \t]*(?:#.*)?$/gm;

/** The variables of a `.env` text. A name that comes twice has its last value; a line that is none is skipped. */
export function parseDotenv(text: string): Map<string, string> {
  const variables = new Map<string, string>();
  for (const [, name, double, single, backtick, bare] of text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .matchAll(LINE)) {
    const value = double?.replace(/\\([nrt"\\])/g, (_, escaped: string) => ESCAPES[escaped] as string);
    variables.set(name as string, value ?? single ?? backtick ?? (bare as string).trim());
  }
  return variables;
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };
