// The console blocks of a document: `$ command` lines, each with what it prints below.
import { spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { blocks } from './blocks.mjs';

/** The commands of a text: `{command, output, line}`. */
export function commands(text) {
  const found = [];
  for (const { language, lines, line } of blocks(text)) {
    if (language !== 'console') continue;
    for (const [at, content] of lines.entries()) {
      if (content.startsWith('$ ')) found.push({ command: content.slice(2), output: '', line: line + at });
      else found.at(-1).output += `${content}\n`;
    }
  }
  return found;
}

/** What a command prints, with this Node as `node` and without a network. */
export function output(command, cwd) {
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH, npm_config_offline: 'true', npm_config_update_notifier: 'false' };
  const { status, stdout, stderr, error } = spawnSync(command, { cwd, env, shell: true, encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`ended with ${status}: ${stderr}${stdout}`);
  return stdout;
}
