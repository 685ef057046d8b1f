export type LockMode = 'read' | 'write';

/** Gives a lock back; more than once is the same as once. */
export type Release = () => void;

interface Waiter {
  readonly mode: LockMode;
  enter(): void;
}

/** Readers share it, a writer has it alone. First come, first served: who comes later passes nobody who waits. */
export class ReadWriteLock {
  private readers = 0;
  private hasWriter = false;
  private readonly waiting = new Set<Waiter>();

  /** `whenUnused`: called whenever nobody has it or waits for it any more. */
  constructor(private readonly whenUnused: () => void = () => undefined) {}

  /** Resolves when its turn has come. An abort of the signal that comes before ends the waiting, and rejects with its reason. */
  async take(mode: LockMode, signal: AbortSignal): Promise<Release> {
    if (this.waiting.size > 0 || !this.isFreeFor(mode)) await this.turn(mode, signal);
    else this.enter(mode);
    let isHeld = true;
    return () => {
      if (isHeld) this.leave(mode);
      isHeld = false;
    };
  }

  private turn(mode: LockMode, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        mode,
        enter: () => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      const giveUp = (): void => {
        this.waiting.delete(waiter);
        this.admit();
        reject(signal.reason);
      };
      this.waiting.add(waiter);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  private isFreeFor(mode: LockMode): boolean {
    return !this.hasWriter && (mode === 'read' || this.readers === 0);
  }

  private enter(mode: LockMode): void {
    if (mode === 'read') this.readers += 1;
    else this.hasWriter = true;
  }

  private leave(mode: LockMode): void {
    if (mode === 'read') this.readers -= 1;
    else this.hasWriter = false;
    this.admit();
    if (this.readers === 0 && !this.hasWriter) this.whenUnused();
  }

  /** Lets in the first who waits, and those behind it that may be there at the same time. */
  private admit(): void {
    for (const waiter of this.waiting) {
      if (!this.isFreeFor(waiter.mode)) return;
      this.waiting.delete(waiter);
      this.enter(waiter.mode);
      waiter.enter();
    }
  }
}
