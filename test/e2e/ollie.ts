import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errnoOf } from '#config';
import { Client, openMode, type RemoteFile } from '#ninep';

const ROOT = resolve(__dirname, '../..');
const POLL_MS = 50;

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A private world for real daemons: every directory they use lies below one temporary folder. */
export class Ollie {
  readonly folder = realpathSync(mkdtempSync('/tmp/oe-'));
  readonly project = this.directory('project');
  readonly env: Record<string, string>;
  private server: ChildProcess | undefined;
  /** Settles when the server has ended, also when it ends by itself. */
  private gone: Promise<unknown> = Promise.resolve();
  private said = '';
  private complained = '';

  constructor(extra: Readonly<Record<string, string>> = {}) {
    this.env = {
      PATH: `${ROOT}/bin:${process.env.PATH ?? ''}`,
      HOME: this.directory('home'),
      NAMESPACE: this.directory('ns'),
      XDG_RUNTIME_DIR: this.directory('run'),
      TMPDIR: this.directory('tmp'),
      OLLIE_BACKEND: 'scripted',
      ...extra,
    };
  }

  get address(): string {
    return `unix!${this.folder}/ns/ollie`;
  }

  get pid(): number {
    return this.server?.pid ?? 0;
  }

  get stdout(): string {
    return this.said;
  }

  get stderr(): string {
    return this.complained;
  }

  /** Starts olliesrv and resolves when it accepts clients. `node` are options for Node itself. */
  async start({ args = [], node = [] }: { readonly args?: readonly string[]; readonly node?: readonly string[] } = {}): Promise<void> {
    const server = spawn(process.execPath, [...node, join(ROOT, 'dist/bin/olliesrv.mjs'), 'serve', ...args], {
      cwd: this.project,
      env: this.env,
    });
    this.server = server;
    this.gone = once(server, 'close');
    this.said = '';
    server.stdout.setEncoding('utf8').on('data', (text: string) => (this.said += text));
    server.stderr.setEncoding('utf8').on('data', (text: string) => (this.complained += text));
    await until('olliesrv listens', () => {
      if (server.exitCode !== null) throw new Error(`olliesrv ended with ${String(server.exitCode)}: ${this.complained}`);
      return this.said.includes('listening on');
    });
  }

  /** Runs a script in one sh, with the project as working directory. */
  async sh(script: string): Promise<Outcome> {
    return run('sh', ['-c', script], { cwd: this.project, env: this.env });
  }

  /** Runs olliesrv itself with other arguments than `serve`. */
  async olliesrv(...args: readonly string[]): Promise<Outcome> {
    return run(process.execPath, [join(ROOT, 'dist/bin/olliesrv.mjs'), ...args], { cwd: this.project, env: this.env });
  }

  dial(): Promise<Client> {
    return Client.dial({ address: { type: 'unix', path: `${this.folder}/ns/ollie` }, uname: 'tester', aname: '' });
  }

  /** Does something over a connection of its own. */
  async dialed<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = await this.dial();
    try {
      return await work(client);
    } finally {
      client.close();
    }
  }

  /** Sends a signal and gives the exit code once the process is gone. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const { server } = this;
    this.server = undefined;
    if (!server) return null;
    server.kill(signal);
    await this.gone;
    return server.exitCode;
  }

  /** Ends everything and removes the folder. Processes that are left over are an error. */
  async destroy(): Promise<void> {
    await this.end();
    try {
      await until('nothing of ollie is left', () => processesWith(this.folder).length === 0);
    } finally {
      for (const { pid } of processesWith(this.folder)) process.kill(pid, 'SIGKILL');
      rmSync(this.folder, { recursive: true, force: true });
    }
  }

  private directory(name: string): string {
    const path = join(this.folder, name);
    mkdirSync(path, { mode: 0o700 });
    return path;
  }
}

/** Runs a program in a session of its own, as a shell on a terminal is, which some machines' CI does not give. */
export async function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Record<string, string> },
): Promise<Outcome> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}

export interface Seen {
  readonly pid: number;
  readonly command: string;
}

/** The live processes whose command line holds a text. */
export function processesWith(text: string): readonly Seen[] {
  const pids = readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name));
  const seen = pids.map((pid) => ({ pid: Number(pid), command: commandOf(pid) }));
  return seen.filter(({ pid, command }) => pid !== process.pid && command.includes(text));
}

/** Empty for a process that is gone or a zombie. */
function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(errnoOf(error) ?? '')) return '';
    throw error;
  }
}

/** Looks until it is so; fails after `limitMs`. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, limitMs = 30_000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`not so after ${String(limitMs)} ms: ${what}`);
    await sleep(POLL_MS);
  }
}

/** A chat that is read on from where the last reading ended. */
export class Chat {
  private offset = 0;

  private constructor(private readonly file: RemoteFile) {}

  static async open(client: Client, agent: string): Promise<Chat> {
    return new Chat(await client.open(`${agent}/chat`, openMode.read));
  }

  /** What came since, up to the end of the turn. */
  async rest(): Promise<string> {
    let text = '';
    for (;;) {
      const piece = await this.file.read(this.offset, this.file.iounit);
      if (piece.length === 0) return text;
      this.offset += piece.length;
      text += new TextDecoder().decode(piece);
    }
  }
}
