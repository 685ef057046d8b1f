import type { ModelInfo } from '#model';

/** By id; of those with the same id the last. */
export function sortedModels(models: readonly ModelInfo[]): readonly ModelInfo[] {
  return [...new Map(models.map((model) => [model.id, model])).values()].toSorted((a, b) => Number(a.id > b.id) - Number(a.id < b.id));
}
