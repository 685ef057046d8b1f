import type { JsonObject, ModelInfo } from '#model';
import { textField } from '../../../wire/json-fields.js';
import { OverflowRefusal, ScriptRefusal } from '../../errors.js';
import type { InputCounts } from '../../plan.js';
import { fitting } from '../../scripted-model.js';
import type { Face, FaceCall, Question, Route } from '../face.js';
import { OllamaSpeech } from './ollama-speech.js';
import { modelRow, shownModel } from './ollama-models.js';
import { ollamaRules } from './ollama-rules.js';
import { parseOllama, windowOf } from './parse-ollama.js';

const TOO_LONG = 'the input length exceeds the context length';

const LOOKS: Readonly<Record<string, (models: readonly ModelInfo[]) => JsonObject>> = {
  '/api/tags': (models) => ({ models: models.map(modelRow) }),
  '/api/ps': (models) => ({ models: models.map((model) => ({ ...modelRow(model), ...windowField(model) })) }),
  '/api/version': () => ({ version: '0.0.0-scripted' }),
};

/** Ollama's own API: lines of JSON. */
export const ollamaFace: Face = {
  name: 'ollama',
  base: '',
  rules: ollamaRules,
  route,
  checkKey,
  error: (refusal) => ({ error: refusal instanceof OverflowRefusal ? TOO_LONG : refusal.message }),
  notJson: 'invalid character in the body: it is not a JSON object',
};

function route({ method, path }: FaceCall): Route | undefined {
  const look = method === 'GET' ? LOOKS[path] : undefined;
  if (look) return { kind: 'look', answer: look };
  if (method === 'POST' && path === '/api/chat') return { kind: 'answer', parse: questionIn };
  if (method !== 'POST' || path !== '/api/show') return undefined;
  return { kind: 'look up', answer: (models, body) => shown(models, textField(body, 'model') ?? textField(body, 'name') ?? '') };
}

function shown(models: readonly ModelInfo[], name: string): JsonObject {
  const found = models.find(({ id }) => id === name || `${id}:latest` === name);
  if (!found) throw new ScriptRefusal(`model '${name}' not found`, 404);
  return shownModel(found);
}

function windowField({ contextLength }: ModelInfo): JsonObject {
  return contextLength === undefined ? {} : { context_length: contextLength };
}

function questionIn(body: JsonObject): Question {
  return {
    request: parseOllama(body),
    isStreaming: body.stream !== false,
    counted: (input, contextLength) => counted(input, windowOf(body, contextLength), body),
    speak: (plan) => new OllamaSpeech(plan, body),
  };
}

/** What does not fit is cut away without a word, unless the request forbids it: then no more is counted than the window holds. */
function counted(input: InputCounts, window: number | undefined, { truncate }: JsonObject): InputCounts {
  if (truncate === false) return fitting(input, window);
  const { inputTokens, cachedInputTokens } = input;
  const all = inputTokens + cachedInputTokens;
  return window === undefined || all <= window ? input : { inputTokens: window, cachedInputTokens: 0, cacheCreationTokens: 0 };
}

function checkKey({ headers }: FaceCall, key: string): void {
  if (headers.authorization !== `Bearer ${key}`) throw new ScriptRefusal('unauthorized', 401);
}
