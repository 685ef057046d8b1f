import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { packageRoot } from '#config';
import { CommandError } from '#ninep-cli';

const READY = 'listening on';
const STOP_LIMIT_MS = 15_000;
const KEPT_CHARACTERS = 4_000;

/** An olliesrv of our own, started as a user does. */
export class Daemon {
  private said = '';
  private readonly ended: Promise<unknown>;

  private constructor(private readonly child: ChildProcess) {
    this.ended = once(child, 'close');
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.said = (this.said + text).slice(-KEPT_CHARACTERS);
    });
  }

  /** Resolves when it accepts clients; throws its last words when it ends before. */
  static async start(env: Readonly<Record<string, string>>, cwd: string): Promise<Daemon> {
    const program = join(packageRoot(), 'bin/olliesrv');
    const daemon = new Daemon(spawn(program, ['serve'], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }));
    const isReady = await Promise.race([daemon.saysReady(), daemon.ended.then(() => false)]);
    if (isReady) return daemon;
    await daemon.ended; // its last words may come after the end of its output
    throw new CommandError(daemon.said.trim().split('\n').at(-1) || 'olliesrv did not start');
  }

  /** Resolves when it is gone, after SIGTERM or, where that does not help, SIGKILL. */
  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    const killing = setTimeout(() => this.child.kill('SIGKILL'), STOP_LIMIT_MS);
    await this.ended;
    clearTimeout(killing);
  }

  private async saysReady(): Promise<boolean> {
    let text = '';
    for await (const chunk of this.child.stdout ?? []) {
      text += String(chunk);
      if (text.includes(READY)) return true;
    }
    return false;
  }
}
