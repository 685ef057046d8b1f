import { type BackgroundProcess, NotFoundError, OllieError, type ProcessEnd, type ProcessOrder } from '#model';
import type { ProcessOutputs } from '#store';
import { type EndedProcess, outputLength } from './ended-process.js';
import { partnerError } from './partner-error.js';

/** What serves the output of processes, and hears that one is to be forgotten. */
export interface EndedHome {
  readonly outputs: ProcessOutputs;
  forgotten(pid: number): void;
}

/** A process that has ended and whose output is kept. The tool server that ran it need not be there any more. */
export class KeptBackgroundProcess implements BackgroundProcess {
  /** `origin`: who still has it too. */
  constructor(
    private readonly ended: EndedProcess,
    private readonly home: EndedHome,
    private readonly origin?: BackgroundProcess,
  ) {}

  get pid(): number {
    return this.ended.pid;
  }

  whenEnded(signal: AbortSignal): Promise<ProcessEnd> {
    return this.origin?.whenEnded(signal) ?? Promise.reject(this.unknown());
  }

  async acknowledge(signal: AbortSignal): Promise<void> {
    await this.origin?.acknowledge(signal);
  }

  async kill(): Promise<void> {
    // Nothing happens to one that has ended.
  }

  async order(order: ProcessOrder, signal: AbortSignal): Promise<void> {
    if (order !== 'dismiss') throw this.unknown();
    this.home.forgotten(this.pid);
    await this.dismissOrigin(signal);
  }

  async output(range: { readonly offset: number; readonly count: number }): Promise<Uint8Array> {
    const { output } = this.ended;
    const { offset, count } = range;
    if (typeof output !== 'number') return output.subarray(offset, offset + count);
    try {
      return await this.home.outputs.slice(this.pid, range);
    } catch (error) {
      throw partnerError(error);
    }
  }

  async outputLength(): Promise<number> {
    return outputLength(this.ended);
  }

  async stat(): Promise<string> {
    return this.ended.stat;
  }

  /** A tool server that has forgotten it, or is gone, has nothing to forget. */
  private async dismissOrigin(signal: AbortSignal): Promise<void> {
    try {
      await this.origin?.order('dismiss', signal);
    } catch (error) {
      if (!(error instanceof OllieError)) throw error;
    }
  }

  private unknown(): NotFoundError {
    return new NotFoundError('process', String(this.pid));
  }
}
