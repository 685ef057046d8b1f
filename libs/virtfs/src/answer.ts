import { ByteLog } from './byte-log.js';

/**
 * The bytes of one answer. A streamed answer is pulled only as far as it is read; what was pulled is
 * kept, so any earlier offset can be read again. Its failure is thrown at each read that gets that far.
 */
export class Answer {
  private readonly content = new ByteLog();
  private source: AsyncIterator<string> | undefined;
  private pulling: Promise<void> | undefined;
  private isClosed = false;

  constructor(answer: string | AsyncIterable<string>) {
    if (typeof answer === 'string') this.content.append(answer);
    else this.source = answer[Symbol.asyncIterator]();
  }

  /** Empty at the end of the answer. Overlapping reads share one pull. */
  async read(offset: number, count: number): Promise<Uint8Array> {
    while (offset >= this.content.length && this.source) await this.pull();
    return this.content.slice(offset, count);
  }

  /** Pulls everything, for an answer that nobody reads. */
  async drain(): Promise<void> {
    while (this.source) await this.pull();
  }

  /** Lets go of the stream: at once when it is between two pieces, else when the piece being made is there. */
  async close(): Promise<void> {
    this.isClosed = true;
    if (!this.pulling) await this.release();
  }

  private pull(): Promise<void> {
    // A pull that failed is kept: the failure is the end of this answer.
    this.pulling ??= this.take();
    return this.pulling;
  }

  private async take(): Promise<void> {
    const step = await this.source?.next();
    if (!step || step.done === true) this.source = undefined;
    else this.content.append(step.value);
    if (this.isClosed) await this.release();
    this.pulling = undefined;
  }

  private async release(): Promise<void> {
    const { source } = this;
    this.source = undefined;
    await source?.return?.();
  }
}
