import { InterruptedFileError } from './errors.js';

/** Those who wait for the next event. One `wake` reaches all who wait at that moment; an abort takes its waiter out. */
export class Waiters<T> {
  private readonly waiting = new Set<(value: T) => void>();

  /** Rejects with InterruptedFileError when `signal` aborts first. */
  wait(signal: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const interrupt = () => {
        this.waiting.delete(wake);
        reject(new InterruptedFileError());
      };
      const wake = (value: T) => {
        signal.removeEventListener('abort', interrupt);
        resolve(value);
      };
      if (signal.aborted) return interrupt();
      signal.addEventListener('abort', interrupt, { once: true });
      this.waiting.add(wake);
    });
  }

  wake(value: T): void {
    const woken = [...this.waiting];
    this.waiting.clear();
    for (const wake of woken) wake(value);
  }
}
