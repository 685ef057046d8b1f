import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

export const root = resolve(__dirname, '../..');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
}

/** Runs a program to the end of its output. */
export function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const child = spawn(program, args, { cwd: options.cwd ?? root, env: options.env ?? process.env });
  child.stdin.on('error', () => undefined); // a program may end before it has read its input
  child.stdin.end(options.input ?? '');
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code, signal) => done({ code, signal, ...output }));
  });
}

/** Runs a script of this repository on the Node that runs the tests. */
export function runScript(script: string, args: readonly string[] = [], options: RunOptions = {}): Promise<Ended> {
  return run(process.execPath, [resolve(root, script), ...args], options);
}
