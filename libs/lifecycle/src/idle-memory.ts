import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const IDLE_MS = 5_000;
const WORTH_BYTES = 8 * 2 ** 20;

/** What the heap of this process is asked and told. */
export interface Heap {
  /** Bytes of memory that it has taken from the system. */
  size(): number;
  /** Collects everything and returns what is free to the system; the process stands still meanwhile, for some 50 ms. */
  collect(): void;
}

interface Collection {
  readonly startTime: number;
  readonly detail?: { readonly kind?: number };
}

/**
 * Returns memory to the system after work. Where work is done, young objects are collected now and then: when that has not
 * been for 5 s, and the heap is 8 MiB larger than the last time, all of it is collected, once. Nothing wakes an idle process.
 */
export class IdleMemory {
  private readonly observer: PerformanceObserver;
  private timer: NodeJS.Timeout | undefined;
  private lastWork = 0;
  private settled = 0;

  constructor(
    private readonly heap: Heap = ownHeap,
    private readonly idleMs = IDLE_MS,
  ) {
    this.observer = new PerformanceObserver((list) => this.sawCollections(list.getEntries()));
    this.observer.observe({ entryTypes: ['gc'] });
  }

  close(): void {
    this.observer.disconnect();
    clearTimeout(this.timer);
  }

  /** What else is collected is no sign of work: the engine does so later, and we do. */
  private sawCollections(entries: readonly Collection[]): void {
    const young = entries.filter(({ detail }) => detail?.kind === constants.NODE_PERFORMANCE_GC_MINOR);
    if (young.length === 0) return;
    this.lastWork = Math.max(...young.map(({ startTime }) => startTime));
    if (this.timer === undefined) this.wait(this.idleMs);
  }

  private wait(ms: number): void {
    this.timer = setTimeout(() => this.look(), ms).unref();
  }

  private look(): void {
    this.timer = undefined;
    const rest = this.lastWork + this.idleMs - performance.now();
    if (rest > 0) this.wait(Math.ceil(rest));
    else if (this.heap.size() > this.settled + WORTH_BYTES) this.collect();
  }

  private collect(): void {
    this.heap.collect();
    this.settled = this.heap.size();
  }
}

const ownHeap: Heap = {
  size: () => getHeapStatistics().total_physical_size,
  collect: () => {
    setFlagsFromString('--expose-gc');
    const collect: unknown = runInNewContext('gc');
    setFlagsFromString('--no-expose-gc'); // what is compiled is kept, and found again, for the flags of the start only
    if (typeof collect === 'function') Reflect.apply(collect, undefined, [{ type: 'major', execution: 'sync', flavor: 'last-resort' }]);
  },
};

/** Does so for this process, to its end. */
export function returnMemoryWhenIdle(): void {
  void new IdleMemory();
}
