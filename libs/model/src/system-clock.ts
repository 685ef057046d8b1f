import { setTimeout as pause } from 'node:timers/promises';
import { abortable } from './abortable.js';
import { Clock } from './clock.js';

/** Real time. A sleeper does not keep the process alive by itself once its signal has aborted. */
export class SystemClock extends Clock {
  now(): number {
    return Date.now();
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    const timer = new AbortController();
    try {
      await abortable(pause(ms, undefined, { signal: timer.signal }), signal);
    } finally {
      timer.abort();
    }
  }
}
