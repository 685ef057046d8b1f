import { uncancelled } from './awaitable.js';
import { FileDeniedError, NoSuchFileError } from './errors.js';
import { permits } from './modes.js';
import type { Access, Awaitable, Client, FileHandle, NodeStat, TreeNode } from './types.js';
import { decode, encode } from './utf8.js';

const CHUNK = 8168;
let connections = 0;

/** In-process client of a mounted tree, for tests and for doors that need one: paths are relative to the root. */
export class MemoryClient {
  private readonly client: Client;

  constructor(
    private readonly root: TreeNode,
    client: Partial<Client> = {},
  ) {
    this.client = { role: 'user', uname: 'memory', aname: '', tag: `memory-${++connections}`, ...client };
  }

  /** The node of a path. Throws NoSuchFileError. */
  node(path: string): TreeNode {
    const names = path.split('/').filter((name) => name !== '');
    return names.reduce((node, name) => this.step(node, name), this.root);
  }

  async ls(path: string): Promise<readonly string[]> {
    return this.node(path)
      .list()
      .map((child) => child.name);
  }

  async stat(path: string): Promise<NodeStat> {
    return this.node(path).stat();
  }

  /** Opens for reading and reads to the end of file, waiting as the file waits. */
  async read(path: string, signal = uncancelled()): Promise<string> {
    const handle = await this.open(path, { read: true, write: false, truncate: false });
    return this.using(handle, () => readAll(handle, 0, signal));
  }

  /** Opens for writing with truncation, writes, and closes; rejects with the error of either. */
  async write(path: string, text: string): Promise<void> {
    const handle = await this.open(path, { read: false, write: true, truncate: true });
    await this.using(handle, () => handle.write(0, encode(text), { signal: uncancelled() }));
  }

  /** Writes the text and reads the answer on one handle. */
  async ask(path: string, text: string, signal = uncancelled()): Promise<string> {
    const handle = await this.open(path, { read: true, write: true, truncate: false });
    const request = encode(text);
    return this.using(handle, async () => {
      await handle.write(0, request, { signal });
      return readAll(handle, request.length, signal);
    });
  }

  /** Opens as a door does: what the mode bits do not grant is denied. */
  async open(path: string, access: Access): Promise<FileHandle> {
    const node = this.node(path);
    if (!permits(node.mode, access)) throw new FileDeniedError();
    return node.open(access, this.client);
  }

  private step(node: TreeNode, name: string): TreeNode {
    const next = node.walk(name);
    if (!next) throw new NoSuchFileError();
    next.admit(this.client);
    return next;
  }

  private async using<T>(handle: FileHandle, work: () => Awaitable<T>): Promise<T> {
    try {
      return await work();
    } finally {
      await handle.close('clunk');
    }
  }
}

async function readAll(handle: FileHandle, from: number, signal: AbortSignal): Promise<string> {
  const pieces: Uint8Array[] = [];
  let offset = from;
  for (;;) {
    const piece = await handle.read(offset, CHUNK, { signal });
    if (piece.length === 0) return decode(pieces);
    pieces.push(piece);
    offset += piece.length;
  }
}
