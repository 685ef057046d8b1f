import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, rmSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { SandboxHelperError } from '#sandbox';

/** A named pipe whose readers' end is here and goes on to `output`. Whoever may write in `directory` may write into it. */
export class StandardErrorPipe {
  readonly path: string;
  private readonly reader: Socket;

  constructor(directory: string, output: Writable) {
    this.path = join(directory, '.standard-error');
    const { status, error } = spawnSync('mkfifo', ['-m', '600', this.path], { stdio: 'ignore' });
    if (status !== 0) throw new SandboxHelperError(`mkfifo ${this.path}: ${error?.message ?? `exit ${status}`}`);
    this.reader = new Socket({ fd: openSync(this.path, constants.O_RDONLY | constants.O_NONBLOCK), readable: true, writable: false });
    this.reader.pipe(output, { end: false });
    // As with a pipe of its own, the command then learns that nobody reads.
    output.once('error', () => this.reader.destroy());
  }

  /** Resolves when all is read that was written. Nobody writes any more by then. */
  async close(): Promise<void> {
    if (!this.reader.destroyed) await this.drain();
    rmSync(this.path, { force: true });
  }

  private async drain(): Promise<void> {
    // The end shows only after a writer has come and gone, and there may have been none.
    closeSync(openSync(this.path, constants.O_WRONLY | constants.O_NONBLOCK));
    await finished(this.reader, { writable: false });
  }
}
