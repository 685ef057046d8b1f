import { userInfo } from 'node:os';
import { Server, type CustomTransportStrategy } from '@nestjs/microservices';
import {
  defaultLimits,
  WriteAllowance,
  formatAddress,
  NinepServer,
  parseAddress,
  type Address,
  type FileServer,
  type ServedNode,
} from '#ninep';
import type { TreeNode } from '#virtfs';
import type { Door, Entrance, NinePOptions, OpenDoor } from './options.js';
import { TreeFileServer } from './tree-file-server.js';

export const NINEP = Symbol('9P');

/**
 * Nest transport that serves a mounted tree over 9P. `listen` binds every address or none; `close` hangs
 * up all clients and resolves when their files are closed. Files need no message handlers: a row of the
 * tree is the handler.
 */
export class NinePStrategy extends Server implements CustomTransportStrategy {
  override readonly transportId = NINEP;
  private readonly server: NinepServer;
  /** Each has a server of its own, and with it an end of its own. */
  private readonly doors = new Set<NinepServer>();
  private bound: readonly string[] = [];

  constructor(
    private readonly root: TreeNode,
    private readonly options: NinePOptions,
  ) {
    super();
    this.server = this.serverFor(options);
  }

  /** Calls back without argument once every address is bound, else with the error. */
  override listen(ready: (error?: unknown) => void): void {
    this.bind().then(() => ready(), ready);
  }

  override async close(): Promise<void> {
    await Promise.all([this.server, ...this.doors].map((server) => server.close()));
  }

  /** Lets clients in by one more door, which is not among the addresses. Rejects when it cannot be bound. */
  async open(door: Door): Promise<OpenDoor> {
    const server = this.serverFor(door);
    await server.listen(parseAddress(door.address));
    this.doors.add(server);
    const close = async (): Promise<void> => {
      await server.close();
      this.doors.delete(server);
    };
    return { close };
  }

  /** Where it listens, with the ports that it has got; in the order of the options. */
  get addresses(): readonly string[] {
    return this.bound;
  }

  /** The tree as the server's own user sees it who comes through another door of this process; `tag` as in `client=TAG`. */
  attach(tag?: string): Promise<ServedNode> {
    const files = new TreeFileServer(this.root, this.options, {});
    const aname = tag === undefined ? '' : `&client=${tag}`;
    const allowance = new WriteAllowance(defaultLimits.maxUnfinishedBytesPerConnection);
    return files.attach({ uname: userInfo().username, aname, connectionId: 0, allowance, auth: undefined });
  }

  get connections(): number {
    return this.server.connections;
  }

  /** Calls back with the number of open connections whenever it changes. */
  onConnections(callback: (count: number) => void): void {
    this.server.onConnections(callback);
  }

  override on(): never {
    throw new Error('transport-ninep: there are no transport events; use onConnections');
  }

  override unwrap(): never {
    throw new Error('transport-ninep: the 9P server is not handed out');
  }

  private async bind(): Promise<void> {
    const { listen } = this.options;
    if (listen.length === 0) throw new Error('transport-ninep: no address to listen on');
    const doors = listen.map((place) => this.doorOf(place));
    try {
      for (const { address, files } of doors) this.bound = [...this.bound, formatAddress(await this.server.listen(address, files))];
    } catch (error) {
      await this.server.close();
      throw error;
    }
  }

  private serverFor(entrance: Entrance): NinepServer {
    const { limits, onBug } = this.options;
    const files = new TreeFileServer(this.root, this.options, entrance);
    return new NinepServer(files, { ...(limits && { limits }), ...(onBug && { onBug }) });
  }

  private doorOf(place: string | Door): { readonly address: Address; readonly files: FileServer } {
    const door: Door = typeof place === 'string' ? { ...this.options, address: place } : place;
    return { address: parseAddress(door.address), files: new TreeFileServer(this.root, this.options, door) };
  }
}
