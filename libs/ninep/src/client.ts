import type { Socket } from 'node:net';
import { chunksOf } from './chunks-of.js';
import { attach, converse, dial, type Attached, type AttachOptions, type DialOptions } from './dial.js';
import { decodeStats, fromWire, untouched } from './dir.js';
import { badFid, ioError, NinepError } from './errors.js';
import { openMode, type OpenMode, type Stat, type StatChange } from './file-server.js';
import type { Link } from './link.js';
import { inOrder, isShort, openAhead, type Opening } from './opening.js';
import { RemoteFile } from './remote-file.js';
import { orClunk, removeFid, type Route, walkTo } from './remote-fid.js';

/** A request that was sent, and the file it was sent to, which is to be clunked. The first read of the answer is under way. */
export interface Asking {
  readonly file: RemoteFile;
  /** Rejects also when the file could not be opened or the request not be written. */
  readonly first: Promise<Uint8Array>;
}

/**
 * A connection, attached. Requests are pipelined; calls may overlap in any way. An abort rejects with
 * the signal's reason at once, while the flush and the clunk go on behind it.
 */
export class Client {
  /** What the server answered on the auth fid (the session token), when there was a secret; no white space at its end. */
  readonly authAnswer: string | undefined;
  /** Resolves when the connection is gone, with the reason. */
  readonly closed: Promise<Error>;
  readonly #link: Link;
  readonly #root: number;
  #isDetached = false;

  private constructor(
    { link, root, authAnswer }: Attached,
    private readonly keepsOrder: boolean,
  ) {
    this.#link = link;
    this.#root = root;
    this.authAnswer = authAnswer;
    this.closed = link.closed;
  }

  static async dial(options: DialOptions, signal?: AbortSignal): Promise<Client> {
    return new Client(await dial(options, signal), options.keepsOrder === true);
  }

  /** As `dial`, on a socket that is connected already. */
  static async over(socket: Socket, options: Omit<DialOptions, 'address'>, signal?: AbortSignal): Promise<Client> {
    return new Client(await converse(socket, options, signal), options.keepsOrder === true);
  }

  /** Attaches once more on the same connection: to the server that is another client. `close` hangs up for all of them. */
  async attach(options: AttachOptions, signal?: AbortSignal): Promise<Client> {
    return new Client(await attach(this.#link, options, signal), this.keepsOrder);
  }

  async open(path: string, mode: OpenMode, signal?: AbortSignal): Promise<RemoteFile> {
    const fid = await this.#walk(path, signal);
    const opening = this.#link.call((tag) => ({ type: 'Topen', tag, fid, mode }), 'Ropen', signal);
    const { qid, iounit } = await orClunk(this.#link, fid, opening);
    return new RemoteFile(this.#link, fid, { qidType: qid.type, iounit });
  }

  async stat(path: string, signal?: AbortSignal): Promise<Stat> {
    const fid = await this.#walk(path, signal);
    const { stat } = await this.#thenClunk(
      fid,
      this.#link.call((tag) => ({ type: 'Tstat', tag, fid }), 'Rstat', signal),
    );
    return fromWire(stat);
  }

  async wstat(path: string, change: StatChange, signal?: AbortSignal): Promise<void> {
    const fid = await this.#walk(path, signal);
    const stat = { ...untouched, ...change };
    await this.#thenClunk(
      fid,
      this.#link.call((tag) => ({ type: 'Twstat', tag, fid, stat }), 'Rwstat', signal),
    );
  }

  async remove(path: string, signal?: AbortSignal): Promise<void> {
    await removeFid(this.#link, await this.#walk(path, signal), signal);
  }

  async list(path: string, signal?: AbortSignal): Promise<readonly Stat[]> {
    const records = await this.readAll(path, signal);
    try {
      return decodeStats(records);
    } catch (error) {
      if (!(error instanceof NinepError)) throw error;
      throw ioError(`bad directory: ${error.message}`, error);
    }
  }

  /** Open, read to the end, clunk. */
  async readAll(path: string, signal?: AbortSignal): Promise<Uint8Array> {
    const { file, opened } = await this.#opening(path, openMode.read, signal);
    return finish(file, inOrder(opened, readToEnd(file, signal)));
  }

  /** Open for writing with truncation, write, clunk; the clunk's error is thrown. */
  async writeAll(path: string, data: Uint8Array | string, signal?: AbortSignal): Promise<void> {
    const file = await this.open(path, openMode.write | openMode.truncate, signal);
    await finish(file, file.write(0, Buffer.from(data), signal));
  }

  /** Open read-write, write all, read the answer to its end, clunk. */
  async ask(path: string, request: Uint8Array | string, signal?: AbortSignal): Promise<Uint8Array> {
    const { file, first } = await this.begin(path, request, signal);
    return finish(file, readToEnd(file, signal, first));
  }

  /** The beginning of `ask`; `chunksOf` goes on from `first`. For who can tell the end of an answer from its bytes, and need not wait for that of the file. */
  async begin(path: string, request: Uint8Array | string, signal?: AbortSignal): Promise<Asking> {
    const { file, opened } = await this.#opening(path, openMode.readWrite, signal);
    const data = Buffer.from(request);
    const written = file.write(0, data, signal);
    const read = (): Promise<Uint8Array> => file.read(0, file.iounit, signal);
    // A request of several messages is not written yet: a read now would come between them.
    const first = this.keepsOrder && data.length <= file.iounit ? read() : written.then(read);
    return { file, first: inOrder(opened, inOrder(written, first)) };
  }

  /** Hangs up: the server cancels and closes all. Calls that wait reject. */
  close(): void {
    this.#link.fail(ioError('connection closed'));
  }

  /** Gives up this attach alone: its open files stay, and paths lead nowhere any more. Rejects as the clunk does. */
  async detach(): Promise<void> {
    if (this.#isDetached) return;
    this.#isDetached = true;
    await this.#link.clunk(this.#root);
  }

  async #opening(path: string, mode: OpenMode, signal: AbortSignal | undefined): Promise<Opening> {
    const route = this.#route(path);
    if (this.keepsOrder && isShort(route)) return openAhead(this.#link, route, mode, signal);
    return { file: await this.open(path, mode, signal), opened: Promise.resolve() };
  }

  async #walk(path: string, signal: AbortSignal | undefined): Promise<number> {
    return walkTo(this.#link, this.#route(path), signal);
  }

  #route(path: string): Route {
    // The number of the root is another's by now, perhaps that of another client's root.
    if (this.#isDetached) throw badFid('detached');
    return { from: this.#root, path };
  }

  async #thenClunk<T>(fid: number, work: Promise<T>): Promise<T> {
    const result = await orClunk(this.#link, fid, work);
    await this.#link.clunk(fid);
    return result;
  }
}

async function readToEnd(file: RemoteFile, signal?: AbortSignal, first?: Promise<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of chunksOf(file, signal, first)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The result of `work`, once the file is clunked without an error. The error of `work` comes first. */
async function finish<T>(file: RemoteFile, work: Promise<T>): Promise<T> {
  let result: T;
  try {
    result = await work;
  } catch (error) {
    void Promise.allSettled([file.clunk()]);
    throw error;
  }
  await file.clunk();
  return result;
}
