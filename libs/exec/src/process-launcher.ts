import type { SandboxReach } from '#model';
import type { RunOrder } from '#sandbox';

/** What was started, as the kernel and the sandbox see it. `pid` leads the tool's process group. */
export interface RunStart {
  readonly pid: number;
  readonly sandbox: SandboxReach;
  readonly missing: readonly string[];
}

/**
 * How a run ended. `left` processes were still there when the tool itself had ended, and were ended then.
 * `failed`: nothing ran; `code` is what a shell would say (125 set-up, 126 not executable, 127 not found).
 */
export type RunEnd =
  | { readonly type: 'exit'; readonly code: number; readonly left: number }
  | { readonly type: 'signal'; readonly signal: number; readonly left: number }
  | { readonly type: 'failed'; readonly step: string; readonly message: string; readonly code: number };

export interface RunListener {
  started(start: RunStart): void;
  /** The tool's stdout and stderr in the order in which they came. */
  output(chunk: Uint8Array): void;
}

/** One run. None of the methods throws, whatever state the run is in. */
export interface Run {
  /** Resolves once, when every process of the run is gone and all of its output was handed over. Never rejects. */
  readonly ended: Promise<RunEnd>;
  /** Sends a signal to the tool's process group. */
  signal(number: number): void;
  /** TERM to the whole tree, and KILL to what is left after the order's grace. */
  terminate(): void;
  /** KILL to the whole tree. */
  kill(): void;
}

/** Port to what turns an order into processes. */
export abstract class ProcessLauncher {
  /** `stdin` undefined = the tool reads end of file at once. Throws only for an order that cannot be encoded. */
  abstract launch(order: RunOrder, stdin: Uint8Array | undefined, listener: RunListener): Run;
  /** Lets go of what it keeps between runs, and ends those that there still are. The caller launches nothing afterwards. */
  async close(): Promise<void> {}
}
