const REFUSALS = 5;
const WINDOW_MS = 60_000;
const FIRST_BLOCK_MS = 30_000;
const LONGEST_BLOCK_MS = 300_000;
/** Of more than these, what is known of those that were refused longest ago is dropped. */
const MOST_AGENTS = 4_096;

interface Record {
  /** When the refusals of the last minute were. */
  refusals: readonly number[];
  blockedUntil: number;
  nextBlockMs: number;
}

/**
 * Five refusals within a minute block the commands of that agent for 30 s; each further block lasts twice as long as the one before,
 * up to 300 s. Five quiet minutes after a block begin anew.
 */
export class RefusalLimiter {
  /** Who was refused longest ago comes first. */
  private readonly agents = new Map<string, Record>();

  /** `now` gives milliseconds that never go back. */
  constructor(private readonly now: () => number) {}

  /** Notes that a command of the agent was refused. */
  refused(agent: string): void {
    const at = this.now();
    const record = this.current(agent, at);
    const refusals = [...record.refusals.filter((time) => at - time < WINDOW_MS), at];
    if (refusals.length < REFUSALS) this.keep(agent, { ...record, refusals });
    else {
      const nextBlockMs = Math.min(record.nextBlockMs * 2, LONGEST_BLOCK_MS);
      this.keep(agent, { refusals: [], blockedUntil: at + record.nextBlockMs, nextBlockMs });
    }
  }

  /** Why the agent may run nothing now; undefined if it may. */
  block(agent: string): string | undefined {
    const left = (this.agents.get(agent)?.blockedUntil ?? 0) - this.now();
    return left > 0 ? `rate limited: too many validation failures, blocked for ${Math.ceil(left / 1000)}s` : undefined;
  }

  private keep(agent: string, record: Record): void {
    this.agents.delete(agent);
    this.agents.set(agent, record);
    const [oldest] = this.agents.keys();
    if (this.agents.size > MOST_AGENTS && oldest !== undefined) this.agents.delete(oldest);
  }

  private current(agent: string, at: number): Record {
    const record = this.agents.get(agent);
    if (record === undefined || at > record.blockedUntil + LONGEST_BLOCK_MS) {
      return { refusals: record?.refusals ?? [], blockedUntil: 0, nextBlockMs: FIRST_BLOCK_MS };
    }
    return record;
  }
}
