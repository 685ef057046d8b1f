import type { JsonObject, Usage } from '#model';
import { Budget } from './budget.js';
import type { RunningTime } from './running-time.js';
import type { UsageMeter } from './usage.js';

/** Where an agent's counts and limits are kept. */
export interface KeptAccount {
  readonly usage: UsageMeter;
  readonly budget: JsonObject;
  keepBudget(limits: JsonObject): void;
}

/** What an agent has used, and what it may. */
export class AgentAccount {
  private readonly budget: Budget;

  constructor(
    private readonly kept: KeptAccount,
    private readonly runningTime: RunningTime,
  ) {
    this.budget = new Budget(kept.budget, (limits) => kept.keepBudget(limits));
  }

  /** Puts a request on it that was no part of the agent's turns. */
  charge(usage: Usage | undefined): void {
    this.kept.usage.addAside(usage);
  }

  /** What a request of a child has cost belongs to what this one has cost. */
  bear(costUSD: number | undefined): void {
    this.kept.usage.bear(costUSD);
  }

  /** One line of token counts. */
  get usageLine(): string {
    return this.kept.usage.usageLine();
  }

  /** One line of what the last turn and all of them have cost. */
  get costLine(): string {
    return this.kept.usage.costLine();
  }

  /** Text of `budget`. */
  get budgetText(): string {
    return this.budget.text({ ...this.kept.usage.spent, wallMs: this.runningTime.total });
  }

  /** `key=value` lines, all or none. Throws IllegalInputError. */
  limit(lines: readonly string[]): void {
    this.budget.apply(lines);
  }
}
