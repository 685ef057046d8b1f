import type { GenerationParams, ModelCapabilities } from '#model';

/** Models that take a level; to all others it is yes or no. */
const LEVELLED = /gpt-oss/i;
const LEVELS: Readonly<Record<string, string>> = { minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'high', max: 'high' };

/** `think` of a request; undefined leaves it to the server. A model that does not think refuses to be asked to. */
export function thinkOf(
  model: string,
  params: GenerationParams,
  capabilities: ModelCapabilities | undefined,
): boolean | string | undefined {
  const { reasoningEffort: effort, thinkingBudget: budget } = params;
  if (capabilities?.reasoning === false || (effort === undefined && budget === undefined)) return undefined;
  const level = LEVELS[effort ?? 'medium'];
  if (LEVELLED.test(model)) return level ?? 'low';
  return effort === undefined ? budget !== 0 : level !== undefined;
}
