import { isJsonObject, type JsonObject, type ModelInfo } from '#model';
import type { Ask } from '../wire/dialect.js';
import { listField, numberField, textField } from '../wire/json-fields.js';
import { distinctModels } from '../wire/distinct-models.js';

const PATH = '/v1beta/models?pageSize=1000';
const MOST_PAGES = 50;

/** All pages of the list. */
export async function listModels(ask: Ask): Promise<readonly ModelInfo[]> {
  const models: ModelInfo[] = [];
  let token: string | undefined = '';
  for (let page = 0; token !== undefined && page < MOST_PAGES; page += 1) {
    const answer = await ask({ path: token === '' ? PATH : `${PATH}&pageToken=${encodeURIComponent(token)}` });
    const list = isJsonObject(answer) ? answer : {};
    models.push(...listField(list, 'models').filter(isJsonObject).flatMap(modelIn));
    token = textField(list, 'nextPageToken') || undefined;
  }
  return distinctModels(models);
}

/** Those that make videos or vectors cannot be talked to. */
function modelIn(row: JsonObject): readonly ModelInfo[] {
  const id = textField(row, 'name')?.replace(/^models\//, '');
  const methods = listField(row, 'supportedGenerationMethods');
  if (!id || (methods.length > 0 && !methods.includes('generateContent'))) return [];
  const contextLength = numberField(row, 'inputTokenLimit');
  const maxOutputTokens = numberField(row, 'outputTokenLimit');
  const capabilities = {
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(typeof row.thinking === 'boolean' ? { reasoning: row.thinking } : {}),
  };
  return [
    {
      id,
      ...(contextLength === undefined ? {} : { contextLength }),
      ...(Object.keys(capabilities).length > 0 ? { capabilities } : {}),
    },
  ];
}
