import type { Socket } from 'node:net';
import { encode, type Target } from './codec.js';
import { ninep2000, type Dialect } from './dialect.js';
import type { Fcall } from './fcall.js';
import { Writer } from './writer.js';

/** A reply that has waited so long for others to leave with takes along those that are there. */
const LONGEST_WAIT_MS = 0.25;

/**
 * The sending side of a connection. All messages of one turn (what the event loop has found to do when it
 * looked, with the promise reactions that follow) leave in one write, unless the turn takes long.
 */
export class Outbox implements Target {
  readonly writer = new Writer();
  #dialect: Dialect = ninep2000;
  #msize = Infinity;
  #scheduled = false;
  #since = 0;

  constructor(
    private readonly socket: Socket,
    /** Called at the end of each turn in which something was sent or `touch` was called. */
    private readonly onTurnEnd: () => void,
  ) {}

  get dialect(): Dialect {
    return this.#dialect;
  }

  get msize(): number {
    return this.#msize;
  }

  /** What Tversion and Rversion settled, for the messages from now on. */
  agree(dialect: Dialect, msize: number): void {
    this.#dialect = dialect;
    this.#msize = msize;
  }

  /** Bytes that the kernel has not taken. */
  get unsent(): number {
    return this.socket.writableLength + this.writer.length;
  }

  /** Throws as `encode` does; then nothing is sent. */
  send(message: Fcall): void {
    encode(this, message);
    this.touch();
    if (performance.now() - this.#since > LONGEST_WAIT_MS) {
      this.flush();
      this.#since = performance.now();
    }
  }

  /** Makes sure that the end of this turn is noticed. */
  touch(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#since = performance.now();
    setImmediate(() => this.#endTurn());
  }

  flush(): void {
    const pieces = this.writer.take();
    if (this.socket.destroyed || !this.socket.writable) return;
    if (pieces.length > 1) this.socket.cork();
    for (const piece of pieces) this.socket.write(piece);
    if (pieces.length > 1) this.socket.uncork();
  }

  #endTurn(): void {
    this.#scheduled = false;
    this.flush();
    this.onTurnEnd();
  }
}
