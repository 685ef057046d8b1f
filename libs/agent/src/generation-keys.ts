import type { GenerationParams } from '#model';

/** The generation parameters in the order of `cfg`. */
export const GENERATION_KEYS = [
  'maxTokens',
  'maxCompletionTokens',
  'temperature',
  'topP',
  'topK',
  'minP',
  'topA',
  'frequencyPenalty',
  'presencePenalty',
  'repetitionPenalty',
  'thinkingBudget',
  'reasoningEffort',
  'includeReasoning',
  'responseFormat',
  'stop',
  'verbosity',
] as const satisfies readonly (keyof GenerationParams)[];
