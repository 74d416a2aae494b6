// Colours, where somebody sees them and has not asked for none (https://no-color.org).

const CODES = { red: 31, green: 32, yellow: 33 };

export type Colour = keyof typeof CODES;

/** `text` in a colour. */
export type Paint = (colour: Colour, text: string) => string;

const isColourful = ({ isTTY }: { isTTY?: boolean }): boolean =>
  isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';

/** Paints on a terminal, and nowhere else. */
export const paintFor = (stream: { isTTY?: boolean }): Paint =>
  isColourful(stream) ? (colour, text) => `\u001b[${CODES[colour]}m${text}\u001b[39m` : (_, text) => text;
