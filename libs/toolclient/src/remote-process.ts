import { BusyError, NotFoundError } from '#model';
import type { BackgroundProcess, ProcessEnd, ProcessOrder } from '#model';
import { type Client, NinepError, openMode } from '#ninep';
import { MalformedAnswerError } from './errors.js';
import { parseStatLines } from './parse-process-list.js';
import { readEnds, readRange } from './read-ends.js';

/** What is read of an output: what a model gets, and room for what will be escaped in it. */
const MAX_OUTPUT_BYTES = 32 * 1024;

/** Runs `work` and turns what 9P says of failures into what the port says. */
export type Guard = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** A process of `proc/new.bg`, on the connection that started it: another server may use its number for another process. */
export class RemoteProcess implements BackgroundProcess {
  constructor(
    readonly pid: number,
    private readonly client: Client,
    private readonly guard: Guard,
  ) {}

  whenEnded(signal: AbortSignal): Promise<ProcessEnd> {
    return this.guard(() => this.waitForEnd(signal), signal);
  }

  acknowledge(signal: AbortSignal): Promise<void> {
    return this.guard(() => this.client.writeAll(this.path('ctl'), 'ack\n', signal), signal);
  }

  kill(signal: AbortSignal): Promise<void> {
    return this.guard(() => unlessGone(this.client.writeAll(this.path('ctl'), 'kill\n', signal)), signal);
  }

  order(order: ProcessOrder, signal: AbortSignal): Promise<void> {
    return this.guard(() => this.refusable(this.client.writeAll(this.path('ctl'), `${order}\n`, signal)), signal);
  }

  output({ offset, count }: { readonly offset: number; readonly count: number }, signal: AbortSignal): Promise<Uint8Array> {
    return this.guard(() => this.refusable(this.readOutput(offset, offset + count, signal)), signal);
  }

  outputLength(signal: AbortSignal): Promise<number> {
    const ask = async (): Promise<number> => Number((await this.client.stat(this.path('out'), signal)).length);
    return this.guard(() => this.refusable(ask()), signal);
  }

  stat(signal: AbortSignal): Promise<string> {
    return this.guard(() => this.refusable(this.read('stat', signal)), signal);
  }

  private async readOutput(from: number, to: number, signal: AbortSignal): Promise<Uint8Array> {
    const file = await this.client.open(this.path('out'), openMode.read, signal);
    try {
      return await readRange(file, { from, to }, signal);
    } finally {
      await file.clunk();
    }
  }

  /** What the server has against it is what the asker is told. */
  private async refusable<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof NinepError)) throw error;
      if (error.posix === 'ENOENT') throw new NotFoundError('process', String(this.pid));
      if (error.posix === 'EBUSY') throw new BusyError('process is busy: still running');
      throw error;
    }
  }

  private async waitForEnd(signal: AbortSignal): Promise<ProcessEnd> {
    const exitCode = await this.read('wait', signal);
    if (!/^\d{1,3}\n$/.test(exitCode)) throw new MalformedAnswerError(`${this.path('wait')}: ${exitCode.slice(0, 80)}`);
    const command = parseStatLines(await this.read('stat', signal)).get('cmd') ?? '';
    const { text: output, isWhole } = await readEnds(this.client, { path: this.path('out'), maxBytes: MAX_OUTPUT_BYTES }, signal);
    return { exitCode: Number(exitCode), command, output, isWhole };
  }

  private async read(file: string, signal: AbortSignal): Promise<string> {
    return Buffer.from(await this.client.readAll(this.path(file), signal)).toString('utf8');
  }

  private path(file: string): string {
    return `proc/${this.pid}/${file}`;
  }
}

async function unlessGone(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof NinepError) || error.posix !== 'ENOENT') throw error;
  }
}
