import type { Socket } from 'node:net';
import { Conversation } from './conversation.js';
import { NinepError } from './errors.js';
import { Framer } from './frame.js';
import { Outbox } from './outbox.js';
import { Reader } from './reader.js';
import type { SessionHost } from './session.js';

/**
 * The socket of one client. It is read from only while few enough bytes wait to be sent to it: those
 * that the kernel has not taken, and in each turn those that reads under way may still bring.
 */
export class Connection {
  /** Resolves when the socket is gone and every file is closed. */
  readonly closed: Promise<void>;
  readonly #framer = new Framer(() => this.#conversation.frameLimit);
  readonly #reader = new Reader();
  readonly #outbox: Outbox;
  readonly #conversation: Conversation;
  readonly #mark: number;
  readonly #attachTimer: NodeJS.Timeout;
  #expected = 0;
  #isPaused = false;

  constructor(
    private readonly socket: Socket,
    private readonly host: Omit<SessionHost, 'onAttach'>,
  ) {
    this.#outbox = new Outbox(socket, () => this.#endTurn());
    this.#attachTimer = setTimeout(() => this.hangUp(), host.limits.attachTimeoutMs).unref();
    this.#conversation = new Conversation({ ...host, socket, onAttach: () => clearTimeout(this.#attachTimer) }, this.#outbox);
    // Below the socket's own mark there would be no 'drain' to go on at.
    this.#mark = Math.max(host.limits.highWaterBytes, socket.writableHighWaterMark);
    this.closed = this.#run();
  }

  /** Ends the connection at once. */
  hangUp(): void {
    this.socket.destroy();
  }

  async #run(): Promise<void> {
    const { socket } = this;
    const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const hungUp = new Promise<void>((resolve) => socket.once('end', resolve).once('close', resolve));
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('drain', () => this.#goOn());
    socket.on('error', () => socket.destroy());
    await hungUp;
    clearTimeout(this.#attachTimer);
    await this.#conversation.end();
    const impatience = setTimeout(() => this.hangUp(), this.host.limits.lingerMs).unref();
    await gone;
    clearTimeout(impatience);
  }

  #take(chunk: Buffer): void {
    this.#framer.push(chunk);
    this.#consume();
  }

  #consume(): void {
    try {
      while (!this.#isCongested() && this.#framer.next(this.#reader)) {
        this.#expected += this.#conversation.receive(this.#reader);
      }
    } catch (error) {
      if (!(error instanceof NinepError)) this.host.onBug(error);
      this.hangUp();
    }
    if (this.#isCongested()) this.#pause();
  }

  #isCongested(): boolean {
    return this.#outbox.unsent + this.#expected > this.#mark;
  }

  #pause(): void {
    this.#isPaused = true;
    this.socket.pause();
    this.#outbox.touch();
  }

  #endTurn(): void {
    this.#expected = 0;
    this.#goOn();
  }

  #goOn(): void {
    if (!this.#isPaused || this.#isCongested() || this.socket.destroyed) return;
    this.#isPaused = false;
    this.socket.resume();
    this.#consume();
  }
}
