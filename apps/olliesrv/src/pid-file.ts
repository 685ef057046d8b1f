import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { errnoOf } from '#config';
import { socketPath } from './addresses.js';

/** The file beside a Unix socket that tells who serves there. */
export class PidFile {
  private readonly path: string;

  /** Throws NinepError for an address that cannot be parsed. */
  constructor(address: string) {
    this.path = `${socketPath(address)}.pid`;
  }

  write(): void {
    writeFileSync(this.path, `${String(process.pid)}\n`, { mode: 0o600 });
  }

  /** Leaves the file of a successor alone. */
  remove(): void {
    if (this.read() === process.pid) rmSync(this.path, { force: true });
  }

  /** Undefined when there is no such file. */
  read(): number | undefined {
    try {
      return Number.parseInt(readFileSync(this.path, 'utf8'), 10);
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }
}
