import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Lets clients come to a Unix socket over TCP. */
export class TcpBridge {
  private readonly open = new Set<Socket>();
  private constructor(private readonly server: Server) {}

  static async to(path: string): Promise<TcpBridge> {
    const server = createServer();
    const bridge = new TcpBridge(server);
    server.on('connection', (near) => bridge.join(near, connect(path)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return bridge;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port; // a TCP server that listens has no other kind of address
  }

  close(): void {
    this.server.close();
    for (const socket of this.open) socket.destroy();
  }

  private join(near: Socket, far: Socket): void {
    near.pipe(far).pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.open.add(one);
      one.on('error', () => one.destroy()); // the other side hears of it by 'close'
      one.on('close', () => {
        this.open.delete(one);
        other.destroy();
      });
    }
  }
}
