import { AnswerCursor } from './answer-cursor.js';
import { interruptible, uncancelled } from './awaitable.js';
import { ByteLog } from './byte-log.js';
import { isClientError, TooLongError } from './errors.js';
import { LineBuffer, MAY_GO_ON } from './line-buffer.js';
import type { Awaitable, Call, Client, CloseReason, FileHandle, Waiter } from './types.js';

const MAX_LINE = 64 * 1024;

export interface CommandRunner {
  readonly help: string;
  /** The answer of one line, ending in a newline; empty for a blank line. */
  execute(line: string, call: Call): Promise<string>;
}

/** One open of a control file: finds the lines, keeps their answers. */
export class ControlHandle implements FileHandle {
  private readonly lines = new LineBuffer(MAX_LINE);
  private readonly cursor = new AnswerCursor();
  private answer = new ByteLog();
  private isAnswerRead = false;
  private writing: Promise<void> | undefined;

  constructor(
    private readonly file: CommandRunner,
    private readonly client: Client,
  ) {
    this.answer.append(file.help);
    this.isAnswerRead = true;
  }

  async write(offset: number, data: Uint8Array, { signal }: Waiter): Promise<void> {
    if (data.length === 0) return;
    if (this.isAnswerRead) this.answer = new ByteLog();
    this.isAnswerRead = false;
    this.cursor.wrote(offset, data.length);
    this.writing = this.take(data, signal);
    try {
      await this.writing;
    } catch (error) {
      this.cursor.refuse(offset);
      throw error;
    }
  }

  read(offset: number, count: number, waiter: Waiter): Awaitable<Uint8Array> {
    const place = this.cursor.locate(offset);
    if (!this.writing && this.lines.pending === 0) return this.show(place, count);
    return this.showSettled(place, count, waiter.signal);
  }

  async close(reason: CloseReason): Promise<void> {
    // What a broken connection left without its newline may be half a command.
    if (reason === 'clunk') await this.runRest(uncancelled(), throwIt);
  }

  private show(place: number, count: number): Uint8Array {
    this.isAnswerRead = true;
    return this.answer.slice(place, count);
  }

  private async showSettled(place: number, count: number, signal: AbortSignal): Promise<Uint8Array> {
    await interruptible(() => Promise.allSettled([this.writing]), signal);
    // The answer already says what failed.
    await this.runRest(signal, () => undefined);
    return this.show(place, count);
  }

  private async take(data: Uint8Array, signal: AbortSignal): Promise<void> {
    const lines = this.lines.push(data);
    if (data.length < MAY_GO_ON && this.lines.pending > 0) lines.push(this.lines.take());
    if (this.lines.isTooLong) lines.push(undefined);
    try {
      await this.runAll(lines, signal, throwIt);
    } finally {
      this.writing = undefined;
    }
  }

  private async runRest(signal: AbortSignal, report: Report): Promise<void> {
    if (this.lines.pending > 0) await this.runAll([this.lines.take()], signal, report);
  }

  /** Runs all lines and reports the first failure after the last one. */
  private async runAll(lines: readonly (string | undefined)[], signal: AbortSignal, report: Report): Promise<void> {
    const failures: Error[] = [];
    for (const line of lines) failures.push(...(await this.runLine(line, { signal, client: this.client })));
    const [first] = failures;
    if (first) report(first);
  }

  private async runLine(line: string | undefined, call: Call): Promise<Error[]> {
    try {
      if (line === undefined) throw new TooLongError();
      this.answer.append(await this.file.execute(line, call));
      return [];
    } catch (error) {
      if (!isClientError(error) || call.signal.aborted) throw error;
      this.answer.append(`error: ${error.message}\n`);
      return [error];
    }
  }
}

type Report = (error: Error) => void;

function throwIt(error: Error): never {
  throw error;
}
