import { isJsonObject, type JsonObject, type JsonValue, type SandboxReach, type Usage } from '#model';
import type { Spent } from './budget.js';

/** What `stats` shows beside what is counted. */
export interface StatsFacts {
  readonly queued: number;
  /** Roughly the tokens of the conversation, for when no provider has said. */
  readonly estimate: () => number;
  /** What fits into the model's window; undefined when nobody has told. */
  readonly contextLength: number | undefined;
  /** Of which day the prices are, when they are old. */
  readonly stalePrices: string | undefined;
}

const REACHES = ['full', 'partial', 'none'] as const;

interface Cost {
  usd: number;
  reported: boolean;
}

/**
 * Counts what an agent uses. The token counts never overlap: input is the uncached part. A cost is known as
 * long as every answer came with one, as billed or by the list of prices.
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
  private prefix: string | undefined;
  /** Of the newest request that was counted, with its answer. */
  private contextTokens: number | undefined;

  /** `charged` hears what each answer has cost, in USD; undefined when nobody knows. */
  constructor(private readonly charged: (costUSD: number | undefined) => void = () => undefined) {}

  /** Of all turns so far. */
  get tokens(): { readonly totalInputTokens: number; readonly totalCachedInputTokens: number; readonly totalOutputTokens: number } {
    const { input, cached, output } = this.total;
    return { totalInputTokens: input, totalCachedInputTokens: cached, totalOutputTokens: output };
  }

  /** All counts, for `restore`. */
  kept(): JsonObject {
    const { total, turn, turnCost, sessionCost, unpriced, turns, steps, sandbox = null, contextTokens = null, prefix = null } = this;
    return {
      total: { ...total },
      turn,
      turnCost: { ...turnCost },
      sessionCost: { ...sessionCost },
      unpriced,
      turns,
      steps,
      sandbox,
      contextTokens,
      prefix,
    };
  }

  /** Goes on from what `kept` gave; what is missing there stays as it is. */
  restore(kept: JsonObject): void {
    takeNumbers(this.total, kept.total);
    takeNumbers(this.turn, kept.turn);
    for (const [cost, from] of [[this.turnCost, kept.turnCost] as const, [this.sessionCost, kept.sessionCost] as const]) {
      takeNumbers(cost, from);
      cost.reported = isJsonObject(from) && from.reported === true;
    }
    this.unpriced = kept.unpriced === true;
    this.turns = numberIn(kept.turns) ?? this.turns;
    this.steps = numberIn(kept.steps) ?? this.steps;
    this.sandbox = REACHES.find((reach) => reach === kept.sandbox);
    this.contextTokens = numberIn(kept.contextTokens);
    this.prefix = typeof kept.prefix === 'string' ? kept.prefix : undefined;
  }

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
    this.bear(usage?.costUSD);
    if (usage === undefined) return;
    this.contextTokens = inputOf(usage) + usage.outputTokens;
    this.total.input += usage.inputTokens;
    this.total.cached += usage.cachedInputTokens;
    this.total.creation += usage.cacheCreationTokens;
    this.total.output += usage.outputTokens;
    this.turn.input += usage.inputTokens;
    this.turn.output += usage.outputTokens;
    addTo(this.turnCost, usage.costUSD);
  }

  /** What an answer has cost that was given to it, or to one that it has made; undefined when nobody knows. */
  bear(costUSD: number | undefined): void {
    this.unpriced ||= costUSD === undefined;
    addTo(this.sessionCost, costUSD);
    this.charged(costUSD);
  }

  /** What one request beside the conversation has used. */
  addAside(usage: Usage | undefined): void {
    const { contextTokens } = this;
    this.countRequest();
    this.add(usage);
    this.contextTokens = contextTokens;
  }

  /** What enclosed the newest tool run. */
  sawSandbox(reach: SandboxReach | undefined): void {
    this.sandbox = reach ?? this.sandbox;
  }

  /** A short mark of what stands before the conversation in a request: a provider can reuse its work as long as it is the same. */
  sawPrefix(mark: string): void {
    this.prefix = mark;
  }

  /** The conversation was cut: what was counted of it says nothing any more. */
  forgetContext(): void {
    this.contextTokens = undefined;
  }

  /** Used up so far; cached input counts nothing. */
  get spent(): Omit<Spent, 'wallMs'> {
    const { total, steps, sessionCost } = this;
    return { usd: sessionCost.usd, tokens: total.input + total.creation + total.output, rounds: steps };
  }

  /** Of all answers: `input=... cached=... created=... output=... requests=...`. */
  usageLine(): string {
    const { input, cached, creation, output, requests } = this.total;
    return `input=${input} cached=${cached} created=${creation} output=${output} requests=${requests}\n`;
  }

  /** `costLast=$... costSession=$...`; without a sum where nobody knows one. */
  costLine(): string {
    return `costLast=${dollars(this.turnCost)} costSession=${dollars(this.sessionCost)}\n`;
  }

  /** The text of `stats`: only keys that have a source. */
  format({ queued, estimate, contextLength, stalePrices }: StatsFacts): string {
    const { total, turn } = this;
    const contextTokens = this.contextTokens ?? estimate();
    const percent = contextLength === undefined ? undefined : Math.round((100 * contextTokens) / contextLength);
    const rows: readonly (readonly [string, string | number | boolean | undefined])[] = [
      ['sandbox', this.sandbox],
      ['prefix', this.prefix],
      ['cachedShare', this.cachedShare()],
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
      ['pricesDate', stalePrices],
      ['contextTokens', contextTokens],
      ['contextLength', contextLength],
      ['contextPercent', percent],
      ['turns', this.turns],
      ['steps', this.steps],
      ['queued', queued],
      ['estimated', this.contextTokens === undefined],
    ];
    return rows.map(([key, value]) => (value === undefined ? '' : `${key}=${value}\n`)).join('');
  }

  /** What providers did not have to read anew, of all input. */
  private cachedShare(): string | undefined {
    const { input, cached, creation } = this.total;
    const all = input + cached + creation;
    return all === 0 ? undefined : String(Number((cached / all).toFixed(2)));
  }
}

function addTo(cost: Cost, usd: number | undefined): void {
  if (usd === undefined) return;
  cost.usd += usd;
  cost.reported = true;
}

function inputOf(usage: Usage): number {
  return usage.inputTokens + usage.cachedInputTokens + usage.cacheCreationTokens;
}

function dollars(cost: Cost): string {
  return cost.reported ? `$${costText(cost) ?? ''}` : 'unknown';
}

function costText(cost: Cost): string | undefined {
  return cost.reported ? String(Number(cost.usd.toFixed(6))) : undefined;
}

/** The content of a usage block. */
export function usageText(usage: Usage): string {
  const cost = usage.costUSD === undefined ? '' : ` cost=${Number(usage.costUSD.toFixed(6))}`;
  return `input=${usage.inputTokens} cached=${usage.cachedInputTokens} created=${usage.cacheCreationTokens} output=${usage.outputTokens}${cost}\n`;
}

/** Sets those numbers of `counts` that `kept` has. */
function takeNumbers(counts: object, kept: JsonValue | undefined): void {
  if (!isJsonObject(kept)) return;
  const known = Object.keys(counts).flatMap((key) => (typeof kept[key] === 'number' ? [[key, kept[key]] as const] : []));
  Object.assign(counts, Object.fromEntries(known));
}

function numberIn(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
