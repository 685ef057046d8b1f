import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { ninep2000, type Dialect } from '#ninep';

const PATIENCE_MS = 5000;

/** A raw connection: whole frames in, bytes out. */
export class Wire {
  #received: Buffer = Buffer.alloc(0);
  #isClosed = false;
  /** What was agreed on with the last Rversion. */
  dialect: Dialect = ninep2000;
  #wake: () => void = () => undefined;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    // A reset is one way to be hung up on; 'close' follows.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  static open(place: NetConnectOpts): Promise<Wire> {
    return new Promise((resolve, reject) => {
      const socket = connect(place);
      socket.once('error', reject);
      socket.once('connect', () => resolve(new Wire(socket)));
    });
  }

  send(bytes: Buffer): void {
    this.socket.write(bytes);
  }

  hangUp(): void {
    this.socket.destroy();
  }

  /** The next frame, or undefined when the server has hung up. */
  async next(): Promise<Buffer | undefined> {
    for (;;) {
      const size = this.#received.length >= 4 ? this.#received.readUInt32LE(0) : Infinity;
      if (size <= this.#received.length) return this.#cut(size);
      if (this.#isClosed) return undefined;
      await this.#news();
    }
  }

  #cut(size: number): Buffer {
    const frame = this.#received.subarray(0, size);
    this.#received = this.#received.subarray(size);
    return frame;
  }

  #news(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the server says nothing')), PATIENCE_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
