import { spawn, type ChildProcess } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import type { RunOrder } from '#sandbox';
import { ProcessLauncher, type Run, type RunEnd, type RunListener } from './process-launcher.js';
import { eachReportLine } from './report-lines.js';
import { type MarkedOrder, markedOrder } from './run-mark.js';
import { RunReports } from './run-reports.js';
import { signalGroup } from './signal-group.js';
import { streamAt } from './stream-at.js';

const ORDER_FD = 3;
const REPORT_FD = 4;

/**
 * Runs each order through the native helper, one helper a run. The helper stays as the parent of all that it
 * starts and ends when the last of it is gone, so its end is the run's end. It must never be killed itself:
 * it is told to kill. When somebody kills it all the same, what it leaves is looked up and killed from here.
 */
export class HelperLauncher extends ProcessLauncher {
  constructor(private readonly helper: string | undefined) {
    super();
  }

  launch(order: RunOrder, stdin: Uint8Array | undefined, listener: RunListener): Run {
    const marked = markedOrder(order);
    if (this.helper === undefined) return notStarted('the sandbox helper is not built: npm run setup');
    const child = spawn(this.helper, ['run'], {
      env: {},
      cwd: '/',
      stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'ignore', 'pipe', 'pipe'],
    });
    return new HelperRun(child, listener, marked, stdin);
  }
}

class HelperRun implements Run {
  readonly ended: Promise<RunEnd>;
  private readonly reports: RunReports;

  constructor(
    private readonly child: ChildProcess,
    listener: RunListener,
    { encoded, variable }: MarkedOrder,
    stdin: Uint8Array | undefined,
  ) {
    this.reports = new RunReports(listener, variable);
    child.stdout?.on('data', (chunk: Uint8Array) => listener.output(chunk));
    const lines = streamAt(child.stdio, REPORT_FD);
    this.ended = new Promise((resolve) => {
      if (lines instanceof Readable)
        eachReportLine(lines, (line) => {
          this.reports.take(line);
          // The helper has closed the output before; what is left of its life is its own affair.
          if (this.reports.isComplete) whenEnded(child.stdout, () => resolve(this.reports.end(null)));
        });
      // 'close' comes after all output and every report. A helper that never started has left nothing to look for.
      const end = (code: number | null): void => resolve(this.reports.end(code));
      child.once('close', end);
      child.once('error', (error) => {
        if (child.pid === undefined) child.off('close', end);
        resolve({ type: 'failed', step: 'helper', message: error.message, code: 125 });
      });
    });
    feed(streamAt(child.stdio, ORDER_FD), encoded);
    if (stdin !== undefined) feed(child.stdin, stdin);
  }

  signal(number: number): void {
    const { group } = this.reports;
    if (group !== undefined && this.child.exitCode === null && this.child.signalCode === null) signalGroup(group, number);
  }

  terminate(): void {
    this.child.kill('SIGTERM');
  }

  kill(): void {
    this.child.kill('SIGQUIT');
  }
}

function whenEnded(stream: Readable | null, listener: () => void): void {
  if (stream === null || stream.readableEnded) listener();
  else stream.once('end', listener);
}

/** Bytes for a reader that may go away before it has read them. */
function feed(stream: unknown, bytes: Uint8Array): void {
  if (!(stream instanceof Writable)) return;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') throw error;
  });
  stream.end(bytes);
}

function notStarted(message: string): Run {
  const ignore = (): void => undefined;
  return {
    ended: Promise.resolve({ type: 'failed', step: 'helper', message, code: 125 }),
    signal: ignore,
    terminate: ignore,
    kill: ignore,
  };
}
