import {
  Client,
  DMDIR,
  openMode,
  type DialOptions,
  type OpenFile,
  type Waiter,
  type OpenMode,
  type RemoteFile,
  type ServedNode,
  type Stat,
  type StatChange,
} from '#ninep';
import { FuseError } from './errors.js';
import { RemoteClient } from './remote-client.js';
import type { Attachment, MountedTree } from './views.js';

export interface RemoteTreeOptions extends DialOptions {
  /** The attach name for the client with this tag. */
  readonly anameOf: (tag: string) => string;
}

/** The tree of a 9P server, to be mounted: one connection, on which each client is an attach of its own. */
export class RemoteTree implements MountedTree {
  private constructor(
    private readonly client: Client,
    private readonly options: RemoteTreeOptions,
  ) {}

  static async dial(options: RemoteTreeOptions, signal?: AbortSignal): Promise<RemoteTree> {
    return new RemoteTree(await Client.dial(options, signal), options);
  }

  /** Resolves when the connection is gone, with the reason. */
  get closed(): Promise<Error> {
    return this.client.closed;
  }

  async attach(tag: string | undefined): Promise<Attachment> {
    if (tag === undefined) return { root: await rootOf(new RemoteClient(this.client, async () => this.client)) };
    const { uname, secret, anameOf } = this.options;
    const attach = () => this.client.attach({ uname, aname: anameOf(tag), ...(secret !== undefined && { secret }) });
    const client = new RemoteClient(await attach(), attach);
    return { root: await rootOf(client), detach: () => client.leave() };
  }

  close(): void {
    this.client.close();
  }
}

async function rootOf(client: RemoteClient): Promise<RemoteNode> {
  return new RemoteNode(client, '', await client.use((attached) => attached.stat('')));
}

/** A path of the server's: nothing is held there for it. */
class RemoteNode implements ServedNode {
  /** What the walk that led here has found, for the one who walked, if that one asks at once. */
  #fresh: Stat | undefined;

  constructor(
    private readonly client: RemoteClient,
    private readonly path: string,
    private readonly found: Stat,
  ) {
    this.#fresh = found;
    setImmediate(() => (this.#fresh = undefined));
  }

  get qid() {
    return this.found.qid;
  }

  async walk(name: string): Promise<ServedNode | undefined> {
    const path = `${this.path}/${name}`;
    try {
      return new RemoteNode(this.client, path, await this.#stat(path));
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  async stat(): Promise<Stat> {
    const stat = this.#fresh ?? (await this.#stat(this.path));
    this.#fresh = undefined;
    return stat;
  }

  async open(mode: OpenMode): Promise<OpenFile> {
    const isDirectory = (this.found.mode & DMDIR) !== 0;
    return isDirectory ? nothing : RemoteOpenFile.open(this.client, this.path, mode);
  }

  list(): Promise<readonly Stat[]> {
    return this.client.use((client) => client.list(this.path));
  }

  wstat(change: StatChange, signal: AbortSignal): Promise<void> {
    return this.client.use((client) => client.wstat(this.path, change, signal));
  }

  remove(signal: AbortSignal): Promise<void> {
    return this.client.use((client) => client.remove(this.path, signal));
  }

  #stat(path: string): Promise<Stat> {
    return this.client.use((client) => client.stat(path));
  }
}

/** A directory is read by `list`, which opens it. */
const nothing: OpenFile = {
  read: () => new Uint8Array(),
  write: () => {
    throw new FuseError('EISDIR');
  },
  close: () => undefined,
};

/** A file of the server's. An abort gives up its fid; what comes then opens the file again. */
class RemoteOpenFile implements OpenFile {
  #file: RemoteFile | undefined;

  private constructor(
    private readonly open: () => Promise<RemoteFile>,
    file: RemoteFile,
  ) {
    this.#file = file;
  }

  static async open(client: RemoteClient, path: string, mode: OpenMode): Promise<RemoteOpenFile> {
    const open = (how: OpenMode) => client.use((attached) => attached.open(path, how));
    return new RemoteOpenFile(() => open(mode & ~openMode.truncate), await open(mode));
  }

  read(offset: number, count: number, { signal }: Waiter): Promise<Uint8Array> {
    return this.#use((file) => file.read(offset, count, signal), signal);
  }

  write(offset: number, data: Uint8Array, { signal }: Waiter): Promise<void> {
    return this.#use((file) => file.write(offset, data, signal), signal);
  }

  async close(): Promise<void> {
    await this.#file?.clunk();
  }

  async #use<T>(work: (file: RemoteFile) => Promise<T>, signal: AbortSignal): Promise<T> {
    const file = (this.#file ??= await this.open());
    try {
      return await work(file);
    } catch (error) {
      if (signal.aborted && this.#file === file) this.#file = undefined;
      throw error;
    }
  }
}

function isAbsent(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'posix' in error && error.posix === 'ENOENT';
}
