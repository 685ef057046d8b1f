import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { errnoOf, packageRoot } from '#config';

const PATIENCE_MS = 15_000;

/** A real toolsrv with all that it says, in a directory of its own. */
export class ToolsrvProcess {
  readonly ended: Promise<number | null>;
  stdout = '';
  stderr = '';

  private constructor(readonly child: ChildProcess) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = new Promise((resolve) => child.once('close', resolve));
  }

  /** `args` follow the program's name. Descriptor 3 is a pipe that `owner` writes to. */
  static run(args: readonly string[], folder: string): ToolsrvProcess {
    const env = { ...process.env, HOME: join(folder, 'home'), OLLIE_TMP_PATH: join(folder, 'tmp'), OLLIE_CFG_PATH: join(folder, 'config') };
    const program = join(packageRoot(), 'dist/bin/toolsrv.mjs');
    return new ToolsrvProcess(spawn(process.execPath, [program, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] }));
  }

  /** Serves the folder's `project` and resolves when clients can connect; `more` are flags of serve. */
  static async serve(folder: string, ...more: readonly string[]): Promise<ToolsrvProcess> {
    const server = ToolsrvProcess.run(['serve', '--cwd', join(folder, 'project'), '--listen', join(folder, 'socket'), ...more], folder);
    await eventually(() => server.stdout.includes('listening on') || server.child.exitCode !== null);
    if (server.child.exitCode !== null) throw new Error(server.stderr);
    return server;
  }

  get owner(): Writable {
    const pipe = this.child.stdio[3];
    if (pipe === null || pipe === undefined || !('write' in pipe)) throw new Error('no owner pipe');
    return pipe;
  }

  async stop(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGTERM');
    return this.ended;
  }
}

/** Waits for something that will come; fails when it does not within a generous time. */
export async function eventually(test: () => boolean | Promise<boolean>): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  while (!(await test())) {
    if (performance.now() > until) throw new Error(`it never came: ${String(test)}`);
    await sleep(20);
  }
}

/** How many processes have this text in their command line, zombies and this one aside. */
export function processesWith(mark: string): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  return pids.filter((pid) => commandLine(pid).includes(mark)).length;
}

function commandLine(pid: string): string {
  try {
    return existsSync(`/proc/${pid}`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '';
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return '';
  }
}
