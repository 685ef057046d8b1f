import type { JsonObject, ModelInfo } from '#model';
import { ScriptRefusal } from '../errors.js';
import type { FaceCall, Route } from './face.js';

/** What OpenAI's two faces have in common: keys, errors, the list of models. */
export const NOT_JSON =
  "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)";

/** Errors whose type is not that of their code. */
const TYPES: Readonly<Record<number, string>> = { 401: 'invalid_request_error', 404: 'invalid_request_error', 429: 'requests' };

export function openaiError({ message, status, code, path }: ScriptRefusal): JsonObject {
  const type = status >= 500 ? 'server_error' : (TYPES[status] ?? 'invalid_request_error');
  return { error: { message, type, param: path, code: code === '' ? null : code } };
}

/** Throws ScriptRefusal. */
export function checkBearer({ headers }: FaceCall, key: string): void {
  if (headers.authorization === undefined)
    throw new ScriptRefusal(
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth.",
      401,
      'invalid_api_key',
    );
  if (headers.authorization !== `Bearer ${key}`) throw new ScriptRefusal('Incorrect API key provided', 401, 'invalid_api_key');
}

/** `/v1/models`, or one of them; undefined for another path. */
export function modelsRoute({ method, path }: FaceCall): Route | undefined {
  const [, id] = /^(?:\/api)?(?:\/v1)?\/models(?:\/(.+))?$/.exec(path) ?? [undefined, null];
  if (method !== 'GET' || id === null) return undefined;
  return { kind: 'look', answer: (models) => (id === undefined ? { object: 'list', data: models.map(row) } : one(models, id)) };
}

function one(models: readonly ModelInfo[], id: string): JsonObject {
  const found = models.find((model) => model.id === id || encodeURIComponent(model.id) === id);
  if (!found) throw new ScriptRefusal(`The model '${id}' does not exist`, 404, 'model_not_found', 'model');
  return row(found);
}

function row({ id, contextLength }: ModelInfo): JsonObject {
  return {
    id,
    object: 'model',
    created: 0,
    owned_by: 'scripted',
    ...(contextLength === undefined ? {} : { context_length: contextLength }),
  };
}
