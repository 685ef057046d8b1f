import type { ModelInfo } from '#model';

/** In the order in which they were told; of those with the same id the last. */
export function distinctModels(models: readonly ModelInfo[]): readonly ModelInfo[] {
  return [...new Map(models.map((model) => [model.id, model])).values()];
}
