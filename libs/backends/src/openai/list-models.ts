import type { ModelInfo } from '#model';
import type { Ask } from '../wire/dialect.js';
import { modelList } from './model-list.js';

export async function listModels(ask: Ask): Promise<readonly ModelInfo[]> {
  return modelList(await ask({ path: '/models' }));
}
