import { NotFoundError } from '#model';
import { Spool } from './spool.js';
import { ToolProcess, type ProcessFacts, type ProcessHome, type StartRun } from './tool-process.js';

const SWEEP_EVERY_MS = 30_000;
const KILL_AFTER_MS = 3_000;

/** How long exited processes stay, and how many of them. */
export interface Retention {
  readonly callMs: number;
  readonly backgroundMs: number;
  readonly maxExited: number;
  /** Output of exited processes that is kept, all together. */
  readonly maxOutputBytes: number;
}

const DEFAULT_RETENTION: Retention = { callMs: 60_000, backgroundMs: 600_000, maxExited: 256, maxOutputBytes: 256 * 1024 * 1024 };

/**
 * The processes of this server under numbers of its own, rising and never used twice. Exited ones stay for a
 * while: calls shortly, background ones until some time after their agent was told.
 */
export class ProcessTable implements ProcessHome {
  private readonly processes = new Map<number, ToolProcess>();
  /** Those that have exited, in the order of their ends, with the bytes of their output. */
  private readonly exited = new Map<ToolProcess, number>();
  private exitedBytes = 0;
  /** Runs while there is something to drop. */
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;
  private onChange: () => void = () => undefined;

  /** `spoolDirectory`: where long output is kept; without it, in memory. `lastId`: the number before the first. */
  constructor(
    private readonly retention: Retention = DEFAULT_RETENTION,
    private readonly spoolDirectory?: () => string,
    private lastId = 0,
  ) {}

  /** How many run now. */
  get running(): number {
    return this.processes.size - this.exited.size;
  }

  /** Calls back whenever a process starts or ends. One listener. */
  whenChanged(listener: () => void): void {
    this.onChange = listener;
  }

  add(facts: ProcessFacts, startRun: StartRun): ToolProcess {
    const process = new ToolProcess(this.lastId + 1, facts, startRun, this);
    this.lastId = process.id;
    this.processes.set(process.id, process);
    // What starts while the server closes would outlive it.
    if (this.isClosed) process.kill('shutdown');
    this.onChange();
    void process.ended.then(() => this.onEnd(process));
    return process;
  }

  /** By number; all agents', or those of one. */
  list(agent?: string): readonly ToolProcess[] {
    const all = [...this.processes.values()];
    return agent === undefined ? all : all.filter((process) => process.facts.agent === agent);
  }

  find(id: string): ToolProcess | undefined {
    return /^[1-9]\d{0,14}$/.test(id) ? this.processes.get(Number(id)) : undefined;
  }

  /** Ends every process, by TERM and then by KILL, and resolves when all are gone. Nothing new survives it. */
  async killAll(): Promise<void> {
    this.isClosed = true;
    this.rest();
    const running = this.list().filter((process) => process.state === 'running');
    for (const process of running) process.terminate('shutdown');
    const impatient = setTimeout(() => running.forEach((process) => process.kill('shutdown')), KILL_AFTER_MS);
    await Promise.all(running.map((process) => process.ended));
    clearTimeout(impatient);
  }

  /** Drops what has been kept long enough at `nowMs`. */
  sweep(nowMs: number): void {
    for (const process of this.exited.keys()) if (this.isDue(process, nowMs)) this.drop(process);
    if (this.exited.size === 0) this.rest();
  }

  forget(process: ToolProcess): void {
    if (!this.processes.has(process.id)) throw new NotFoundError('process', String(process.id));
    this.drop(process);
  }

  spool(): Spool | undefined {
    return this.spoolDirectory && new Spool(this.spoolDirectory);
  }

  private onEnd(process: ToolProcess): void {
    const bytes = process.output.log.length;
    this.exited.set(process, bytes);
    this.exitedBytes += bytes;
    this.dropOldest();
    if (!this.isClosed) this.timer ??= setInterval(() => this.sweep(Date.now()), SWEEP_EVERY_MS).unref();
    this.onChange();
  }

  private rest(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private drop(process: ToolProcess): void {
    this.processes.delete(process.id);
    this.exitedBytes -= this.exited.get(process) ?? 0;
    this.exited.delete(process);
    process.output.close();
  }

  private isDue(process: ToolProcess, nowMs: number): boolean {
    const age = nowMs - (process.endedMs ?? nowMs);
    if (!process.facts.background) return age >= this.retention.callMs;
    return process.notified && age >= this.retention.backgroundMs;
  }

  private dropOldest(): void {
    for (const process of this.exited.keys()) {
      if (this.exited.size <= this.retention.maxExited && this.exitedBytes <= this.retention.maxOutputBytes) return;
      this.drop(process);
    }
  }
}
