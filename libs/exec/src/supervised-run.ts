import { StringDecoder } from 'node:string_decoder';
import type { Run, RunEnd, RunListener } from './process-launcher.js';
import { RunReports } from './run-reports.js';
import { signalGroup } from './signal-group.js';

const SIGQUIT = 3;
const SIGTERM = 15;
/** Credit is given back in pieces of this size: a frame for each chunk would cost more than it is worth. */
const CREDIT_BYTES = 64 * 1024;

/** The step of a run whose supervisor has ended before it read the order. Nothing of it has run. */
export const UNREAD = 'unread';

/** What a run may ask of its supervisor. */
export interface JobControl {
  signal(number: number): void;
  credit(bytes: number): void;
}

/** One job of the supervisor, seen from here. */
export class SupervisedRun implements Run {
  readonly ended: Promise<RunEnd>;
  private readonly reports: RunReports;
  private settle: (end: RunEnd) => void = () => undefined;
  private isOver = false;
  private isUnread = false;
  private readonly decoder = new StringDecoder('utf8');
  private line = '';
  private taken = 0;

  constructor(
    private readonly listener: RunListener,
    variable: string,
    private readonly job: JobControl,
  ) {
    this.reports = new RunReports(listener, variable);
    this.ended = new Promise((resolve) => (this.settle = resolve));
  }

  signal(number: number): void {
    const { group } = this.reports;
    if (group !== undefined && !this.isOver) signalGroup(group, number);
  }

  terminate(): void {
    if (!this.isOver) this.job.signal(SIGTERM);
  }

  kill(): void {
    if (!this.isOver) this.job.signal(SIGQUIT);
  }

  onReports(bytes: Buffer): void {
    const lines = (this.line + this.decoder.write(bytes)).split('\n');
    this.line = lines.pop() ?? '';
    for (const line of lines) this.reports.take(line);
  }

  onOutput(chunk: Uint8Array): void {
    this.listener.output(chunk);
    this.taken += chunk.length;
    if (this.taken < CREDIT_BYTES) return;
    this.job.credit(this.taken);
    this.taken = 0;
  }

  /** The exit code of the job's process, or the signal that killed it as a negative number. */
  onEnd(code: number): void {
    this.isOver = true;
    this.settle(this.reports.end(code < 0 ? null : code));
  }

  /** The supervisor has not read the order of this run, and never will: nothing of it has run. */
  onUnread(): void {
    this.isUnread = true;
  }

  /** Nobody watches over this run any more. */
  onLoss(): void {
    this.isOver = true;
    this.reports.killOrphans();
    const step = this.isUnread ? UNREAD : 'supervisor';
    this.settle({ type: 'failed', step, message: 'the sandbox supervisor ended, and what it ran with it; call again', code: 125 });
  }
}
