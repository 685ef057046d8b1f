import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { decodeMessage, encodeMessage, ninep2000, ninep2000L, NO_UID, type Dialect, type Fcall } from '#ninep';

export const NOTAG = 0xffff;
export const NOFID = 0xffffffff;
const PATIENCE_MS = 20_000;

/** A connection that sends what it likes. */
export class Hostile {
  readonly #frames: Buffer[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #isClosed = false;
  #wake: () => void = () => undefined;

  private constructor(
    private readonly socket: Socket,
    readonly dialect: Dialect,
  ) {
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  static async open(path: string, dialect = ninep2000): Promise<Hostile> {
    const socket = connect(path);
    await once(socket, 'connect');
    return new Hostile(socket, dialect);
  }

  /** One that has agreed on a version and attached fid 0. */
  static async attached(path: string, dialect = ninep2000): Promise<Hostile> {
    const hostile = await Hostile.open(path, dialect);
    hostile.send(...greeting(dialect));
    await hostile.answers(2);
    return hostile;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  send(...messages: readonly (Fcall | Uint8Array)[]): void {
    const frames = messages.map((message) => (message instanceof Uint8Array ? message : encodeMessage(message, this.dialect)));
    this.socket.write(Buffer.concat(frames));
  }

  /** Stops taking what comes. */
  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  hangUp(): void {
    this.socket.destroy();
  }

  /** The next `count` answers. */
  async answers(count: number): Promise<readonly Buffer[]> {
    while (this.#frames.length < count && !this.#isClosed) await this.#news();
    if (this.#frames.length < count) throw new Error(`hung up on after ${this.#frames.length} of ${count} answers`);
    return this.#frames.splice(0, count);
  }

  /** The next answer, read. The Rversion is of every dialect. */
  async answer(): Promise<Fcall> {
    const [frame] = await this.answers(1);
    return decodeMessage(frame ?? Buffer.alloc(0), this.dialect);
  }

  /** Resolves when the server has hung up. */
  async hungUpOn(): Promise<void> {
    while (!this.#isClosed) await this.#news();
  }

  #take(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (this.#rest.length - at >= 4 && this.#rest.readUInt32LE(at) <= this.#rest.length - at) {
      const size = this.#rest.readUInt32LE(at);
      this.#frames.push(this.#rest.subarray(at, at + size));
      at += size;
    }
    this.#rest = this.#rest.subarray(at);
    this.#wake();
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

/** What a client of a dialect begins with, as bytes. */
export function greeting(dialect: Dialect): readonly Buffer[] {
  const uid = dialect === ninep2000L ? { uid: NO_UID } : {};
  const messages: readonly Fcall[] = [
    { type: 'Tversion', tag: NOTAG, msize: 65536, version: dialect.version },
    { type: 'Tattach', tag: 1, fid: 0, afid: NOFID, uname: 'mallory', aname: '', ...uid },
  ];
  return messages.map((message) => encodeMessage(message, dialect));
}

/** Opens a file for reading. */
export function opening(dialect: Dialect, fid: number, names: readonly string[]): readonly Fcall[] {
  const walk: Fcall = { type: 'Twalk', tag: 2, fid: 0, newfid: fid, names };
  return [walk, dialect === ninep2000L ? { type: 'Tlopen', tag: 3, fid, flags: 0 } : { type: 'Topen', tag: 3, fid, mode: 0 }];
}
