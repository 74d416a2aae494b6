// How the scripts write: colour and live lines on a terminal, plain short lines anywhere else.
import { styleText } from 'node:util';

export const isTerminal = process.stdout.isTTY === true && process.env.TERM !== 'dumb';

const coloured = isTerminal && !process.env.NO_COLOR;

/** `text` in a style of `util.styleText`, or as it is where colour is not wanted. */
export const paint = (format, text) => (coloured ? styleText(format, text) : text);

/** A duration for people: `0.4 s`, `12 s`, `2 min 05 s`. */
export function duration(ms) {
  const seconds = ms / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}

/** Replaces the current line. Terminals only. */
export const rewrite = line => process.stdout.write(`\r\x1b[2K${line}`);
