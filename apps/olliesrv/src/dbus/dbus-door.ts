import { type Environment, type Log, messageOf } from '#config';
import type { OlliesrvServices } from '../olliesrv-services.js';
import { BusConnection } from './bus-connection.js';
import { BusError } from './bus-error.js';
import { callerCheck } from './caller-check.js';
import { type Behind, serveManager } from './serve-manager.js';
import { mayListen, sessionBusSocket } from './session-bus.js';
import { sessionManager } from './session-manager.js';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;

export interface DoorOptions {
  readonly environment: Environment;
  /** Programs whose clients may change things although they run in a sandbox; see PeerCheck. */
  readonly allowSandboxed: readonly string[];
  readonly log: Log;
}

/**
 * `org.ollie.SessionManager` on the session bus. No bus, a bus that is lost and a name that is taken are no errors: it is
 * tried again, later and later, up to every 30 s, until `close`. Whatever is the matter is said once.
 */
export class DbusDoor {
  private readonly closing = new AbortController();
  private connection: BusConnection | undefined;
  private keeping: Promise<void> | undefined;
  private readonly behind: Behind;
  private readonly socket: string | undefined;
  private said = '';

  constructor(services: OlliesrvServices, { environment, allowSandboxed, log }: DoorOptions) {
    this.behind = { services, check: callerCheck(allowSandboxed), log };
    this.socket = sessionBusSocket(environment);
  }

  /** Returns at once. */
  open(): void {
    if (this.socket === undefined) this.behind.log.debug('D-Bus: there is no session bus');
    else this.keeping = this.keep(this.socket);
  }

  /** Gives the name back. Resolves when the bus has let go of us. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.connection?.close(sessionManager.name);
    await this.keeping;
  }

  private async keep(socket: string): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; !this.closing.signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      if (await this.visit(socket)) pause = FIRST_PAUSE_MS;
      await restFor(pause, this.closing.signal);
    }
  }

  /** One connection from beginning to end; false when none was made, or another has the name. */
  private async visit(socket: string): Promise<boolean> {
    if (!mayListen(socket)) return this.failed('debug', 'there is no session bus');
    try {
      const connection = await BusConnection.open(socket, this.behind.log, this.closing.signal);
      await this.serveOn(connection);
      return true;
    } catch (error) {
      if (error instanceof BusError) return this.failed(error.level, error.message);
      this.behind.log.error(`D-Bus: ${error instanceof Error && error.stack ? error.stack : messageOf(error)}`);
      return false;
    }
  }

  private async serveOn(connection: BusConnection): Promise<void> {
    this.connection = connection;
    try {
      if (this.closing.signal.aborted) return;
      const signals = await serveManager(connection, this.behind);
      this.say('info', `serving ${sessionManager.name}`);
      await connection.ended;
      signals.close();
      if (!this.closing.signal.aborted) this.say('warn', 'the session bus is gone');
    } finally {
      await connection.close(sessionManager.name);
      this.connection = undefined;
    }
  }

  private failed(level: 'debug' | 'warn', text: string): false {
    if (!this.closing.signal.aborted) this.say(level, text);
    return false;
  }

  private say(level: 'debug' | 'info' | 'warn', text: string): void {
    if (text !== this.said) this.behind.log[level](`D-Bus: ${text}`);
    this.said = text;
  }
}

/** Resolves on abort too; keeps no process alive. */
function restFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms).unref();
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
