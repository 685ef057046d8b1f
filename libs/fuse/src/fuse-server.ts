import { constants } from 'node:os';
import type { Owner } from './attributes.js';
import { Callers } from './callers.js';
import type { DirectoryHandle } from './directory-handle.js';
import { errnoOf } from './errors.js';
import { batchForget, forget } from './handle-names.js';
import { Handles } from './handles.js';
import { Inodes } from './inodes.js';
import type { MountState, OpenedFile } from './mount-state.js';
import { operations } from './operations.js';
import { interruptIn, opcode } from './protocol.js';
import { Request } from './request.js';
import { Views, type MountedTree } from './views.js';

const OUT_HEADER = 16;
/** How long an interrupted look at a file may take to be answered all the same. */
const PATIENCE_MS = 500;
const { EINTR, EIO, ENOSYS } = constants.errno;

export interface FuseServerOptions {
  readonly tree: MountedTree;
  readonly owner: Owner;
  /** The tag of the client that a process is. */
  readonly tagOf: (pid: number) => string | undefined;
  /** Hears of errors that are no answer to a caller: bugs. */
  readonly onBug: (error: unknown) => void;
}

/**
 * Answers the requests of one FUSE connection from a file tree. Requests run side by side; an INTERRUPT
 * aborts a request that may wait.
 */
export class FuseServer {
  readonly #unanswered = new Map<number, Request>();

  private constructor(
    private readonly mount: MountState,
    private readonly options: FuseServerOptions,
  ) {}

  /** Attaches, and rejects as that does. */
  static async start(options: FuseServerOptions): Promise<FuseServer> {
    const views = new Views(options.tree);
    const { root } = (await views.of(undefined)).attachment;
    const stat = await root.stat();
    const inodes = new Inodes({ path: stat.qid.path, mode: stat.mode });
    const onError = (error: unknown) => {
      if (errnoOf(error) === undefined) options.onBug(error);
    };
    const handles = { files: new Handles<OpenedFile>(), directories: new Handles<DirectoryHandle>() };
    return new FuseServer({ inodes, views, callers: new Callers(options.tagOf), ...handles, owner: options.owner, onError }, options);
  }

  /** Takes one request of the kernel; `send` takes the reply, whole. RangeError for a request without its header. */
  receive(frame: Buffer, send: (reply: Buffer) => void): void {
    const request = new Request(frame, send);
    switch (request.opcode) {
      case opcode.forget:
        return forget(this.mount, request);
      case opcode.batchForget:
        return batchForget(this.mount, request);
      case opcode.interrupt:
        return this.#interrupt(interruptIn.decode(request.body).unique);
      default:
        void this.#answer(request);
    }
  }

  /** The connection is gone: aborts every request, then closes every file. */
  async end(): Promise<void> {
    for (const request of this.#unanswered.values()) request.abort();
    this.#unanswered.clear();
    this.mount.directories.clear();
    const closings = await Promise.allSettled(this.mount.files.clear().map(({ handle }) => handle.close('hangup')));
    for (const closing of closings) if (closing.status === 'rejected') this.mount.onError(closing.reason);
    this.mount.views.detachAll();
  }

  /** How many names the kernel holds, the root among them. */
  get nodes(): number {
    return this.mount.inodes.size;
  }

  /**
   * What is not known has been answered. What may wait is aborted at once. Of stat(2) and its like no program expects EINTR, and any
   * signal may come meanwhile, so only a tree that hangs is given up.
   */
  #interrupt(unique: number): void {
    const request = this.#unanswered.get(unique);
    if (!request) return;
    if (operations.get(request.opcode)?.settles) return request.abort();
    setTimeout(() => this.#giveUp(request), PATIENCE_MS).unref();
  }

  #giveUp(request: Request): void {
    if (this.#unanswered.get(request.unique) !== request) return;
    request.abort();
    this.#reply(request, EINTR);
  }

  async #answer(request: Request): Promise<void> {
    this.#unanswered.set(request.unique, request);
    try {
      const operation = operations.get(request.opcode);
      if (!operation) return this.#reply(request, ENOSYS);
      const body = await operation.run(this.mount, request);
      this.#reply(request, 0, body ?? undefined);
    } catch (error) {
      const errno = errnoOf(error);
      this.#reply(request, errno ?? EIO);
      if (errno === undefined) this.options.onBug(error);
    }
  }

  /** Once: what comes after the first reply is dropped. */
  #reply({ unique, send }: Request, errno: number, body: Uint8Array = Buffer.alloc(0)): void {
    if (!this.#unanswered.delete(unique)) return;
    const reply = Buffer.allocUnsafe(OUT_HEADER + body.length);
    reply.writeUInt32LE(reply.length, 0);
    reply.writeInt32LE(-errno, 4);
    reply.writeBigUInt64LE(BigInt(unique), 8);
    reply.set(body, OUT_HEADER);
    send(reply);
  }
}
