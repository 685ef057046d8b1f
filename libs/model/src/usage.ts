/**
 * Token counts of one request. The four counts never overlap: `inputTokens` is the uncached part.
 * `reasoningTokens` is a part of `outputTokens`, and `cacheCreation1hTokens`, which is kept for an hour, one of
 * `cacheCreationTokens`; both are present when the provider tells them.
 * `costUSD` is present only when the provider itself reported a cost.
 */
export interface Usage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheCreationTokens: number;
  readonly cacheCreation1hTokens?: number;
  readonly outputTokens: number;
  readonly reasoningTokens?: number;
  readonly costUSD?: number;
}
