import { parseHelperReport, type HelperReport } from '#sandbox';
import { killOrphans } from './orphans.js';
import type { RunEnd, RunListener } from './process-launcher.js';

const SETUP_FAILED = 125;

/** What the helper reports of one run: passes its start on, remembers the tool's process group, and tells what kind of end it was. */
export class RunReports {
  private last: HelperReport | undefined;
  private leader: number | undefined;

  /** `variable`: `NAME=value` that tells the processes of this run from all others. */
  constructor(
    private readonly listener: RunListener,
    private readonly variable: string,
  ) {}

  /** The tool's process group; undefined before its start. */
  get group(): number | undefined {
    return this.leader;
  }

  /** The run has ended by itself, with a report of how. */
  get isComplete(): boolean {
    return this.last?.type === 'exit' || this.last?.type === 'signal';
  }

  take(line: string): void {
    const report = parseHelperReport(line);
    if (report.type !== 'started') {
      this.last = report;
      return;
    }
    this.leader = report.pid;
    this.listener.started({ pid: report.pid, sandbox: report.sandbox, missing: report.missing });
  }

  /** `code` is the exit code of what watched over the run; null when it was killed itself. */
  end(code: number | null): RunEnd {
    const report = this.last;
    if (report?.type === 'failed') return { ...report, code: code ?? SETUP_FAILED };
    if (report?.type === 'exit' || report?.type === 'signal') return { ...report, left: report.left ?? 0 };
    // Its death signal has reached the tool, the rest may live on.
    this.killOrphans();
    return { type: 'signal', signal: 9, left: 0 };
  }

  /** Ends what a run has left behind that nobody watches over any more. */
  killOrphans(): void {
    killOrphans({ variable: this.variable, group: this.leader });
  }
}
