import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { errnoOf, type Log, messageOf } from '#config';
import { socketPath } from './addresses.js';

/** The file beside a Unix socket that tells who serves there. */
export class PidFile {
  private readonly path: string;

  /** Throws NinepError for an address that cannot be parsed. */
  constructor(address: string) {
    this.path = `${socketPath(address)}.pid`;
  }

  /** A server can do without one: where it cannot be written, that is a warning and nothing is left of it. */
  write(log: Log): void {
    try {
      this.create();
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
      log.warn(`no pid file: ${messageOf(error)}`);
    }
  }

  /** Leaves the file of a successor alone. */
  remove(): void {
    if (this.read() === process.pid) rmSync(this.path, { force: true });
  }

  /** Undefined when there is no such file that can be read. */
  read(): number | undefined {
    try {
      return Number.parseInt(readFileSync(this.path, 'utf8'), 10);
    } catch (error) {
      if (errnoOf(error) !== undefined) return undefined;
      throw error;
    }
  }

  /** A full disk takes the file and not its content. */
  private create(): void {
    const file = openSync(this.path, 'w', 0o600);
    try {
      writeSync(file, `${String(process.pid)}\n`);
    } catch (error) {
      rmSync(this.path);
      throw error;
    } finally {
      closeSync(file);
    }
  }
}
