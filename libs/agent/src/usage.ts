import type { SandboxReach, Usage } from '#model';

interface Cost {
  usd: number;
  reported: boolean;
}

/**
 * Counts what an agent uses. The token counts never overlap: input is the uncached part. Cost is only
 * what providers reported; it is known as long as every answer came with one.
 */
export class UsageMeter {
  private readonly total = { input: 0, cached: 0, creation: 0, output: 0, requests: 0 };
  private turn = { input: 0, output: 0 };
  private turnCost: Cost = { usd: 0, reported: false };
  private readonly sessionCost: Cost = { usd: 0, reported: false };
  private unpriced = false;
  private turns = 0;
  private steps = 0;
  private sandbox: SandboxReach | undefined;

  beginTurn(): void {
    this.turns += 1;
    this.turn = { input: 0, output: 0 };
    this.turnCost = { usd: 0, reported: false };
  }

  countRequest(): void {
    this.total.requests += 1;
  }

  countStep(): void {
    this.steps += 1;
  }

  /** What one answer, or the part of it that came, has used; undefined when the provider did not say. */
  add(usage: Usage | undefined): void {
    if (usage?.costUSD === undefined) this.unpriced = true;
    if (usage === undefined) return;
    this.total.input += usage.inputTokens;
    this.total.cached += usage.cachedInputTokens;
    this.total.creation += usage.cacheCreationTokens;
    this.total.output += usage.outputTokens;
    this.turn.input += usage.inputTokens;
    this.turn.output += usage.outputTokens;
    for (const cost of usage.costUSD === undefined ? [] : [this.turnCost, this.sessionCost]) {
      cost.usd += usage.costUSD ?? 0;
      cost.reported = true;
    }
  }

  /** What enclosed the newest tool run. */
  sawSandbox(reach: SandboxReach | undefined): void {
    this.sandbox = reach ?? this.sandbox;
  }

  /** The text of `stats`: only keys that have a source. */
  format(queued: number): string {
    const { total, turn } = this;
    const rows: readonly (readonly [string, string | number | boolean | undefined])[] = [
      ['sandbox', this.sandbox],
      ['costKnown', this.sessionCost.reported && !this.unpriced],
      ['totalInputTokens', total.input],
      ['totalCachedInputTokens', total.cached],
      ['totalCacheCreationTokens', total.creation],
      ['totalOutputTokens', total.output],
      ['totalRequests', total.requests],
      ['turnInputTokens', turn.input],
      ['turnOutputTokens', turn.output],
      ['lastTurnCostUSD', costText(this.turnCost)],
      ['sessionCostUSD', costText(this.sessionCost)],
      ['turns', this.turns],
      ['steps', this.steps],
      ['queued', queued],
    ];
    return rows.map(([key, value]) => (value === undefined ? '' : `${key}=${value}\n`)).join('');
  }
}

function costText(cost: Cost): string | undefined {
  return cost.reported ? String(Number(cost.usd.toFixed(6))) : undefined;
}

/** The content of a usage block. */
export function usageText(usage: Usage): string {
  const cost = usage.costUSD === undefined ? '' : ` cost=${Number(usage.costUSD.toFixed(6))}`;
  return `input=${usage.inputTokens} cached=${usage.cachedInputTokens} created=${usage.cacheCreationTokens} output=${usage.outputTokens}${cost}\n`;
}
