import { setTimeout as pause } from 'node:timers/promises';
import { abortable } from './abortable.js';
import { Clock } from './clock.js';

/** Real time. A sleeper whose signal has aborted does not keep the process alive, and none does where `keepsAlive` is false. */
export class SystemClock extends Clock {
  constructor(private readonly keepsAlive = true) {
    super();
  }

  now(): number {
    return Date.now();
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    const timer = new AbortController();
    try {
      await abortable(pause(ms, undefined, { signal: timer.signal, ref: this.keepsAlive }), signal);
    } finally {
      timer.abort();
    }
  }
}
