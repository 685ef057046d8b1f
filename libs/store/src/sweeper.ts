import type { Log } from '#config';
import type { Retention } from './retention.js';
import { sweep } from './sweep.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Sweeps a store at once and then every day, until `stop`. It keeps no process alive. */
export class Sweeper {
  private readonly timer: NodeJS.Timeout;
  private running: Promise<void>;

  constructor(data: string, retention: Retention, log: Log) {
    this.running = sweep(data, retention, log);
    this.timer = setInterval(() => {
      this.running = this.running.then(() => sweep(data, retention, log));
    }, DAY_MS).unref();
  }

  /** Resolves when nothing is being removed. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }
}
