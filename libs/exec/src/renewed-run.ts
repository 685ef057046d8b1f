import type { Run, RunEnd } from './process-launcher.js';

/** The step of a run that a cell has refused because granted paths lead elsewhere now. Nothing of it has run. */
const STALE = 'stale';

/** A run in a cell that is started once more, elsewhere, when the cell turns out not to show what is there any more. */
export class RenewedRun implements Run {
  readonly ended: Promise<RunEnd>;
  private current: Run;
  private last: 'terminate' | 'kill' | undefined;

  constructor(first: Run, again: () => Run) {
    this.current = first;
    this.ended = first.ended.then((end) => (isStale(end) ? this.renew(again()) : end));
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

function isStale(end: RunEnd): boolean {
  return end.type === 'failed' && end.step === STALE;
}
