import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { visible } from '#config';
import type { Log } from '#config';

const KEPT_LINES = 6;
const MAX_LINE_CHARS = 400;

/** Copies a child's stderr to the log and keeps its last lines for an error message. */
export class StderrTail {
  private readonly kept: string[] = [];
  /** Resolves at the end of the stream. */
  readonly ended: Promise<void>;

  constructor(stream: Readable, log: Log) {
    const lines = createInterface({ input: stream, crlfDelay: Infinity });
    lines.on('line', (line) => {
      log.debug(`toolsrv: ${line}`);
      this.kept.push(visible(line.slice(0, MAX_LINE_CHARS)));
      if (this.kept.length > KEPT_LINES) this.kept.shift();
    });
    this.ended = new Promise((resolve) => lines.once('close', resolve));
  }

  get lines(): readonly string[] {
    return this.kept;
  }
}
