import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { formatAddress, type Address } from './address.js';
import { Connection } from './connection.js';
import { illegalArgument } from './errors.js';
import type { FileServer } from './file-server.js';
import { defaultLimits, type ServerLimits } from './limits.js';
import { bindUnix } from './listen.js';

export interface ListenOptions {
  readonly limits?: Partial<ServerLimits>;
  /** Called for errors that are not for the client (no `posix`): bugs. Without it they become process warnings. */
  readonly onBug?: (error: unknown) => void;
}

/** Serves a file tree on any number of addresses. */
export class NinepServer {
  readonly #limits: ServerLimits;
  readonly #onBug: (error: unknown) => void;
  readonly #listeners = new Set<Server>();
  readonly #connections = new Set<Connection>();
  readonly #watchers: ((count: number) => void)[] = [];
  #lastId = 0;

  constructor(
    private readonly files: FileServer,
    options: ListenOptions = {},
  ) {
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#onBug = options.onBug ?? warn;
  }

  /** Binds a Unix socket (0600). A socket file that nobody answers is replaced; one that answers is an error naming it. */
  async listen(address: Address): Promise<void> {
    if (address.type !== 'unix') throw illegalArgument(`only unix sockets are served: ${formatAddress(address)}`);
    const server = createServer((socket) => this.#accept(socket));
    await bindUnix(server, address.path);
    server.on('error', this.#onBug);
    this.#listeners.add(server);
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

  #accept(socket: Socket): void {
    if (this.#connections.size >= this.#limits.maxConnections) {
      socket.destroy();
      return;
    }
    const connectionId = ++this.#lastId;
    const connection = new Connection(socket, { files: this.files, limits: this.#limits, connectionId, onBug: this.#onBug });
    this.#connections.add(connection);
    this.#tell();
    void connection.closed.then(() => {
      this.#connections.delete(connection);
      this.#tell();
    });
  }

  #tell(): void {
    for (const watcher of this.#watchers) watcher(this.#connections.size);
  }
}

function stop(server: Server): Promise<unknown> {
  const closed = once(server, 'close');
  server.close();
  return closed;
}

function warn(error: unknown): void {
  process.emitWarning(`9P server: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
}
