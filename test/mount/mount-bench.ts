import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '#config';
import { Mount, RemoteTree, type MountedTree } from '#fuse';
import { NinepServer, type AttachRequest, type FileServer, type ServedNode } from '#ninep';
import { run, type Ended } from '../support/run.js';

export const HELPER = join(packageRoot(), 'native/build/ollie-sandbox');

/** How a tree comes to its mount: by itself, or over a 9P connection. */
export type Way = 'in process' | 'over 9P';

/** A file tree on a real mount, in a directory of its own. Look at it by child processes alone: a call that waits for the mount would keep it from answering. */
export class MountBench {
  readonly folder = realpathSync(mkdtempSync('/tmp/om-'));
  readonly directory = join(this.folder, 'mnt');
  readonly bugs: unknown[] = [];
  readonly anames: string[] = [];
  mount: Mount | undefined;
  #server: NinepServer | undefined;
  #remote: RemoteTree | undefined;

  static async start(root: ServedNode, way: Way): Promise<MountBench> {
    const bench = new MountBench();
    bench.mount = await bench.mountAgain(await bench.#tree(root, way));
    return bench;
  }

  mountAgain(tree: MountedTree): Promise<Mount> {
    return Mount.start({ tree, directory: this.directory, helper: HELPER, onBug: (error) => this.bugs.push(error) });
  }

  /** Runs a script in the mount's root, in a session of its own as a terminal's shell has it. */
  sh(script: string): Promise<Ended> {
    return run('setsid', ['-w', 'bash', '-c', `cd "$0" && ${script}`, this.directory], { cwd: '/', env: { ...process.env, LC_ALL: 'C' } });
  }

  /** Starts a program there; what it says on standard output comes with its end. */
  start(program: string, ...args: readonly string[]) {
    const child = spawn('bash', ['-c', 'cd "$0" && exec "$@"', this.directory, program, ...args], {
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    const ended = new Promise<{ readonly code: number | null; readonly signal: string | null; readonly said: string }>((resolve) =>
      child.once('close', (code, signal) => resolve({ code, signal, said })),
    );
    return { child, ended };
  }

  async close(): Promise<void> {
    await this.mount?.close();
    this.#remote?.close();
    await this.#server?.close();
    rmSync(this.folder, { recursive: true });
  }

  async #tree(root: ServedNode, way: Way): Promise<MountedTree> {
    const attach = (aname: string): ServedNode => {
      this.anames.push(aname);
      return root;
    };
    if (way === 'in process') return { attach: (tag) => ({ root: attach(tag === undefined ? '' : `client=${tag}`) }) };
    const path = join(this.folder, 'socket');
    this.#server = new NinepServer(filesOf(attach), { onBug: (error) => this.bugs.push(error) });
    await this.#server.listen({ type: 'unix', path });
    const anameOf = (tag: string): string => `client=${tag}`;
    this.#remote = await RemoteTree.dial({ address: { type: 'unix', path }, uname: 'tester', aname: '', anameOf });
    return this.#remote;
  }
}

function filesOf(attach: (aname: string) => ServedNode): FileServer {
  return {
    authenticate: () => {
      throw new Error('nobody asks');
    },
    attach: ({ aname }: AttachRequest) => attach(aname),
  };
}
