import type { RunOrder } from '#sandbox';
import { CheckedRun } from './checked-run.js';
import { ForeignMounts } from './foreign-mounts.js';
import { HelperLauncher } from './helper-launcher.js';
import { ProcessLauncher, type Run, type RunListener } from './process-launcher.js';
import { markedInnerOrder, markedOrder } from './run-mark.js';
import { Cells } from './cells.js';
import { silenceOf } from './silent-mounts.js';
import { RenewedRun } from './renewed-run.js';
import { Supervisor } from './supervisor.js';
import { fitsFrame } from './supervisor-frames.js';

/** A supervisor that ends is replaced at the next call, but not more often than this. */
const RESTART_MS = 1000;

/**
 * Runs orders through supervisors, which are started with the first order that needs them: one for each cell, and one for
 * what runs in none. A run whose supervisor ends before it has read the order is started once more. While there is none that is ready, each run has a helper of its own: slower, and no worse otherwise. So has each
 * that gets a door, which is opened before any wall, and each whose input is too long for a frame.
 */
export class SupervisorLauncher extends ProcessLauncher {
  private readonly single: HelperLauncher;
  private readonly cells: Cells | undefined;
  private supervisor: Supervisor | undefined;
  private startedMs = -Infinity;
  private isClosed = false;

  constructor(private readonly helper: string | undefined) {
    super();
    this.single = new HelperLauncher(helper);
    this.cells = helper === undefined ? undefined : new Cells(helper);
  }

  launch(order: RunOrder, stdin: Uint8Array | undefined, listener: RunListener): Run {
    if (order.door !== undefined) return this.single.launch(order, stdin, listener);
    if (order.cell && order.policy !== undefined && !this.isClosed) return this.launchInCell(order, stdin, listener);
    this.prepare();
    const again = (): Run => this.single.launch(order, stdin, listener);
    const { supervisor } = this;
    if (!supervisor?.isReady) return again();
    const marked = markedOrder(order);
    return fitsFrame(stdin, marked.encoded) ? new RenewedRun(supervisor.launch(marked, stdin, listener), again) : again();
  }

  private launchInCell(order: RunOrder, stdin: Uint8Array | undefined, listener: RunListener): Run {
    const again = (): Run => this.launchAlone(order, stdin, listener);
    const { cells } = this;
    const cell = cells?.for(order);
    if (cells === undefined || cell?.isReady !== true) return again();
    const marked = markedInnerOrder(order);
    if (!fitsFrame(stdin, marked.encoded)) return again();
    return new RenewedRun(cell.launch(marked, stdin, listener), () => {
      cells.retire(cell);
      return again();
    });
  }

  /** A helper that makes a cell for itself is held by what does not answer, for as long as the call may take: it is refused instead. */
  private launchAlone(order: RunOrder, stdin: Uint8Array | undefined, listener: RunListener): Run {
    const start = (): Run => this.single.launch(order, stdin, listener);
    const mounts = ForeignMounts.all();
    const needed = mounts.isEmpty ? [] : onePathEach(mounts, [order.cwd, ...(order.policy?.grants ?? []).map(({ path }) => path)]);
    if (needed.length === 0) return start();
    return new CheckedRun(async (signal) => {
      for (const path of needed) {
        const who = path === order.cwd ? 'the call is to run in' : 'the policy grants';
        const message = await silenceOf([path], mounts, { signal, who });
        if (message !== undefined) return { type: 'failed', step: 'silent', message, code: 125 };
      }
      return undefined;
    }, start);
  }

  /** True once runs like this one are started by a supervisor; false when it cannot be started. */
  async whenReady(order?: RunOrder): Promise<boolean> {
    if (order?.cell === true) return (await this.cells?.for(order).ready) ?? false;
    this.prepare();
    return (await this.supervisor?.ready) ?? false;
  }

  /** The supervisor's process, if there is one. */
  get pid(): number | undefined {
    return this.supervisor?.pid;
  }

  /** Ends the supervisor and whatever it still runs. No other is started. */
  override async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([this.supervisor?.close(), this.cells?.close()]);
  }

  private prepare(): void {
    const { helper } = this;
    if (this.supervisor || helper === undefined || this.isClosed || performance.now() < this.startedMs + RESTART_MS) return;
    this.startedMs = performance.now();
    const supervisor = Supervisor.start(helper);
    this.supervisor = supervisor;
    void supervisor.gone.then(() => {
      if (this.supervisor === supervisor) this.supervisor = undefined;
    });
  }
}

/** Of the paths behind each mount the first. */
function onePathEach(mounts: ForeignMounts, paths: readonly string[]): readonly string[] {
  const first = new Map<string, string>();
  for (const path of paths) {
    const mount = mounts.firstOnTheWayTo(path);
    if (mount !== undefined && !first.has(mount)) first.set(mount, path);
  }
  return [...first.values()];
}
