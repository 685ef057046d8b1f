import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import type { Run, RunListener } from './process-launcher.js';
import type { MarkedOrder } from './run-mark.js';
import { SupervisedRun } from './supervised-run.js';
import { FrameReader, numberFrame, spawnFrame, type Frame } from './supervisor-frames.js';

const CONTROL_FD = 3;

/**
 * One `ollie-sandbox serve` process, which starts jobs at the price of a fork and watches over them. When it dies
 * its jobs die with it. It keeps this process alive only while it has jobs, and until it is ready.
 */
export class Supervisor {
  /** True once it has said that it is ready; false again when it has gone. */
  readonly ready: Promise<boolean>;
  readonly gone: Promise<void>;
  private readonly jobs = new Map<number, SupervisedRun>();
  private readonly control: Socket;
  private isReadyNow = false;
  private lastId = 0;

  private constructor(private readonly child: ChildProcess) {
    const control = child.stdio[CONTROL_FD];
    if (!(control instanceof Socket)) throw new TypeError('descriptor 3 of a child is no socket');
    this.control = control;
    let greet: (isReady: boolean) => void = () => undefined;
    this.ready = new Promise((resolve) => (greet = resolve));
    const onFrame = (frame: Frame): void => (frame.type === 'H' ? greet(this.greeted()) : this.onFrame(frame));
    const reader = new FrameReader(onFrame);
    control.on('data', (chunk: Buffer) => reader.push(chunk));
    control.on('error', () => undefined); // its end is what counts
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

  static start(helper: string): Supervisor {
    return new Supervisor(spawn(helper, ['serve'], { env: {}, cwd: '/', stdio: ['ignore', 'ignore', 'ignore', 'pipe'] }));
  }

  /** Whether jobs can be started now. */
  get isReady(): boolean {
    return this.isReadyNow;
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
    this.send(spawnFrame(id, stdin, encoded));
    return run;
  }

  /** Ends it and every job that it still has. */
  async close(): Promise<void> {
    this.isReadyNow = false;
    this.child.ref();
    this.control.destroy();
    await this.gone;
  }

  private greeted(): true {
    this.hold();
    return (this.isReadyNow = true);
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
  }

  private lose(): void {
    this.isReadyNow = false;
    const lost = [...this.jobs.values()];
    this.jobs.clear();
    for (const run of lost) run.onLoss();
  }

  private send(frame: Buffer): void {
    if (this.control.writable) this.control.write(frame);
  }

  private hold(): void {
    const how = this.jobs.size > 0 ? 'ref' : 'unref';
    this.control[how]();
    this.child[how]();
  }
}
