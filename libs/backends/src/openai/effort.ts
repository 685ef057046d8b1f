import type { GenerationParams } from '#model';
import type { Family } from './families.js';

/** Nobody's thinking is switched off unasked. */
const OFF = 'none';
/** Least first. */
const EFFORTS: readonly string[] = [OFF, 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** The effort that comes nearest to the wish, the smaller of two; undefined when none is wished or the family takes none. */
export function effortOf({ reasoningEffort, thinkingBudget }: GenerationParams, { efforts }: Family): string | undefined {
  const wish = reasoningEffort ?? (thinkingBudget === 0 ? OFF : undefined);
  if (wish === undefined || efforts === undefined || efforts.includes(wish)) return wish;
  const place = EFFORTS.indexOf(wish);
  if (place < 0) return efforts.length === 0 ? undefined : wish;
  const far = (effort: string): number => Math.abs(EFFORTS.indexOf(effort) - place);
  return efforts.filter((effort) => effort !== OFF && EFFORTS.includes(effort)).toSorted((a, b) => far(a) - far(b))[0];
}

const SAMPLING = ['temperature', 'topP'] as const;
const PENALTIES = ['frequencyPenalty', 'presencePenalty', 'stop'] as const;

/** What the model takes of the parameters, at this effort. */
export function takenBy(family: Family, params: GenerationParams, effort: string | undefined): GenerationParams {
  const takesSampling = family.sampling === 'always' || (family.sampling === 'unless_reasoning' && effort === OFF);
  const untaken: readonly string[] = [...(takesSampling ? [] : SAMPLING), ...(family.penalties ? [] : PENALTIES)];
  return Object.fromEntries(Object.entries(params).filter(([key]) => !untaken.includes(key)));
}
