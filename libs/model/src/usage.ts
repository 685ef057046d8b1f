/**
 * Token counts of one request. The four counts never overlap: `inputTokens` is the uncached part.
 * `costUSD` is present only when the provider itself reported a cost.
 */
export interface Usage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheCreationTokens: number;
  readonly outputTokens: number;
  readonly costUSD?: number;
}
