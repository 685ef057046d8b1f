import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import type { RunOrder } from '#sandbox';
import type { RunEnd, RunStart } from './process-launcher.js';
import { eachReportLine } from './report-lines.js';
import { markedOrder } from './run-mark.js';
import { RunReports } from './run-reports.js';
import { signalGroup } from './signal-group.js';
import { StandardErrorPipe } from './standard-error-pipe.js';
import { streamAt } from './stream-at.js';

const ORDER_FD = 3;
const REPORT_FD = 4;

/** A command that has this process's standard streams. */
export interface PassthroughRun {
  /** Resolves when nothing of the command is alive and all it wrote has gone out. Never rejects. */
  readonly ended: Promise<RunEnd>;
  /** To the command's process group; a command that has not begun yet is ended. */
  signal(number: number): void;
}

/**
 * Runs an order with the standard streams of this process. The helper has one pipe for what a command writes, so standard
 * error takes a way of its own: a named pipe in `tmp`, which the policy must let the command write, opened by a shell that
 * then becomes the command. `tmp` undefined = both streams go to standard output.
 */
export function runPassthrough(helper: string, order: RunOrder, tmp: string | undefined): PassthroughRun {
  const pipe = tmp === undefined ? undefined : new StandardErrorPipe(tmp, process.stderr);
  const argv = pipe === undefined ? order.argv : ['sh', '-c', 'exec 2>"$1"; shift; exec "$@"', 'toolsrv', pipe.path, ...order.argv];
  const { encoded, variable } = markedOrder({ ...order, argv });
  // A terminal's signals are for the command, and come by way of us; the helper would end it.
  const child = spawn(helper, ['run'], { env: {}, cwd: '/', detached: true, stdio: ['inherit', 'inherit', 'inherit', 'pipe', 'pipe'] });
  let start: RunStart | undefined;
  const reports = new RunReports({ started: (begun) => (start = begun), output: () => undefined }, variable);
  const lines = streamAt(child.stdio, REPORT_FD);
  if (lines instanceof Readable) eachReportLine(lines, (line) => reports.take(line));
  writeOrder(child, encoded);
  const signal = (number: number): void => {
    if (start !== undefined) signalGroup(start.pid, number);
    else child.kill('SIGTERM');
  };
  return { ended: endOf(child, reports, pipe), signal };
}

async function endOf(child: ChildProcess, reports: RunReports, pipe: StandardErrorPipe | undefined): Promise<RunEnd> {
  try {
    await once(child, 'close');
    return reports.end(child.exitCode);
  } catch (error) {
    return { type: 'failed', step: 'helper', message: String(error), code: 125 };
  } finally {
    await pipe?.close();
  }
}

/** A helper that refuses early closes its end. */
function writeOrder(child: ChildProcess, encoded: Uint8Array): void {
  const stream = streamAt(child.stdio, ORDER_FD);
  if (!(stream instanceof Writable)) return;
  stream.on('error', () => stream.destroy());
  stream.end(encoded);
}
