/**
 * Token counts of one request. The four counts never overlap: `inputTokens` is the uncached part.
 * `reasoningTokens` is a part of `outputTokens`, and `cacheCreation1hTokens`, which is kept for an hour, one of
 * `cacheCreationTokens`; both are present when the provider tells them.
 * `costUSD` is what the provider itself has billed, else what it is by the list of prices; absent when nobody knows.
 * `serviceTier` is present when the provider tells one that has a price of its own.
 */
export interface Usage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheCreationTokens: number;
  readonly cacheCreation1hTokens?: number;
  readonly outputTokens: number;
  readonly reasoningTokens?: number;
  readonly costUSD?: number;
  readonly serviceTier?: string;
}
