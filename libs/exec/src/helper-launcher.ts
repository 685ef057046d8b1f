import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { errnoOf } from '#config';
import { encodeRunOrder, parseHelperReport, type HelperReport, type RunOrder } from '#sandbox';
import { killOrphans } from './orphans.js';
import { ProcessLauncher, type Run, type RunEnd, type RunListener } from './process-launcher.js';
import { eachReportLine } from './report-lines.js';

const ORDER_FD = 3;
const REPORT_FD = 4;
/** Tells the processes of one run from all others. */
const RUN_VARIABLE = 'OLLIE_RUN';

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
    const run = randomUUID();
    const encoded = encodeRunOrder({ ...order, env: { ...order.env, [RUN_VARIABLE]: run } });
    if (this.helper === undefined) return notStarted('the sandbox helper is not built: npm run setup');
    const child = spawn(this.helper, ['run'], {
      env: {},
      cwd: '/',
      stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'ignore', 'pipe', 'pipe'],
    });
    return new HelperRun(child, listener, { encoded, stdin, variable: `${RUN_VARIABLE}=${run}` });
  }
}

class HelperRun implements Run {
  readonly ended: Promise<RunEnd>;
  private last: HelperReport | undefined;
  private group: number | undefined;

  constructor(
    private readonly child: ChildProcess,
    private readonly listener: RunListener,
    private readonly input: { readonly encoded: Uint8Array; readonly stdin: Uint8Array | undefined; readonly variable: string },
  ) {
    child.stdout?.on('data', (chunk: Uint8Array) => listener.output(chunk));
    const reports = child.stdio[REPORT_FD];
    if (reports instanceof Readable) eachReportLine(reports, (line) => this.onReport(parseHelperReport(line)));
    this.ended = new Promise((resolve) => {
      // 'close' comes after all output and every report; after 'error' of a helper that never started it need not come.
      child.once('error', (error) => resolve({ type: 'failed', step: 'helper', message: error.message, code: 125 }));
      child.once('close', (code) => resolve(this.endOf(code)));
    });
    feed(child.stdio[ORDER_FD], input.encoded);
    if (input.stdin !== undefined) feed(child.stdin, input.stdin);
  }

  signal(number: number): void {
    if (this.group !== undefined && this.child.exitCode === null && this.child.signalCode === null) signalGroup(this.group, number);
  }

  terminate(): void {
    this.child.kill('SIGTERM');
  }

  kill(): void {
    this.child.kill('SIGQUIT');
  }

  private onReport(report: HelperReport): void {
    if (report.type !== 'started') {
      this.last = report;
      return;
    }
    this.group = report.pid;
    this.listener.started({ pid: report.pid, sandbox: report.sandbox, missing: report.missing });
  }

  private endOf(code: number | null): RunEnd {
    const report = this.last;
    if (report?.type === 'failed') return { ...report, code: code ?? 125 };
    if (report?.type === 'exit' || report?.type === 'signal') return { ...report, left: report.left ?? 0 };
    // Somebody killed the helper itself: its death signal has reached the tool, the rest may live on.
    killOrphans({ variable: this.input.variable, group: this.group });
    return { type: 'signal', signal: 9, left: 0 };
  }
}

/** Bytes for a reader that may go away before it has read them. */
function feed(stream: unknown, bytes: Uint8Array): void {
  if (!(stream instanceof Writable)) return;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') throw error;
  });
  stream.end(bytes);
}

function signalGroup(group: number, number: number): void {
  try {
    process.kill(-group, number);
  } catch (error) {
    if (errnoOf(error) !== 'ESRCH') throw error;
  }
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
