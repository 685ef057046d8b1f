import { constants } from 'node:os';
import { FuseServer, type MountedTree } from '#fuse';

const HEADER = 40;
const NAMES = new Map(Object.entries(constants.errno).map(([name, number]) => [number, name] as const));

/** A reply as the kernel reads it. */
export interface KernelReply {
  /** `EACCES` and the like; undefined for a success. */
  readonly errno: string | undefined;
  readonly body: Buffer;
}

/** Plays the kernel's part before a FuseServer: numbers requests, waits for replies, counts lookups. */
export class FakeKernel {
  readonly bugs: unknown[] = [];
  /** Replies to requests that were not asked, or were answered before. */
  readonly strays: number[] = [];
  pid = process.pid;
  #unique = 0;
  readonly #waiting = new Map<number, (reply: KernelReply) => void>();

  private constructor(private readonly serverOf: { server?: FuseServer }) {}

  static async start(tree: MountedTree, tagOf: (pid: number) => string | undefined = () => undefined): Promise<FakeKernel> {
    const holder: { server?: FuseServer } = {};
    const kernel = new FakeKernel(holder);
    holder.server = await FuseServer.start({ tree, tagOf, owner: { uid: 1, gid: 2 }, onBug: (error) => kernel.bugs.push(error) });
    return kernel;
  }

  get server(): FuseServer {
    const { server } = this.serverOf;
    if (!server) throw new Error('not started');
    return server;
  }

  /** Sends a request; `unique` tells its number. */
  send(
    opcode: number,
    nodeid: number,
    body: Uint8Array = Buffer.alloc(0),
  ): { readonly unique: number; readonly reply: Promise<KernelReply> } {
    const unique = (this.#unique += 2);
    const reply = new Promise<KernelReply>((resolve) => this.#waiting.set(unique, resolve));
    this.server.receive(frameOf({ opcode, unique, nodeid, pid: this.pid }, body), (bytes) => this.#take(bytes));
    return { unique, reply };
  }

  ask(opcode: number, nodeid: number, body?: Uint8Array): Promise<KernelReply> {
    return this.send(opcode, nodeid, body).reply;
  }

  interrupt(unique: number): void {
    this.send(36, 0, words(unique, 0));
  }

  /** The node of a path from the root; undefined when a name is missing. */
  async lookup(path: string): Promise<number> {
    let node = 1;
    for (const name of path.split('/')) {
      const { errno, body } = await this.ask(1, node, Buffer.from(`${name}\0`));
      if (errno) throw new Error(errno);
      node = body.readUInt32LE(0);
    }
    return node;
  }

  /** Looks up and opens; `flags` as of open(2). */
  async open(path: string, flags = 0): Promise<{ readonly node: number; readonly fh: number; readonly flags: number }> {
    const node = await this.lookup(path);
    const { errno, body } = await this.ask(14, node, words(flags, 0));
    if (errno) throw new Error(errno);
    return { node, fh: body.readUInt32LE(0), flags: body.readUInt32LE(8) };
  }

  read({ node, fh }: { readonly node: number; readonly fh: number }, offset: number, size = 4096): Promise<KernelReply> {
    return this.ask(15, node, words(fh, 0, offset, 0, size, 0, 0, 0, 0, 0));
  }

  write({ node, fh }: { readonly node: number; readonly fh: number }, offset: number, text: string): Promise<KernelReply> {
    const data = Buffer.from(text);
    return this.ask(16, node, Buffer.concat([words(fh, 0, offset, 0, data.length, 0, 0, 0, 0, 0), data]));
  }

  #take(bytes: Buffer): void {
    const unique = bytes.readUInt32LE(8);
    const waiting = this.#waiting.get(unique);
    if (!waiting || bytes.readUInt32LE(0) !== bytes.length) this.strays.push(unique);
    this.#waiting.delete(unique);
    const errno = -bytes.readInt32LE(4);
    waiting?.({ errno: errno === 0 ? undefined : (NAMES.get(errno) ?? String(errno)), body: bytes.subarray(16) });
  }
}

/** 32-bit words one after the other. */
export function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32LE(value, index * 4));
  return bytes;
}

interface Head {
  readonly opcode: number;
  readonly unique: number;
  readonly nodeid: number;
  readonly pid: number;
}

function frameOf({ opcode, unique, nodeid, pid }: Head, body: Uint8Array): Buffer {
  return Buffer.concat([words(HEADER + body.length, opcode, unique, 0, nodeid, 0, 0, 0, pid, 0), body]);
}
