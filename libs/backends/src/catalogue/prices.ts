import type { Usage } from '#model';

/** USD for a million tokens of each kind. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** Of what is kept for five minutes. */
  readonly cacheWrite: number;
}

/** The rates of requests with more input than that, cached input included. */
export interface PriceTier extends Rates {
  readonly inputTokensAbove: number;
}

/** What a model costs; `serviceTiers`: what the cost of a request is multiplied by that was served so. */
export interface Prices extends Rates {
  readonly tiers: readonly PriceTier[];
  readonly serviceTiers: Readonly<Record<string, number>>;
}

const MILLION = 1_000_000;
/** What is kept for an hour costs so many times the input. */
const HOUR = 2;

/** In USD, of one request: its size chooses the rates of all of it, so requests are never added up before. */
export function costOf(usage: Usage, prices: Prices): number {
  const { inputTokens, cachedInputTokens: cached, cacheCreationTokens: created, outputTokens, serviceTier } = usage;
  const hour = Math.min(created, usage.cacheCreation1hTokens ?? 0);
  const { input, output, cacheRead, cacheWrite } = ratesFor(inputTokens + cached + created, prices);
  const sum = input * inputTokens + output * outputTokens + cacheRead * cached + cacheWrite * (created - hour) + HOUR * input * hour;
  return (sum / MILLION) * multiplier(serviceTier, prices);
}

/** The highest tier that the request is above of. */
function ratesFor(tokens: number, prices: Prices): Rates {
  return prices.tiers.reduce<Rates & { inputTokensAbove?: number }>(
    (best, tier) => (tokens > tier.inputTokensAbove && tier.inputTokensAbove >= (best.inputTokensAbove ?? 0) ? tier : best),
    prices,
  );
}

/** A tier that nobody knows costs what is usual. */
function multiplier(tier: string | undefined, { serviceTiers }: Prices): number {
  return tier === undefined || !Object.hasOwn(serviceTiers, tier) ? 1 : (serviceTiers[tier] ?? 1);
}
