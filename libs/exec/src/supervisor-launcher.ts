import type { RunOrder } from '#sandbox';
import { HelperLauncher } from './helper-launcher.js';
import { ProcessLauncher, type Run, type RunListener } from './process-launcher.js';
import { markedOrder } from './run-mark.js';
import { Supervisor } from './supervisor.js';

/** A supervisor that ends is replaced at the next call, but not more often than this. */
const RESTART_MS = 1000;

/**
 * Runs orders through one supervisor, which is started with the first of them. While there is none that is ready,
 * each run has a helper of its own: slower, and no worse otherwise.
 */
export class SupervisorLauncher extends ProcessLauncher {
  private readonly single: HelperLauncher;
  private supervisor: Supervisor | undefined;
  private startedMs = -Infinity;
  private isClosed = false;

  constructor(private readonly helper: string | undefined) {
    super();
    this.single = new HelperLauncher(helper);
  }

  launch(order: RunOrder, stdin: Uint8Array | undefined, listener: RunListener): Run {
    this.prepare();
    const { supervisor } = this;
    if (!supervisor?.isReady) return this.single.launch(order, stdin, listener);
    return supervisor.launch(markedOrder(order), stdin, listener);
  }

  /** True once runs are started by a supervisor; false when it cannot be started. */
  async whenReady(): Promise<boolean> {
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
    await this.supervisor?.close();
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
