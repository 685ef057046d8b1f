import { isJsonObject, type JsonObject, type JsonValue, type ModelInfo } from '#model';
import type { Ask } from '../wire/dialect.js';
import { listField, numberField, objectField, textField } from '../wire/json-fields.js';
import { distinctModels } from '../wire/distinct-models.js';
import type { KiroOptions } from './options.js';

const HEADERS = {
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-target': 'AmazonCodeWhispererService.ListAvailableModels',
};
/** More than there are; a list that does not end is cut. */
const MOST_PAGES = 20;

/** All pages of the list. */
export async function listedModels(ask: Ask, { origin }: Pick<KiroOptions, 'origin'>): Promise<readonly ModelInfo[]> {
  const models: ModelInfo[] = [];
  let nextToken: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const body = Object.entries({ origin, nextToken }).filter((field): field is [string, string] => field[1] !== undefined);
    const answer: JsonValue = await ask({ path: '/', headers: HEADERS, body: Object.fromEntries(body) });
    if (!isJsonObject(answer)) break;
    models.push(...listField(answer, 'models').filter(isJsonObject).flatMap(modelIn));
    nextToken = textField(answer, 'nextToken') || undefined;
    if (nextToken === undefined) break;
  }
  return distinctModels(models);
}

function modelIn(row: JsonObject): readonly ModelInfo[] {
  const id = textField(row, 'modelId');
  if (!id) return [];
  const limits = objectField(row, 'tokenLimits');
  const [contextLength, maxOutputTokens] = [numberField(limits, 'maxInputTokens'), numberField(limits, 'maxOutputTokens')];
  return [{ id, ...(contextLength ? { contextLength } : {}), ...(maxOutputTokens ? { capabilities: { maxOutputTokens } } : {}) }];
}
