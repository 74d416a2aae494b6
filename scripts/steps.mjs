// Runs one tool as one line of progress. What the tool prints is shown only when it fails.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { duration, isTerminal, paint, rewrite } from './terminal.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** A step that failed and has already said why. */
export class StepFailure extends Error {}

function start(tool, stdio) {
  const { command, args, cwd = root, env = {} } = tool;
  return spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio, shell: tool.shell ?? false });
}

function ended(child, command) {
  return new Promise((resolve, reject) => {
    child.once('error', error => {
      reject(error.code === 'ENOENT' ? new StepFailure(`${command} is not on the PATH`) : error);
    });
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
}

/**
 * Runs `tool` under `title` and gives what it printed.
 * `summary`, when given, turns that output into a few words for the line.
 */
export async function step(title, tool, { summary } = {}) {
  const began = performance.now();
  const progress = () => rewrite(paint('dim', `  ${title} … ${duration(performance.now() - began)}`));
  if (isTerminal) progress();
  else process.stdout.write(`${title} … `);
  const ticking = isTerminal ? setInterval(progress, 200) : undefined;

  const finish = (mark, colour, words) => {
    clearInterval(ticking);
    if (isTerminal) rewrite(`${paint(colour, mark)} ${title} ${paint('dim', words)}\n`);
    else process.stdout.write(`${words}\n`);
  };

  const chunks = [];
  let code;
  try {
    const child = start(tool, ['ignore', 'pipe', 'pipe']);
    child.stdout.on('data', chunk => chunks.push(chunk));
    child.stderr.on('data', chunk => chunks.push(chunk));
    code = await ended(child, tool.command);
  } catch (error) {
    finish('✗', 'red', 'failed');
    throw error;
  }
  const output = Buffer.concat(chunks).toString();
  if (code !== 0) {
    finish('✗', 'red', `failed (${code})`);
    process.stdout.write(output.endsWith('\n') ? output : `${output}\n`);
    throw new StepFailure();
  }
  const took = duration(performance.now() - began);
  finish('✓', 'green', summary ? `${summary(output)}, ${took}` : took);
  return output;
}

/** Runs a tool that speaks for itself, on this terminal. */
export async function handOver(tool) {
  const code = await ended(start(tool, 'inherit'), tool.command);
  if (code !== 0) throw new StepFailure();
}
