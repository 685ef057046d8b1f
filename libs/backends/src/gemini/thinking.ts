import type { GenerationParams, JsonObject, ModelFacts } from '#model';
import { LEVELS, type Family, type Thinking } from './families.js';

const EFFORTS: readonly string[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
const MEDIUM = 12_288;
/** Efforts for models that take a budget. */
const BUDGETS: Readonly<Record<string, number>> = {
  none: 0,
  minimal: 1_024,
  low: 4_096,
  medium: MEDIUM,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
};
/** Budgets for models that take a level: the first that holds so much. */
const LEVELS_OF_BUDGETS: readonly (readonly [most: number, effort: string])[] = [
  [0, 'none'],
  [1_024, 'minimal'],
  [4_096, 'low'],
  [MEDIUM, 'medium'],
];

/** `thinkingConfig`; undefined for a model that does not think. Its thoughts are asked for unless nobody wants them. */
export function thinkingConfig(params: GenerationParams, { thinking }: Family, { capabilities }: ModelFacts): JsonObject | undefined {
  switch (thinking.by) {
    case 'none':
      return undefined;
    case 'budget':
      return withThoughts(params, budgetOf(params, thinking));
    case 'level':
      return withThoughts(params, levelOf(params, knownLevels(capabilities?.efforts) ?? thinking.levels));
  }
}

function withThoughts({ includeReasoning = true }: GenerationParams, amount: JsonObject): JsonObject {
  return amount.thinkingBudget === 0 ? amount : { includeThoughts: includeReasoning, ...amount };
}

/** Nothing is said when nothing is wished: then the model's own default holds. */
function budgetOf({ thinkingBudget, reasoningEffort }: GenerationParams, range: Extract<Thinking, { by: 'budget' }>): JsonObject {
  const wanted = thinkingBudget ?? (reasoningEffort === undefined ? undefined : (BUDGETS[reasoningEffort] ?? MEDIUM));
  if (wanted === undefined) return {};
  if (wanted <= 0 && range.canBeOff) return { thinkingBudget: 0 };
  return { thinkingBudget: Math.min(Math.max(wanted, range.least), range.most) };
}

function levelOf({ thinkingBudget, reasoningEffort }: GenerationParams, levels: readonly string[]): JsonObject {
  const effort = reasoningEffort ?? (thinkingBudget === undefined ? undefined : effortOf(thinkingBudget));
  if (effort === undefined) return {};
  const enough = levels.find((level) => rank(level) >= rank(effort));
  return { thinkingLevel: (enough ?? levels.at(-1) ?? effort).toUpperCase() };
}

function effortOf(budget: number): string {
  return LEVELS_OF_BUDGETS.find(([most]) => budget <= most)?.[1] ?? 'high';
}

/** What nobody knows is as much as can be had. */
function rank(effort: string): number {
  const at = EFFORTS.indexOf(effort);
  return at < 0 ? EFFORTS.length : at;
}

function knownLevels(efforts: readonly string[] = []): readonly string[] | undefined {
  const levels = LEVELS.filter((level) => efforts.includes(level));
  return levels.length > 0 ? levels : undefined;
}
