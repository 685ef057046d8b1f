import type { BackgroundProcess, ProcessOrder } from '#model';
import { NotFoundError } from '#model';

const MAX_KEPT = 256;

/** By number, oldest first. */
type Kept = ReadonlyMap<string, BackgroundProcess>;

/** Most agents never start one. */
const NONE: Kept = new Map();

/** The processes that an agent has started in the background, by number, and calls whose output was followed; of many the newest 256. */
export class AgentProcesses {
  private madeStarted: Kept | undefined;
  private followed: Kept = NONE;

  /** `earlier`: those that were there before this process of the program, oldest first. */
  constructor(private readonly earlier: () => readonly BackgroundProcess[] = () => []) {}

  private get started(): Kept {
    if (this.madeStarted) return this.madeStarted;
    const earlier = this.earlier();
    return (this.madeStarted = earlier.length === 0 ? NONE : new Map(earlier.map((process) => [String(process.pid), process])));
  }

  private set started(next: Kept) {
    this.madeStarted = next;
  }

  add(process: BackgroundProcess): void {
    this.started = keep(this.started, process);
  }

  /** From now on this one stands for the process of its number. */
  replace(process: BackgroundProcess): void {
    const name = String(process.pid);
    if (this.started.has(name)) this.started = new Map(this.started).set(name, process);
  }

  /** Can be found and is not listed. */
  addFollowed(process: BackgroundProcess): void {
    this.followed = keep(this.followed, process);
  }

  knows(pid: number): boolean {
    return this.find(String(pid)) !== undefined;
  }

  entries(): Iterable<readonly [name: string, process: BackgroundProcess]> {
    return this.started;
  }

  find(name: string): BackgroundProcess | undefined {
    return this.started.get(name) ?? this.followed.get(name);
  }

  /** Throws NotFoundError. */
  get(pid: string): BackgroundProcess {
    const process = this.started.get(pid);
    if (!process) throw new NotFoundError('process', pid);
    return process;
  }

  /** Rejects as the process does; one that was dismissed is not known any more. */
  async order(pid: string, order: ProcessOrder, signal: AbortSignal): Promise<void> {
    await this.get(pid).order(order, signal);
    if (order === 'dismiss') this.started = without(this.started, pid);
  }
}

function keep(kept: Kept, process: BackgroundProcess): Kept {
  const name = String(process.pid);
  return new Map([...without(kept, name), [name, process] as const].slice(-MAX_KEPT));
}

function without(kept: Kept, name: string): Kept {
  return new Map([...kept].filter(([other]) => other !== name));
}
