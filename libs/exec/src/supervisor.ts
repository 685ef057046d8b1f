import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { errnoOf } from '#config';
import type { Run, RunListener } from './process-launcher.js';
import type { MarkedOrder } from './run-mark.js';
import { streamAt } from './stream-at.js';
import { SupervisedRun } from './supervised-run.js';
import { FrameReader, numberFrame, spawnFrame, viewFrame, type Frame } from './supervisor-frames.js';

const CONTROL_FD = 3;

/**
 * One `ollie-sandbox serve` process, or `cell`, which starts jobs at the price of a fork and watches over them. When it dies
 * its jobs die with it. It keeps this process alive only while it has jobs, and until it is ready.
 */
export class Supervisor {
  /** True once it has said that it is ready; false again when it has gone. */
  readonly ready: Promise<boolean>;
  readonly gone: Promise<void>;
  private readonly jobs = new Map<number, SupervisedRun>();
  /** undefined: its process could not be started. */
  private readonly control: Socket | undefined;
  private isReadyNow = false;
  private lastId = 0;
  /** The run whose order is the last that was sent. */
  private newest: SupervisedRun | undefined;
  private isRetired = false;
  private hasEnded = false;

  private constructor(private readonly child: ChildProcess) {
    const control = streamAt(child.stdio, CONTROL_FD);
    this.control = control instanceof Socket ? control : undefined;
    let greet: (isReady: boolean) => void = () => undefined;
    this.ready = new Promise((resolve) => (greet = resolve));
    const onFrame = (frame: Frame): void => (frame.type === 'H' ? greet(this.greeted()) : this.onFrame(frame));
    const reader = new FrameReader(onFrame);
    this.control?.on('data', (chunk: Buffer) => reader.push(chunk));
    // Its end is what counts, and whether the last that it was sent was still unread then.
    this.control?.on('error', (error) => errnoOf(error) === 'ECONNRESET' && this.newest?.onUnread());
    this.gone = new Promise((resolve) => {
      const end = (): void => {
        greet(false);
        this.lose();
        resolve();
      };
      child.once('error', end);
      child.once('close', end);
    });
  }

  /** `cell`: the order of the cell in which all of its jobs run (`encodeCellOrder`). */
  static start(helper: string, cell?: Uint8Array): Supervisor {
    const mode = cell === undefined ? 'serve' : 'cell';
    const supervisor = new Supervisor(spawn(helper, [mode], { env: {}, cwd: '/', stdio: ['ignore', 'ignore', 'ignore', 'pipe'] }));
    if (cell !== undefined) supervisor.send(viewFrame(cell));
    return supervisor;
  }

  /** Whether jobs can be started now. */
  get isReady(): boolean {
    return this.isReadyNow;
  }

  /** Whether its process has ended. */
  get isGone(): boolean {
    return this.hasEnded;
  }

  /** Its process; undefined when it could not be started. */
  get pid(): number | undefined {
    return this.child.pid;
  }

  launch({ encoded, variable }: MarkedOrder, stdin: Uint8Array | undefined, listener: RunListener): Run {
    const id = ++this.lastId;
    const run = new SupervisedRun(listener, variable, {
      signal: (number) => this.send(numberFrame('K', id, number)),
      credit: (bytes) => this.send(numberFrame('C', id, bytes)),
    });
    this.jobs.set(id, run);
    this.hold();
    this.send(spawnFrame(id, stdin, encoded), () => run.onUnread());
    this.newest = run;
    return run;
  }

  /** Ends it and every job that it still has. */
  async close(): Promise<void> {
    this.isReadyNow = false;
    this.child.ref();
    this.control?.destroy();
    await this.gone;
  }

  /** Takes no more jobs, and ends with the last that it has. */
  retire(): void {
    this.isReadyNow = false;
    this.isRetired = true;
    this.endIfDone();
  }

  private endIfDone(): void {
    if (this.isRetired && this.jobs.size === 0) this.control?.destroy();
  }

  private greeted(): true {
    this.hold();
    this.isReadyNow = !this.isRetired;
    return true;
  }

  private onFrame({ type, id, payload }: Frame): void {
    const run = this.jobs.get(id);
    if (type === 'R') run?.onReports(payload);
    else if (type === 'O') run?.onOutput(payload);
    else if (type === 'X') this.finish(id, payload.readInt32LE(0));
  }

  private finish(id: number, code: number): void {
    const run = this.jobs.get(id);
    this.jobs.delete(id);
    this.hold();
    run?.onEnd(code);
    this.endIfDone();
  }

  private lose(): void {
    this.isReadyNow = false;
    this.hasEnded = true;
    const lost = [...this.jobs.values()];
    this.jobs.clear();
    for (const run of lost) run.onLoss();
  }

  /** `unread`: called when it is sure that nobody will read it. */
  private send(frame: Buffer, unread: () => void = () => undefined): void {
    this.newest = undefined;
    if (this.control?.writable === true) this.control.write(frame, (error) => error && unread());
    else unread();
  }

  private hold(): void {
    const how = this.jobs.size > 0 ? 'ref' : 'unref';
    this.control?.[how]();
    this.child[how]();
  }
}
