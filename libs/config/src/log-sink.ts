import { closeSync, openSync, writeSync } from 'node:fs';
import { messageOf } from './errno.js';

/** Where log lines go. `write` takes the line or drops it and never throws; `flush` resolves when all is out. */
export interface LogSink {
  write(line: string): void;
  flush(): Promise<void>;
}

export class StderrSink implements LogSink {
  constructor(private readonly out: NodeJS.WritableStream = process.stderr) {
    if (out.listenerCount('error', dropped) === 0) out.on('error', dropped);
  }

  write(line: string): void {
    this.out.write(line);
  }

  flush(): Promise<void> {
    return new Promise((resolve) => this.out.write('', () => resolve()));
  }
}

/** A daemon outlives the terminal that started it: a log line that nobody can read is no reason to die. */
function dropped(): void {}

/** Appends to a file, opened at the first line. A file that cannot be written is named once on stderr and then left alone. */
export class FileSink implements LogSink {
  private fd: number | undefined;
  private broken = false;

  constructor(private readonly file: string) {}

  write(line: string): void {
    if (this.broken) return;
    try {
      this.fd ??= openSync(this.file, 'a', 0o600);
      writeSync(this.fd, line);
    } catch (error) {
      this.giveUp(error);
    }
  }

  async flush(): Promise<void> {
    if (this.fd !== undefined) closeSync(this.fd);
    this.fd = undefined;
  }

  private giveUp(error: unknown): void {
    this.broken = true;
    process.stderr.write(`log file ${this.file}: ${messageOf(error)}\n`);
  }
}
