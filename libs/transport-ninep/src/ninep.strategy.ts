import { Server, type CustomTransportStrategy } from '@nestjs/microservices';
import { NinepServer, parseAddress } from '#ninep';
import type { TreeNode } from '#virtfs';
import type { NinePOptions } from './options.js';
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

  constructor(
    root: TreeNode,
    private readonly options: NinePOptions,
  ) {
    super();
    const { limits, onBug } = options;
    this.server = new NinepServer(new TreeFileServer(root, options), { ...(limits && { limits }), ...(onBug && { onBug }) });
  }

  /** Calls back without argument once every address is bound, else with the error. */
  override listen(ready: (error?: unknown) => void): void {
    this.bind().then(() => ready(), ready);
  }

  override async close(): Promise<void> {
    await this.server.close();
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
    const addresses = this.options.listen.map(parseAddress);
    if (addresses.length === 0) throw new Error('transport-ninep: no address to listen on');
    try {
      for (const address of addresses) await this.server.listen(address);
    } catch (error) {
      await this.server.close();
      throw error;
    }
  }
}
