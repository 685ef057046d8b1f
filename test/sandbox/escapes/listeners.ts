import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const VISIT_EVERY_MS = 20;
const SETTLE_MS = 200;

/** Servers on this machine that keep what they hear, and a visitor who tells the secret to any server that a tool opens. */
export class Listeners {
  readonly heard = new Set<string>();
  private readonly tcp = [this.server(), this.server()] as const;
  private readonly unix = this.server();
  private readonly udp = [this.socket('udp4'), this.socket('udp6')] as const;
  private readonly visits: NodeJS.Timeout;

  private constructor(
    private readonly directory: string,
    private readonly secret: string,
  ) {
    this.visits = setInterval(() => this.visit(), VISIT_EVERY_MS);
  }

  /** `directory`: where tools leave files named `tcp-*` and `udp-*` with the port of their server. */
  static async open(directory: string, secret: string): Promise<Listeners> {
    const listeners = new Listeners(directory, secret);
    const [{ tcp, udp }, hosts] = [listeners, ['127.0.0.1', '::1'] as const];
    await once(listeners.unix.listen({ path: listeners.door, readableAll: true, writableAll: true }), 'listening');
    await Promise.all(tcp.map((server, index) => once(server.listen(0, hosts[index]), 'listening')));
    await Promise.all(udp.map((socket, index) => once(socket.bind(0, hosts[index]), 'listening')));
    return listeners;
  }

  /** A Unix socket in the directory. */
  get door(): string {
    return join(this.directory, 'door');
  }

  port(kind: 'tcp' | 'udp', version: 4 | 6): string {
    const one = this[kind][version === 4 ? 0 : 1];
    const address = one.address();
    return String(typeof address === 'object' ? address?.port : '');
  }

  /** What was sent before now has been heard. */
  async settle(): Promise<void> {
    await wait(SETTLE_MS);
  }

  async close(): Promise<void> {
    clearInterval(this.visits);
    for (const socket of this.udp) socket.close();
    await Promise.all([...this.tcp, this.unix].map((server) => new Promise((done) => server.close(done))));
  }

  private server(): Server {
    return createServer((socket) => {
      socket.on('data', (data) => this.heard.add(data.toString())).on('error', () => socket.destroy());
      socket.on('end', () => socket.destroy());
    });
  }

  private socket(type: 'udp4' | 'udp6'): Socket {
    return createSocket(type).on('message', (data) => this.heard.add(data.toString()));
  }

  private visit(): void {
    for (const name of ['tcp-bound', 'tcp-unbound']) {
      const port = this.portIn(name);
      if (port === undefined) continue;
      const socket = connect({ port, host: '127.0.0.1' });
      socket.on('error', () => socket.destroy()).end(this.secret);
    }
    const port = this.portIn('udp-bound');
    if (port !== undefined) this.udp[0].send(this.secret, port, '127.0.0.1');
  }

  private portIn(name: string): number | undefined {
    const file = join(this.directory, name);
    return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
  }
}
