import { BusyError, NotFoundError, type ResultTier, type SandboxReach } from '#model';
import type { ExplainedPolicy } from '#sandbox';
import { ValueCell, type WaitSource } from '#virtfs';
import { OutputBuffer } from './output-buffer.js';
import type { Run, RunEnd, RunListener, RunStart } from './process-launcher.js';
import type { Spool } from './spool.js';

const SIGKILL = 9;
/** Output is counted, not kept, beyond the log's cap; at this much the process is stopped. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Why we ended a process. `signal`: somebody killed it through `ctl`. */
export type EndCause = 'timeout' | 'cancel' | 'limit' | 'shutdown' | 'signal';

/** What is known of a process before it starts. `timeoutSeconds` undefined = it may run for ever. */
export interface ProcessFacts {
  readonly tool: string;
  readonly command: string;
  readonly agent: string;
  readonly session: string;
  readonly call: string;
  readonly cwd: string;
  readonly tier: ResultTier;
  readonly background: boolean;
  readonly timeoutSeconds: number | undefined;
  /** What holds it; undefined = nothing does. */
  readonly policy?: ExplainedPolicy | undefined;
}

/** Where a process is kept. */
export interface ProcessHome {
  /** Takes it out. */
  forget(process: ToolProcess): void;
  /** Where its output goes that is too long for memory; undefined: nowhere else. */
  spool(): Spool | undefined;
}

/** Starts the run behind a process, which listens. */
export type StartRun = (listener: RunListener) => Run;

/**
 * One tool process with all that belongs to it: a number, its output, its end. Only the first cause of an end
 * counts; a process that ended by itself has none.
 */
export class ToolProcess {
  readonly output: OutputBuffer;
  readonly startedMs: number;
  /** Resolves when the process and all that it started are gone. Never rejects. */
  readonly ended: Promise<void>;
  /** The exit code as the shell counts it: waits for it, and gives it to everybody who asks, as often as they ask. */
  readonly exit: WaitSource;
  private readonly run: Run;
  private isNotified = false;
  private readonly exitText = new ValueCell('');
  private start: RunStart | undefined;
  private end: RunEnd | undefined;
  private endMs: number | undefined;
  private endCause: EndCause | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    readonly id: number,
    readonly facts: ProcessFacts,
    startRun: StartRun,
    private readonly home: ProcessHome,
  ) {
    this.output = new OutputBuffer(home.spool());
    this.startedMs = Date.now();
    this.run = startRun({ started: (start) => (this.start = start), output: (chunk) => this.onOutput(chunk) });
    this.ended = this.run.ended.then((end) => this.onEnd(end));
    this.exit = { next: (_client, signal) => this.exitText.until((text) => text !== '', signal) };
    this.armTimeout(facts.timeoutSeconds);
  }

  get state(): 'running' | 'exited' {
    return this.end === undefined ? 'running' : 'exited';
  }

  get notified(): boolean {
    return this.isNotified;
  }

  get outcome(): RunEnd | undefined {
    return this.end;
  }

  get cause(): EndCause | undefined {
    return this.endCause;
  }

  get endedMs(): number | undefined {
    return this.endMs;
  }

  get sandbox(): SandboxReach | undefined {
    return this.start?.sandbox;
  }

  /** It runs in private namespaces: what it was not granted is not there for it. */
  get isInCell(): boolean {
    return this.start !== undefined && this.start.sandbox !== 'none' && !this.start.missing.includes('cells');
  }

  get osPid(): number | undefined {
    return this.start?.pid;
  }

  /** 128 + N for signal N; undefined while it runs. */
  get exitCode(): number | undefined {
    if (this.end === undefined) return undefined;
    return this.end.type === 'signal' ? 128 + this.end.signal : this.end.code;
  }

  /** Ends the whole tree: TERM, then KILL after the grace. Does nothing to a process that has ended. */
  terminate(cause: EndCause): void {
    if (this.end !== undefined) return;
    this.endCause ??= cause;
    this.run.terminate();
  }

  /** Ends the whole tree at once. */
  kill(cause: EndCause): void {
    if (this.end !== undefined) return;
    this.endCause ??= cause;
    this.run.kill();
  }

  /** Sends a signal to the process group. Throws NotFoundError once the process has ended. */
  signal(number: number): void {
    if (this.end !== undefined) throw new NotFoundError('process', String(this.id));
    if (number === SIGKILL) return this.kill('signal');
    this.run.signal(number);
  }

  /** The agent was told of the end. Throws BusyError while the process runs. */
  acknowledge(): void {
    this.refuseIfRunning();
    this.isNotified = true;
  }

  /** Takes an exited process out of the table. Throws BusyError while it runs. */
  dismiss(): void {
    this.refuseIfRunning();
    this.home.forget(this);
  }

  private refuseIfRunning(): void {
    if (this.end === undefined) throw new BusyError('process is busy: still running');
  }

  private onOutput(chunk: Uint8Array): void {
    this.output.append(chunk);
    if (this.output.total > MAX_OUTPUT_BYTES) this.kill('limit');
  }

  private onEnd(end: RunEnd): void {
    clearTimeout(this.timer);
    this.endMs = Date.now();
    this.end = end;
    this.exitText.set(String(this.exitCode));
  }

  private armTimeout(seconds: number | undefined): void {
    if (seconds === undefined) return;
    this.timer = setTimeout(() => this.terminate('timeout'), seconds * 1000);
    this.timer.unref();
  }
}
