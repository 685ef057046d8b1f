import type { ModelInfo } from '#model';
import type { Ask } from '../wire/dialect.js';
import { modelList } from './model-list.js';
import { withServedWindows } from './served-windows.js';

/** The models of a server, each with its window as far as the server tells it. */
export async function listModels(ask: Ask): Promise<readonly ModelInfo[]> {
  const list = await ask({ path: '/models' });
  return await withServedWindows(modelList(list), list, ask);
}
