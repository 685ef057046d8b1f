import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { Address } from './address.js';
import { encodeMessage } from './codec.js';
import { Connection } from './connection.js';
import { NOTAG } from './fcall.js';
import type { FileServer } from './file-server.js';
import { limitsWith, type ServerLimits } from './limits.js';
import { Locks } from './linux/locks.js';
import { bind } from './listen.js';
import { WriteAllowance } from './write-allowance.js';

export interface ListenOptions {
  readonly limits?: Partial<ServerLimits>;
  /** Called for errors that are not for the client (no `posix`): bugs. Without it they become process warnings. */
  readonly onBug?: (error: unknown) => void;
}

const KEEP_ALIVE_MS = 60_000;
const REFUSAL_MS = 1000;

/** Serves a file tree on any number of addresses. */
export class NinepServer {
  readonly #limits: ServerLimits;
  readonly #onBug: (error: unknown) => void;
  readonly #locks = new Locks();
  readonly #listeners = new Set<Server>();
  readonly #connections = new Set<Connection>();
  readonly #watchers: ((count: number) => void)[] = [];
  #lastId = 0;

  /** Throws NinepError for limits that make no sense. */
  constructor(
    private readonly files: FileServer,
    options: ListenOptions = {},
  ) {
    this.#limits = limitsWith(options.limits);
    this.#onBug = options.onBug ?? warn;
  }

  /**
   * Binds a Unix socket (0600) or a TCP port (0: any that is free; host `*`: all interfaces) and gives the
   * address as it is bound. A socket file that nobody answers is replaced; one that answers is an error
   * naming it. `files` is what is served there, if it is not the tree of the whole server.
   */
  async listen(address: Address, files: FileServer = this.files): Promise<Address> {
    const own = new Set<Connection>();
    const options = { noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS };
    const server = createServer(options, (socket) => {
      if (own.size < this.#limits.maxConnections) this.#accept(socket, files, own);
      else refuse(socket);
    });
    const bound = await bind(server, address);
    server.on('error', this.#onBug);
    this.#listeners.add(server);
    return bound;
  }

  /** Open connections, those included whose files are still being closed. */
  get connections(): number {
    return this.#connections.size;
  }

  /** Calls back with the number of open connections whenever it changes. */
  onConnections(callback: (count: number) => void): void {
    this.#watchers.push(callback);
  }

  /** Stops listening, hangs up every connection (which cancels and closes all), resolves when done. */
  async close(): Promise<void> {
    const stopped = [...this.#listeners].map(stop);
    this.#listeners.clear();
    const gone = [...this.#connections].map((connection) => connection.closed);
    for (const connection of this.#connections) connection.hangUp();
    await Promise.all([...stopped, ...gone]);
  }

  /** `own`: the connections of the listener. */
  #accept(socket: Socket, files: FileServer, own: Set<Connection>): void {
    const connectionId = ++this.#lastId;
    const allowance = new WriteAllowance(this.#limits.maxUnfinishedBytesPerConnection);
    const shared = { limits: this.#limits, locks: this.#locks, onBug: this.#onBug };
    const connection = new Connection(socket, { files, connectionId, allowance, ...shared });
    this.#connections.add(connection);
    own.add(connection);
    this.#tell();
    void connection.closed.then(() => {
      this.#connections.delete(connection);
      own.delete(connection);
      this.#tell();
    });
  }

  #tell(): void {
    for (const watcher of this.#watchers) watcher(this.#connections.size);
  }
}

/**
 * Answers the Tversion that the client sends first, as every dialect understands it. The client is given
 * time to read that: a socket that is closed at once fails its writing before.
 */
function refuse(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), REFUSAL_MS).unref();
  socket.on('error', () => socket.destroy());
  socket.on('close', () => clearTimeout(timer));
  socket.resume();
  socket.end(encodeMessage({ type: 'Rerror', tag: NOTAG, ename: 'i/o error: too many connections' }));
}

function stop(server: Server): Promise<unknown> {
  const closed = once(server, 'close');
  server.close();
  return closed;
}

function warn(error: unknown): void {
  process.emitWarning(`9P server: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
}
