import type { JsonValue } from './json.js';

/** Sampling parameters under the names of `cfg` (contract 2.8). Absent = the provider's default. */
export interface GenerationParams {
  readonly maxTokens?: number;
  readonly maxCompletionTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly minP?: number;
  readonly topA?: number;
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  readonly repetitionPenalty?: number;
  readonly thinkingBudget?: number;
  readonly reasoningEffort?: string;
  readonly includeReasoning?: boolean;
  readonly responseFormat?: JsonValue;
  readonly stop?: readonly string[];
  readonly verbosity?: string;
}
