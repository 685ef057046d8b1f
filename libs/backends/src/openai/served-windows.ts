import { AbortedError, BackendError, isJsonObject, type JsonObject, type JsonValue, type ModelInfo } from '#model';
import type { Ask } from '../wire/dialect.js';
import { listField, numberField, objectField, textField } from '../wire/json-fields.js';

type Windows = ReadonlyMap<string, number>;

/** What servers have to be asked beside their list, by the owner that they name there. Their own paths have no version before them. */
const SOURCES = new Map([
  ['llamacpp', llamaServer],
  ['organization_owner', lmStudio],
]);

/** The models with the windows that they are served with, where the list leaves them out. A server that does not say is none that failed. */
export async function withServedWindows(models: readonly ModelInfo[], list: JsonValue, ask: Ask): Promise<readonly ModelInfo[]> {
  const silent = new Set(models.filter(({ contextLength }) => contextLength === undefined).map(({ id }) => id));
  const rows = isJsonObject(list) ? listField(list, 'data').filter(isJsonObject) : [];
  const missing = rows.filter((row) => silent.has(idOf(row)));
  const source = SOURCES.get(textField(missing[0], 'owned_by') ?? '');
  if (!source) return models;
  const windows = await source(missing, unlessRefused(ask));
  return models.map((model) => {
    const contextLength = windows.get(model.id);
    return contextLength === undefined || model.contextLength !== undefined ? model : { ...model, contextLength };
  });
}

function idOf(row: JsonObject): string {
  return textField(row, 'id') ?? '';
}

function unlessRefused(ask: Ask): Ask {
  return async (request) => {
    try {
      return await ask(request);
    } catch (error) {
      if (error instanceof BackendError && !(error instanceof AbortedError)) return null;
      throw error;
    }
  };
}

/** One that serves several models is asked for each that is loaded: the others would be by that. */
async function llamaServer(rows: readonly JsonObject[], ask: Ask): Promise<Windows> {
  const windows = new Map<string, number>();
  for (const row of rows.filter(isLoaded)) {
    const query = rows.length > 1 ? `?model=${encodeURIComponent(idOf(row))}` : '';
    const props = await ask({ path: `/../props${query}` });
    const window = isJsonObject(props) ? numberField(objectField(props, 'default_generation_settings'), 'n_ctx') : undefined;
    if (window !== undefined && window > 0) windows.set(idOf(row), window);
  }
  return windows;
}

function isLoaded(row: JsonObject): boolean {
  const status = textField(objectField(row, 'status'), 'value');
  return status === undefined || status === 'loaded';
}

async function lmStudio(_rows: readonly JsonObject[], ask: Ask): Promise<Windows> {
  const list = await ask({ path: '/../api/v0/models' });
  const rows = isJsonObject(list) ? listField(list, 'data').filter(isJsonObject) : [];
  return new Map(
    rows.flatMap((row): (readonly [string, number])[] => {
      const window = numberField(row, 'loaded_context_length') ?? numberField(row, 'max_context_length');
      return window !== undefined && window > 0 ? [[idOf(row), window]] : [];
    }),
  );
}
