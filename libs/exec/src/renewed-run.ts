import type { Run, RunEnd } from './process-launcher.js';
import { UNREAD } from './supervised-run.js';

/** The step of a run that a cell has refused because granted paths lead elsewhere now. Nothing of it has run. */
const STALE = 'stale';

/** A run that is started once more, elsewhere, when its cell turns out not to show what is there any more, or its supervisor to have ended. */
export class RenewedRun implements Run {
  readonly ended: Promise<RunEnd>;
  private current: Run;
  private last: 'terminate' | 'kill' | undefined;

  constructor(first: Run, again: () => Run) {
    this.current = first;
    this.ended = first.ended.then((end) => (hasNotBegun(end) ? this.renew(again()) : end));
  }

  signal(number: number): void {
    this.current.signal(number);
  }

  terminate(): void {
    this.last ??= 'terminate';
    this.current.terminate();
  }

  kill(): void {
    this.last = 'kill';
    this.current.kill();
  }

  private renew(second: Run): Promise<RunEnd> {
    this.current = second;
    if (this.last !== undefined) second[this.last]();
    return second.ended;
  }
}

function hasNotBegun(end: RunEnd): boolean {
  return end.type === 'failed' && [STALE, UNREAD].includes(end.step);
}
