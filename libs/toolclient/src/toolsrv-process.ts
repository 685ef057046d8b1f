import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '#ninep';
import { ToolsrvLostError, ToolsrvStartError } from './errors.js';
import { type AgentScope, NinePToolServer } from './ninep-tool-server.js';
import { newSocketPath } from './socket-path.js';
import { StderrTail } from './stderr-tail.js';
import { toolsrvEnvironment } from './toolsrv-environment.js';
import type { ToolsrvLaunch } from './toolsrv-launch.js';

const START_LIMIT_MS = 15_000;
const STOP_LIMIT_MS = 5_000;
/** So long a cancelled call may take: a tool that ignores SIGTERM is killed after 2 s. Together with what follows it fits into the 10 s of a shutdown. */
const CANCEL_LIMIT_MS = 6_000;
/** toolsrv leaves by itself after this long without a connection, should its owner forget it. */
const OWN_IDLE_TIMEOUT = '10m';
const SECRET_FD = 3;

/** Where a toolsrv works, and the number before that of its first process. */
export interface ToolsrvPlace {
  readonly cwd: string;
  readonly lastProcess: number;
}

/**
 * One running toolsrv. It gets its secret over a pipe that stays open: when this process dies, in
 * whatever way, the kernel closes the pipe and toolsrv ends everything it runs. It leads its own
 * process group, so that a terminal's Ctrl-C reaches only us and the order of shutdown is ours.
 */
export class ToolsrvProcess {
  private readonly secret = randomBytes(32).toString('hex');
  private readonly observerSecret = randomBytes(32).toString('hex');
  private readonly child: ChildProcess;
  private readonly stdout: Readable;
  private readonly stderr: StderrTail;
  /** Resolves when the process is gone (or could not be started), with a sentence about how. */
  readonly exited: Promise<string>;
  private hasExited = false;

  private constructor(
    private readonly socket: string,
    { cwd, lastProcess }: ToolsrvPlace,
    private readonly launch: ToolsrvLaunch,
  ) {
    const [program, ...args] = launch.command;
    const options = [
      'serve',
      '--cwd',
      cwd,
      '--listen',
      socket,
      '--secret-fd',
      String(SECRET_FD),
      '--idle-timeout',
      OWN_IDLE_TIMEOUT,
      '--last-process',
      String(lastProcess),
    ];
    this.child = spawn(program, [...args, ...options], {
      detached: true,
      env: toolsrvEnvironment(launch.environment),
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    this.exited = this.watchExit();
    const [, stdout, stderr, secretPipe] = this.child.stdio;
    if (!(stdout instanceof Readable) || !(stderr instanceof Readable) || !(secretPipe instanceof Writable))
      throw new ToolsrvStartError('no pipes');
    this.stdout = stdout;
    this.stderr = new StderrTail(stderr, launch.log);
    this.handOverSecret(secretPipe);
  }

  /** Resolves once it accepts connections. Throws ToolsrvStartError with its last words if it does not come up. */
  static async start(place: ToolsrvPlace, launch: ToolsrvLaunch, signal: AbortSignal): Promise<ToolsrvProcess> {
    const server = new ToolsrvProcess(newSocketPath(launch.runtime), place, launch);
    try {
      await server.untilListening(signal);
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  get isRunning(): boolean {
    return !this.hasExited;
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** A new authenticated connection that speaks for one agent. */
  async connect(scope: AgentScope, signal: AbortSignal): Promise<NinePToolServer> {
    const address = { type: 'unix', path: this.socket } as const;
    try {
      const client = await Client.dial({ address, uname: 'agent', aname: scope.agentId, secret: this.secret, keepsOrder: true }, signal);
      return new NinePToolServer(client, scope, { limitMs: CANCEL_LIMIT_MS, whenOver: () => this.endFrozen() });
    } catch (error) {
      signal.throwIfAborted();
      throw new ToolsrvLostError(error);
    }
  }

  /** A new connection that sees which calls wait for an approval, and may answer. */
  async observe(signal: AbortSignal): Promise<Client> {
    const address = { type: 'unix', path: this.socket } as const;
    return Client.dial({ address, uname: 'observer', aname: 'olliesrv', secret: this.observerSecret }, signal);
  }

  /** Asks it to end (it kills what it runs), insists after a while, and resolves when it is gone. Never rejects. */
  async stop(): Promise<void> {
    if (this.hasExited) return;
    this.child.kill('SIGTERM');
    const impatience = new AbortController();
    const insist = sleep(STOP_LIMIT_MS, undefined, { signal: impatience.signal }).then(
      () => this.child.kill('SIGKILL'),
      () => false,
    );
    await this.exited;
    impatience.abort();
    await insist;
  }

  /** It cannot end what it runs any more. Its helpers can, and do when it dies. */
  private endFrozen(): void {
    this.launch.log.warn(
      `toolsrv ${String(this.pid)} has not ended a cancelled call within ${String(CANCEL_LIMIT_MS / 1000)} s and is killed`,
    );
    this.child.kill('SIGKILL');
  }

  private async untilListening(signal: AbortSignal): Promise<void> {
    const settled = new AbortController();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), START_LIMIT_MS);
    const failed = this.exited.then(async (how) => {
      await this.stderr.ended;
      throw new ToolsrvStartError(how, this.stderr.lines);
    });
    try {
      // Its first words are that it listens; what may follow them flows on unread.
      await Promise.race([once(this.stdout, 'data', { signal: AbortSignal.any([signal, settled.signal, late.signal]) }), failed]);
    } catch (error) {
      if (signal.aborted || !late.signal.aborted) throw error;
      throw new ToolsrvStartError(`did not listen within ${String(START_LIMIT_MS / 1000)} s`, this.stderr.lines);
    } finally {
      clearTimeout(timer);
      settled.abort();
    }
  }

  private watchExit(): Promise<string> {
    return new Promise<string>((resolve) => {
      this.child.once('error', (error) => resolve(`could not be started: ${error.message}`));
      this.child.once('exit', (code, signal) => resolve(signal === null ? `ended with exit code ${String(code)}` : `ended by ${signal}`));
    }).then((how) => {
      this.hasExited = true;
      rmSync(this.socket, { force: true }); // its own after a clean end, nobody's after a kill
      return how;
    });
  }

  private handOverSecret(pipe: Writable): void {
    pipe.on('error', () => this.child.kill('SIGTERM')); // it closed the pipe unread: it ends or must end
    pipe.write(`${this.secret}\n${this.observerSecret}\n`);
  }
}
