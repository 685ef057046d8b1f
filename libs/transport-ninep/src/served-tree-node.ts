import {
  chain,
  openMode,
  type Awaitable,
  type OpenFile,
  type OpenMode,
  type Qid,
  type ServedNode,
  type Stat,
  type StatChange,
  type WriteAllowance,
} from '#ninep';
import { FileDeniedError, FileError, type Call, type Client, type FileHandle, type TreeNode } from '#virtfs';
import { HeldWrites } from './held-writes.js';
import { qidOf, type Owner } from './owner.js';
import { grantedAccess } from './permissions.js';

/** What all nodes of one attach share. */
export interface Attachment {
  readonly client: Client;
  readonly owner: Owner;
  readonly allowance: WriteAllowance;
  readonly trace: (line: string) => void;
  /** Rejects with an error for the client when it may change nothing. */
  readonly admitChange: () => Promise<void>;
  /** Told of each close that failed. */
  readonly onCloseError: (error: unknown, path: string) => void;
}

/** A node of the tree as one attached client sees it over 9P. */
export class ServedTreeNode implements ServedNode {
  constructor(
    private readonly node: TreeNode,
    private readonly attachment: Attachment,
  ) {}

  get isFixed(): boolean {
    return this.node.isFixed;
  }

  get qid(): Qid {
    return qidOf(this.node);
  }

  walk(name: string): ServedNode | undefined {
    const { client } = this.attachment;
    const next = this.node.walk(name);
    // A walk of several names cannot say more than that it ended here.
    return next && isAdmitted(next, client) ? new ServedTreeNode(next, this.attachment) : undefined;
  }

  stat(): Awaitable<Stat> {
    return chain(this.node.stat(), (stat) => this.attachment.owner.stat(stat));
  }

  list(): Awaitable<readonly Stat[]> {
    if (this.attachment.client.role !== 'user') return this.listAdmitted();
    return chain(this.node.stats(), (stats) => this.attachment.owner.list(stats));
  }

  async open(mode: OpenMode): Promise<OpenFile> {
    this.trace(`open mode=${mode}`);
    if (this.node.isDirectory) return openDirectory(mode);
    const access = grantedAccess(mode, this.node.mode);
    if (access.write || access.truncate) await this.attachment.admitChange();
    const handle = await this.node.open(access, this.attachment.client);
    return this.traced(handle);
  }

  /** Times change nothing. A new length is for writable files, a new name for directories that can be renamed: never both, so one step is all of it. */
  async wstat(change: StatChange, signal: AbortSignal): Promise<void> {
    const { mode, gid, name, length } = change;
    const { isDirectory } = this.node;
    const misplaced = (name !== undefined && !isDirectory) || (length !== undefined && isDirectory);
    if (mode !== undefined || gid !== undefined || misplaced) throw new FileDeniedError();
    await this.attachment.admitChange();
    if (length !== undefined) await this.node.truncate(length, this.call(signal));
    if (name === undefined) return;
    this.trace(`rename ${name}`);
    await this.node.rename(name, this.call(signal));
  }

  async remove(signal: AbortSignal): Promise<void> {
    if (!this.node.isDirectory) throw new FileDeniedError();
    await this.attachment.admitChange();
    this.trace('remove');
    await this.node.remove(this.call(signal));
  }

  /** What this client may come to. */
  private async listAdmitted(): Promise<readonly Stat[]> {
    const { client, owner } = this.attachment;
    const admitted = this.node.list().filter((child) => isAdmitted(child, client));
    return Promise.all(admitted.map(async (child) => owner.stat(await child.stat())));
  }

  private call(signal: AbortSignal): Call {
    return { signal, client: this.attachment.client };
  }

  private traced(handle: FileHandle): OpenFile {
    const held = HeldWrites.of(this.node, this.attachment.allowance);
    return {
      read: (offset, count, waiter) => {
        held?.read();
        return handle.read(offset, count, waiter);
      },
      write: (offset, data, waiter) => {
        held?.write(data);
        return handle.write(offset, data, waiter);
      },
      close: (reason) => {
        this.trace(reason);
        return this.reported(() => (held ? closing(handle.close(reason), held) : handle.close(reason)));
      },
    };
  }

  private reported(close: () => Awaitable<void>): Awaitable<void> {
    const failed = (error: unknown): never => {
      this.attachment.onCloseError(error, pathOf(this.node));
      throw error;
    };
    try {
      const closed = close();
      return closed instanceof Promise ? closed.catch(failed) : closed;
    } catch (error) {
      return failed(error);
    }
  }

  private trace(what: string): void {
    const { client, trace } = this.attachment;
    trace(`${client.uname} ${client.tag}: ${pathOf(this.node)}: ${what}`);
  }
}

function isAdmitted(node: TreeNode, client: Client): boolean {
  try {
    node.admit(client);
    return true;
  } catch (error) {
    if (error instanceof FileDeniedError) return false;
    throw error;
  }
}

/** What was kept is kept until it has taken effect, or failed to. */
async function closing(closed: Awaitable<void>, held: HeldWrites): Promise<void> {
  try {
    await closed;
  } finally {
    held.release();
  }
}

/** A directory is read through `list`; opening it for execution is a search and harmless. */
function openDirectory(mode: OpenMode): OpenFile {
  if (mode !== openMode.read && mode !== openMode.execute) throw new FileDeniedError();
  const refuse = (): Awaitable<never> => {
    throw new FileError('is a directory', 'EISDIR');
  };
  return { read: refuse, write: refuse, close: () => undefined };
}

function pathOf(node: TreeNode): string {
  return node.parent === node ? '' : `${pathOf(node.parent)}/${node.name}`;
}
