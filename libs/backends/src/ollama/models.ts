import {
  BackendError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ModelCapabilities,
  type ModelFacts,
  type ModelInfo,
} from '#model';
import type { Ask } from '../wire/dialect.js';
import { listField, numberField, objectField, textField } from '../wire/json-fields.js';
import { DEFAULT_NUM_CTX } from './options.js';

/** So many models are asked about at the same time. */
const AT_ONCE = 8;
const NUM_CTX = /^num_ctx\s+(\d+)\s*$/m;

const BAD_ANSWERS: readonly string[] = ['malformed', 'stream_drop', 'idle', 'progress'];

/** Windows in tokens: of every model, when somebody has set it, and of those that are loaded. */
export interface Windows {
  readonly numCtx: number | undefined;
  readonly loaded: ReadonlyMap<string, number>;
}

/** What `/api/tags` has, each once, with what is told of each. */
export async function listedModels(ask: Ask, windows: Windows): Promise<readonly ModelInfo[]> {
  const named = rowsOf(await ask({ path: '/api/tags' })).map(nameOf);
  const ids = [...new Set(named.filter((id) => id !== ''))];
  const models: ModelInfo[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE);
    models.push(...(await Promise.all(some.map(async (id) => ({ id, ...(await factsOf(id, ask, windows)) })))));
  }
  return models;
}

/** What `/api/ps` has, by name. */
export async function loadedWindows(ask: Ask): Promise<ReadonlyMap<string, number>> {
  const rows = rowsOf((await told(ask, { path: '/api/ps' })) ?? {});
  return new Map(rows.map((row) => [nameOf(row), numberField(row, 'context_length') ?? 0]));
}

/** By `/api/show`; undefined when the server does not tell. */
export async function factsOf(model: string, ask: Ask, windows: Windows): Promise<ModelFacts | undefined> {
  const show = await told(ask, { path: '/api/show', body: { model } });
  if (!isJsonObject(show)) return undefined;
  const capabilities = capabilitiesIn(show);
  return { contextLength: windowOf(model, show, windows), ...(capabilities && { capabilities }) };
}

/** What was asked for last counts, but for more than a model was trained for: so much the server does not give. */
function windowOf(model: string, show: JsonObject, { numCtx, loaded }: Windows): number {
  const info = objectField(show, 'model_info');
  const trained = numberField(info, `${textField(info, 'general.architecture')}.context_length`) || Infinity;
  const written = Number(NUM_CTX.exec(textField(show, 'parameters') ?? '')?.[1] ?? 0);
  const wanted = numCtx ?? (written || loaded.get(model) || loaded.get(`${model}:latest`) || unsaid(show, trained));
  return Math.min(wanted, trained);
}

/** A model of the cloud has all that it was trained for. */
function unsaid(show: JsonObject, trained: number): number {
  return textField(show, 'remote_host') !== undefined && trained !== Infinity ? trained : DEFAULT_NUM_CTX;
}

function capabilitiesIn(show: JsonObject): ModelCapabilities | undefined {
  if (!Array.isArray(show.capabilities)) return undefined;
  const has = (capability: string): boolean => listField(show, 'capabilities').includes(capability);
  return { tools: has('tools'), images: has('vision'), reasoning: has('thinking') };
}

/** A server that does not know the question, or this model, or answers badly says no more; one that cannot be reached is a failure. */
async function told(ask: Ask, request: Parameters<Ask>[0]): Promise<JsonValue | undefined> {
  try {
    return await ask(request);
  } catch (error) {
    if (error instanceof BackendError && (error.failure.status !== undefined || BAD_ANSWERS.includes(error.failure.kind ?? '')))
      return undefined;
    throw error;
  }
}

function rowsOf(answer: JsonValue): readonly JsonObject[] {
  return isJsonObject(answer) ? listField(answer, 'models').filter(isJsonObject) : [];
}

function nameOf(row: JsonObject): string {
  return textField(row, 'model') ?? textField(row, 'name') ?? '';
}
