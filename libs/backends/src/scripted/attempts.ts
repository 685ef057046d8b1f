import type { ModelRequest } from '#model';
import { marksOf } from './conversation-marks.js';

const MOST_PLACES = 1024;

/** How often each conversation has already failed at the place where it stands. */
export class Attempts {
  private readonly failed = new Map<string, number>();

  of(request: ModelRequest): number {
    return this.failed.size === 0 ? 0 : (this.failed.get(keyOf(request)) ?? 0);
  }

  count(request: ModelRequest): void {
    const key = keyOf(request);
    const times = (this.failed.get(key) ?? 0) + 1;
    this.failed.delete(key);
    this.failed.set(key, times);
    const [oldest] = this.failed.keys();
    if (this.failed.size > MOST_PLACES && oldest !== undefined) this.failed.delete(oldest);
  }
}

function keyOf({ model, messages }: ModelRequest): string {
  return JSON.stringify([model, marksOf(messages).at(-1)?.digest ?? '']);
}
