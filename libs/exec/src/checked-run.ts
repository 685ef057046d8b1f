import { messageOf } from '#config';
import type { Run, RunEnd } from './process-launcher.js';

/** What prevents a run, as the end of one that never began; undefined: nothing does. */
export type Check = (signal: AbortSignal) => Promise<Extract<RunEnd, { type: 'failed' }> | undefined>;

/** A run that is started after a check. Who ends it meanwhile ends the check: then it is started to end at once. */
export class CheckedRun implements Run {
  readonly ended: Promise<RunEnd>;
  private readonly stopped = new AbortController();
  private started: Run | undefined;
  private last: 'terminate' | 'kill' = 'terminate';

  constructor(check: Check, start: () => Run) {
    this.ended = this.follow(check, start).catch((error: unknown) => ({
      type: 'failed',
      step: 'check',
      message: messageOf(error),
      code: 125,
    }));
  }

  signal(number: number): void {
    this.started?.signal(number);
  }

  terminate(): void {
    this.stop('terminate');
  }

  kill(): void {
    this.stop('kill');
  }

  private stop(how: 'terminate' | 'kill'): void {
    this.last = how;
    this.started?.[how]();
    this.stopped.abort();
  }

  private async follow(check: Check, start: () => Run): Promise<RunEnd> {
    const { signal } = this.stopped;
    const failure = await abortedOr(check(signal), signal);
    if (failure !== undefined) return failure;
    this.started = start();
    if (signal.aborted) this.started[this.last]();
    return this.started.ended;
  }
}

async function abortedOr<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!signal.aborted) throw error;
    return undefined;
  }
}
