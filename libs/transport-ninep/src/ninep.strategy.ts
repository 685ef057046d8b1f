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
import type { Door, NinePOptions } from './options.js';
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
  private bound: readonly string[] = [];

  constructor(
    private readonly root: TreeNode,
    private readonly options: NinePOptions,
  ) {
    super();
    const { limits, onBug } = options;
    this.server = new NinepServer(new TreeFileServer(root, options, options), { ...(limits && { limits }), ...(onBug && { onBug }) });
  }

  /** Calls back without argument once every address is bound, else with the error. */
  override listen(ready: (error?: unknown) => void): void {
    this.bind().then(() => ready(), ready);
  }

  override async close(): Promise<void> {
    await this.server.close();
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

  private doorOf(place: string | Door): { readonly address: Address; readonly files: FileServer } {
    const door: Door = typeof place === 'string' ? { ...this.options, address: place } : place;
    return { address: parseAddress(door.address), files: new TreeFileServer(this.root, this.options, door) };
  }
}
