import type { GenerationParams, JsonObject } from '#model';
import type { Family } from './families.js';

const LEAST_BUDGET = 1_024;
const MEDIUM = 12_288;
/** Efforts for models that take a budget. */
const BUDGETS: Readonly<Record<string, number>> = {
  minimal: LEAST_BUDGET,
  low: 4_096,
  medium: MEDIUM,
  high: 24_576,
  xhigh: 32_000,
  max: 32_000,
};
/** Efforts that are called otherwise here; all others are passed on. */
const EFFORTS: Readonly<Record<string, string>> = { minimal: 'low' };

export interface Thinking {
  /** `max_tokens`, which has to hold the thinking too. */
  readonly maxTokens: number;
  /** `thinking` of the body. */
  readonly thinking?: JsonObject;
  readonly effort?: string;
}

/** How a model of this family is told how much to think. */
export function thinkingOf(params: GenerationParams, family: Family): Thinking {
  switch (family.thinking) {
    case 'none':
      return { maxTokens: givenTokens(params) ?? family.answerTokens };
    case 'budget':
      return byBudget(params, family);
    case 'adaptive':
    case 'always':
      return { maxTokens: givenTokens(params) ?? family.answerTokens, ...adaptive(params, family) };
  }
}

function givenTokens({ maxTokens, maxCompletionTokens }: GenerationParams): number | undefined {
  return maxTokens ?? maxCompletionTokens;
}

/** A budget has to be smaller than `max_tokens`; one that cannot be is left out. */
function byBudget(params: GenerationParams, { answerTokens, mostTokens }: Family): Thinking {
  const wanted = wantedBudget(params);
  const budget = wanted === 0 ? 0 : Math.max(LEAST_BUDGET, wanted);
  const maxTokens = givenTokens(params) ?? Math.min(mostTokens, answerTokens + budget);
  const fitting = Math.min(budget, maxTokens - 1);
  return fitting < LEAST_BUDGET ? { maxTokens } : { maxTokens, thinking: { type: 'enabled', budget_tokens: fitting } };
}

function wantedBudget({ thinkingBudget, reasoningEffort }: GenerationParams): number {
  if (thinkingBudget !== undefined) return Math.max(0, thinkingBudget);
  return reasoningEffort === undefined || reasoningEffort === 'none' ? 0 : (BUDGETS[reasoningEffort] ?? MEDIUM);
}

/** Nothing is said when nothing is wished: then the model's own default holds. */
function adaptive(params: GenerationParams, family: Family): Omit<Thinking, 'maxTokens'> {
  const { reasoningEffort: effort, thinkingBudget: budget, includeReasoning } = params;
  const isOff = effort === undefined ? budget === 0 : effort === 'none';
  if (isOff) return family.thinking === 'always' ? {} : { thinking: { type: 'disabled' } };
  if (effort === undefined && budget === undefined && includeReasoning !== true) return {};
  const thinking = { type: 'adaptive', display: includeReasoning === false ? 'omitted' : 'summarized' };
  return { thinking, ...(effort === undefined ? {} : { effort: EFFORTS[effort] ?? effort }) };
}
