import type { JsonObject, ModelInfo } from '#model';
import { ScriptRefusal } from '../../errors.js';
import { fitting } from '../../scripted-model.js';
import type { Face, FaceCall, Route } from '../face.js';
import { ContentSpeech } from './content-speech.js';
import { geminiError } from './gemini-error.js';
import { geminiRules } from './gemini-rules.js';
import { parseContents } from './parse-contents.js';

const METHOD = /^\/v1(?:beta)?\/models\/(.+):(streamGenerateContent|generateContent|countTokens)$/;
const MODELS = /^\/v1beta\/models(?:\/(.+))?$/;

/** Gemini's generated contents. */
export const geminiFace: Face = {
  name: 'gemini',
  base: '',
  rules: geminiRules,
  route,
  checkKey,
  error: geminiError,
  notJson: 'Invalid JSON payload received. Unexpected token.',
};

function route({ method, path, query }: FaceCall): Route | undefined {
  const [, id, action] = METHOD.exec(path) ?? [];
  if (method === 'POST' && id !== undefined)
    return action === 'countTokens' ? countRoute(plain(id)) : answerRoute(plain(id), action, query);
  const [found, one] = MODELS.exec(path) ?? [];
  if (method !== 'GET' || found === undefined) return undefined;
  return { kind: 'look', answer: (models) => (one === undefined ? { models: models.map(row) } : only(models, plain(one))) };
}

/** A name that is no valid escape is meant as it stands. */
function plain(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch (error) {
    if (error instanceof URIError) return id;
    throw error;
  }
}

function answerRoute(model: string, action: string | undefined, query: URLSearchParams): Route {
  const isStreaming = action === 'streamGenerateContent';
  return {
    kind: 'answer',
    model,
    parse(body) {
      if (isStreaming && query.get('alt') !== 'sse') throw new ScriptRefusal('streamGenerateContent is served with alt=sse only', 400);
      return { request: parseContents(body, model), isStreaming, counted: fitting, speak: (plan) => new ContentSpeech(plan, body) };
    },
  };
}

function countRoute(model: string): Route {
  return {
    kind: 'count',
    model,
    parse: (body) => parseContents(body, model),
    answer: (tokens) => ({ totalTokens: tokens }),
  };
}

function checkKey({ headers, query }: FaceCall, key: string): void {
  const given = headers['x-goog-api-key'] ?? query.get('key') ?? undefined;
  const { authorization } = headers;
  if (given === undefined && authorization === undefined) throw new ScriptRefusal(NO_KEY, 403);
  if (given !== key && authorization !== `Bearer ${key}`)
    throw new ScriptRefusal('API key not valid. Please pass a valid API key.', 400, 'API_KEY_INVALID');
}

const NO_KEY =
  "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.";

function only(models: readonly ModelInfo[], id: string): JsonObject {
  const found = models.find((model) => model.id === id);
  if (!found) throw new ScriptRefusal(`Model is not found: models/${id}`, 404);
  return row(found);
}

function row({ id, contextLength }: ModelInfo): JsonObject {
  return {
    name: `models/${id}`,
    version: '1',
    displayName: id,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
    ...(contextLength === undefined ? {} : { inputTokenLimit: contextLength }),
  };
}
