import { setTimeout as pause } from 'node:timers/promises';
import { abortable, Clock } from '#model';

/** Real time. A sleeper keeps no process alive. */
export class ServerClock extends Clock {
  now(): number {
    return Date.now();
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    const timer = new AbortController();
    try {
      await abortable(pause(ms, undefined, { signal: timer.signal, ref: false }), signal);
    } finally {
      timer.abort();
    }
  }
}
