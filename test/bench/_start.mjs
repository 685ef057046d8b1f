import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Starts a program of this folder; resolves with it and the first line that it prints. `node`: options of Node itself. */
export async function start(name, args, node = []) {
  const child = spawn(process.execPath, [...node, join(import.meta.dirname, name), ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  return { line: text.trim(), stop: () => child.kill() };
}
