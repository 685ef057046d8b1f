import type { BackendCatalog } from '#model';
import type { BackendSettings } from './backend-definition.js';
import { BackendPool } from './backend-pool.js';
import { definitions } from './definitions.js';

/** The backends that the settings configure. */
export function createCatalog(settings: BackendSettings): BackendCatalog {
  return new BackendPool(definitions, settings);
}
