import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { Socket } from 'node:net';

const SOCKETS = 'net.client.socket';

/** Watches the sockets that this process opens from now on. */
export class SocketEnd {
  private readonly open = new Set<Socket>();

  constructor() {
    channel(SOCKETS).subscribe((message) => {
      const socket = typeof message === 'object' && message !== null && 'socket' in message ? message.socket : undefined;
      if (!(socket instanceof Socket)) return;
      this.open.add(socket);
      socket.once('close', () => this.open.delete(socket));
    });
  }

  /** Resolves when all of them are closed, or after `limitMs`; true: they are. */
  async reached(limitMs: number): Promise<boolean> {
    const closed = Promise.all([...this.open].map((socket) => once(socket, 'close')));
    const late = new Promise((resolve) => setTimeout(resolve, limitMs));
    await Promise.race([closed, late]);
    return this.open.size === 0;
  }
}
