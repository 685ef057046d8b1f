import { channel } from 'node:diagnostics_channel';
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
    // Some close with an error, which is no failure here.
    const closed = Promise.all([...this.open].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    const late = new Promise((resolve) => setTimeout(resolve, limitMs));
    await Promise.race([closed, late]);
    return this.open.size === 0;
  }
}
