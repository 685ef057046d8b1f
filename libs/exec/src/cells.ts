import { encodeCellOrder, type RunOrder, type SandboxPolicy } from '#sandbox';
import { Supervisor } from './supervisor.js';

/** Each is two small processes and a few mounts. */
const MOST_CELLS = 8;
/** A cell that could not be made is not tried again before. */
const RETRY_MS = 1000;

interface Cell {
  readonly supervisor: Supervisor;
  readonly startedMs: number;
}

/** The order that makes a cell, as bytes and as text. */
interface Making {
  readonly cwd: string;
  readonly tmp: string | undefined;
  readonly bytes: Uint8Array;
  readonly key: string;
}

/**
 * The cells of a server: one for each policy and working directory, started at its first call, given up for one that is
 * needed more when there are too many. What still runs in it goes on.
 */
export class Cells {
  /** The one that was used longest ago comes first. */
  private readonly cells = new Map<string, Cell>();
  private readonly makings = new WeakMap<SandboxPolicy, Making>();

  constructor(private readonly helper: string) {}

  /** The cell that an order runs in, which may not be ready yet. Throws RunOrderError. */
  for(order: RunOrder): Supervisor {
    const { bytes, key } = this.makingOf(order);
    const cell = this.living(key) ?? { supervisor: Supervisor.start(this.helper, bytes), startedMs: performance.now() };
    this.cells.delete(key);
    this.cells.set(key, cell);
    this.dropOldest();
    return cell.supervisor;
  }

  /** Its view is not what the policy says any more. */
  retire(supervisor: Supervisor): void {
    for (const [key, cell] of this.cells) if (cell.supervisor === supervisor) this.cells.delete(key);
    supervisor.retire();
  }

  async close(): Promise<void> {
    const all = [...this.cells.values()];
    this.cells.clear();
    await Promise.all(all.map(({ supervisor }) => supervisor.close()));
  }

  /** Encoding a policy takes longer than all else that is to do here. */
  private makingOf(order: RunOrder): Making {
    const { policy, cwd, tmp } = order;
    const known = policy && this.makings.get(policy);
    if (known !== undefined && known.cwd === cwd && known.tmp === tmp) return known;
    const bytes = encodeCellOrder(order);
    const making: Making = { cwd, tmp, bytes, key: Buffer.from(bytes).toString('latin1') };
    if (policy !== undefined) this.makings.set(policy, making);
    return making;
  }

  private living(key: string): Cell | undefined {
    const cell = this.cells.get(key);
    if (cell === undefined || !cell.supervisor.isGone || performance.now() < cell.startedMs + RETRY_MS) return cell;
    return undefined;
  }

  private dropOldest(): void {
    const [oldest] = this.cells.keys();
    const cell = oldest === undefined || this.cells.size <= MOST_CELLS ? undefined : this.cells.get(oldest);
    if (cell !== undefined) this.retire(cell.supervisor);
  }
}
