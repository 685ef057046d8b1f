import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { clientTag } from '#ninep';
import { MountError } from './errors.js';
import { Framer } from './framer.js';
import { FuseServer } from './fuse-server.js';
import { clearMountPoint, prepareMountPoint } from './mount-point.js';
import type { MountedTree } from './views.js';

export interface MountOptions {
  readonly tree: MountedTree;
  readonly directory: string;
  /** Path of ollie-sandbox, which mounts and carries the frames. */
  readonly helper: string;
  /** Hears of errors that are no answer to a caller: bugs, and that the mount could not be taken away. */
  readonly onBug: (error: unknown) => void;
}

type Helper = ChildProcessByStdio<Writable, Readable, Readable>;

/** A file tree mounted on a directory, by a helper process that unmounts when we are gone. */
export class Mount {
  /** Resolves when it is served no more, whoever did that, and every file of it is closed. Never rejects: a dead mount that cannot be taken away is told as a bug. */
  readonly ended: Promise<void>;
  #isClosing = false;

  private constructor(
    /** The real path. */
    readonly directory: string,
    private readonly process: Helper,
    ended: Promise<void>,
  ) {
    this.ended = ended;
  }

  /** Resolves when the kernel has been answered. MountError, a sentence, when it cannot be; the tree's error when that lets nobody in. */
  static async start(options: MountOptions): Promise<Mount> {
    const { tree, helper, onBug } = options;
    const directory = await prepareMountPoint(helper, options.directory);
    const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    const server = await FuseServer.start({ tree, owner, onBug, tagOf: clientTag });
    const child = startHelper(helper, directory);
    const ended = serve(server, child)
      .then(() => clearMountPoint(helper, directory))
      .catch(onBug);
    const mount = new Mount(directory, child, ended);
    await mount.#ready();
    return mount;
  }

  /** Unmounts, whoever still has files open there, and resolves as `ended`. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.process.stdin.end();
    await this.ended;
  }

  /** True when `close` was called: the end is no surprise. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  async #ready(): Promise<void> {
    let words = '';
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => (words += text));
    this.process.once('error', (error) => (words = `the helper cannot be started: ${error.message}`));
    const first = await Promise.race([once(this.process.stdout, 'data'), this.ended]);
    if (!first) throw new MountError(`${this.directory}: ${words.trim() || 'the helper ended'}`);
  }
}

function startHelper(helper: string, directory: string): Helper {
  const child = spawn(helper, ['mount', directory], { env: {}, cwd: '/', stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => undefined); // it has gone; that is heard as its end
  return child;
}

/** Resolves when the helper has gone. */
async function serve(server: FuseServer, child: Helper): Promise<void> {
  const send = (reply: Buffer): void => void child.stdin.write(reply);
  const framer = new Framer((frame) => server.receive(frame, send));
  child.stdout.on('data', (chunk: Buffer) => framer.push(chunk));
  await new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve()); // it could not be started
  });
  await server.end();
}
