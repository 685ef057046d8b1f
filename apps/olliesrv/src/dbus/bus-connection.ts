import { Socket } from 'node:net';
import type * as dbusNext from 'dbus-next';
import type { Message, MessageBus } from 'dbus-next';
import { type Log, messageOf } from '#config';
import { BusError } from './bus-error.js';
import type { Answer, BusCall, BusReply, BusSignal } from './bus-messages.js';
import { greeting } from './greeting.js';
import { keepReading } from './keep-reading.js';

type Library = typeof dbusNext;

const BUS = 'org.freedesktop.DBus';
const BUS_PATH = '/org/freedesktop/DBus';
const NO_REPLY_EXPECTED = 1;
const DO_NOT_QUEUE = 4;
const NAME_IS_TAKEN = 3;
const ASK_LIMIT_MS = 5_000;
/** So long for a goodbye, and again for what has been sent to go out. */
const CLOSE_LIMIT_MS = 1_000;
/** So much may wait for a bus that does not read, before we hang up. */
const MAX_BACKLOG_BYTES = 64 * 1024 * 1024;

/**
 * One connection to a message bus. The library below it is loaded when the first is opened. Whatever is sent after
 * the end of the connection is dropped; bodies must have been guarded before (`guarded-body.ts`).
 */
export class BusConnection {
  /** Resolves when the connection has ended, for whatever reason. */
  readonly ended: Promise<void>;

  private constructor(
    private readonly library: Library,
    private readonly bus: MessageBus,
    private readonly stream: Socket,
    private readonly log: Log,
  ) {
    stream.setMaxListeners(0); // one for each question that is open
    this.ended = new Promise((resolve) => stream.once('close', () => resolve()));
  }

  /** `socket` as node:net takes it. Rejects with BusError, on abort too. */
  static async open(socket: string, log: Log, signal: AbortSignal): Promise<BusConnection> {
    if (/[:;,=]/.test(socket)) throw new BusError(`the session bus cannot be reached at ${socket}: the library knows no such path`);
    const { default: library } = await import('dbus-next');
    const bus = library.sessionBus({ busAddress: `unix:socket=${socket}` });
    const stream = streamOf(bus);
    await greeting(bus, stream, { isError: (message) => message.type === library.MessageType.ERROR, signal });
    keepReading(stream, (error) => log.debug(`D-Bus: a message that cannot be read: ${messageOf(error)}`));
    return new BusConnection(library, bus, stream, log);
  }

  /** Bytes that wait for the bus to read them. */
  get backlogBytes(): number {
    return this.stream.writableLength;
  }

  /** From now on every call is answered by `answer`. */
  serve(answer: Answer): void {
    this.bus.addMethodHandler((call: Message) => {
      this.respond(call, answer).catch((error: unknown) => this.log.error(`D-Bus: ${messageOf(error)}`));
      return true; // the library's own objects never come into it
    });
  }

  /** Rejects with BusError when another connection has the name. */
  async own(name: string): Promise<void> {
    const [reply] = await this.ask('RequestName', 'su', [name, DO_NOT_QUEUE]);
    if (reply === NAME_IS_TAKEN) throw new BusError(`${name} belongs to process ${await this.pidOf(name)}`);
  }

  /** The process behind a name on the bus. Rejects with BusError when the bus knows none. */
  async pidOf(name: string): Promise<string> {
    const [pid] = await this.ask('GetConnectionUnixProcessID', 's', [name]);
    return String(pid);
  }

  emit({ path, interface: from, member, signature, body }: BusSignal): void {
    this.send(this.library.Message.newSignal(path, from, member, signature, [...body]));
  }

  /** Gives the name back and hangs up; what was sent before goes out first, if the bus reads it soon. May be repeated. */
  async close(name: string): Promise<void> {
    if (this.stream.destroyed) return;
    await this.release(name);
    this.bus.disconnect();
    const timer = setTimeout(() => this.stream.destroy(), CLOSE_LIMIT_MS);
    await this.ended;
    clearTimeout(timer);
  }

  private async release(name: string): Promise<void> {
    try {
      await this.ask('ReleaseName', 's', [name], CLOSE_LIMIT_MS);
    } catch (error) {
      if (!(error instanceof BusError)) throw error;
      this.log.debug(`D-Bus: ${error.message}`); // it goes with the connection
    }
  }

  private async respond(call: Message, answer: Answer): Promise<void> {
    const reply = await answer(callFrom(call));
    if ((call.flags & NO_REPLY_EXPECTED) === 0) this.send(this.replyTo(call, reply));
  }

  private replyTo(call: Message, { signature, body, error }: BusReply): Message {
    const message = this.library.Message.newMethodReturn(call, signature, [...body]);
    if (error === undefined) return message;
    message.type = this.library.MessageType.ERROR;
    message.errorName = error;
    return message;
  }

  private send(message: Message): void {
    if (!this.stream.writable) return;
    if (this.backlogBytes <= MAX_BACKLOG_BYTES) this.bus.send(message);
    else this.stream.destroy();
  }

  /** Asks the bus itself. */
  private async ask(member: string, signature: string, body: readonly unknown[], limitMs = ASK_LIMIT_MS): Promise<readonly unknown[]> {
    const question = { destination: BUS, path: BUS_PATH, interface: BUS, member, signature, body: [...body] };
    const over = new AbortController();
    try {
      return await Promise.race([this.answerTo(question), this.noAnswer(limitMs, over.signal)]);
    } finally {
      over.abort();
    }
  }

  private async answerTo(question: ConstructorParameters<Library['Message']>[0]): Promise<readonly unknown[]> {
    if (!this.stream.writable) throw new BusError('the session bus is gone');
    try {
      const reply: { readonly body: readonly unknown[] } | null = await this.bus.call(new this.library.Message(question));
      return reply?.body ?? [];
    } catch (error) {
      throw new BusError(`the session bus refuses ${question.member ?? ''}: ${messageOf(error)}`, 'warn', { cause: error });
    }
  }

  /** Rejects when the bus takes too long, or ends: the library would wait for ever. */
  private noAnswer(limitMs: number, over: AbortSignal): Promise<never> {
    return new Promise((_resolve, reject) => {
      const timer = setTimeout(() => reject(new BusError('the session bus does not answer')), limitMs);
      const onClose = (): void => reject(new BusError('the session bus is gone'));
      this.stream.once('close', onClose);
      over.addEventListener('abort', () => {
        clearTimeout(timer);
        this.stream.off('close', onClose);
      });
    });
  }
}

/** What the library gives, which may be without an interface. */
function callFrom({
  sender,
  path,
  interface: to = '',
  member,
  signature,
  body,
}: Omit<BusCall, 'interface'> & { readonly interface?: string }): BusCall {
  return { sender, path, interface: to, member, signature, body };
}

/** The library shows its socket to nobody, but only that tells of the end, and how much waits. */
function streamOf(bus: object): Socket {
  const connection: unknown = Reflect.get(bus, '_connection');
  const stream: unknown = typeof connection === 'object' && connection !== null ? Reflect.get(connection, 'stream') : undefined;
  if (!(stream instanceof Socket)) throw new BusError('dbus-next has no socket: another version of dbus-next is needed');
  return stream;
}
