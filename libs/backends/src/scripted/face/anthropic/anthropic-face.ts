import type { JsonObject, ModelInfo } from '#model';
import { OverflowRefusal, ScriptRefusal } from '../../errors.js';
import type { InputCounts } from '../../plan.js';
import { fitting } from '../../scripted-model.js';
import type { Face, FaceCall, Question, Route } from '../face.js';
import { anthropicRules } from './anthropic-rules.js';
import { MessageSpeech } from './message-speech.js';
import { cacheMarks } from './cache-control.js';
import { parseMessages } from './parse-messages.js';

const MODELS = /^\/v1\/models(?:\/(.+))?$/;
/** What is behind the last mark: the end of the prompt. */
const UNCACHED_TOKENS = 3;

/** Anthropic messages. Its list of models lies where OpenAI's does; who sends a version gets it. */
export const anthropicFace: Face = {
  name: 'anthropic',
  base: '',
  rules: anthropicRules,
  route,
  checkKey,
  error,
  notJson: 'The request body is not valid JSON',
};

function route({ method, path, headers }: FaceCall): Route | undefined {
  if (method === 'POST' && path === '/v1/messages') return { kind: 'answer', parse: questionIn };
  if (method === 'POST' && path === '/v1/messages/count_tokens')
    return { kind: 'count', parse: parseMessages, answer: (tokens) => ({ input_tokens: tokens }) };
  const [found, id] = MODELS.exec(path) ?? [];
  if (method !== 'GET' || found === undefined || headers['anthropic-version'] === undefined) return undefined;
  return { kind: 'look', answer: (models) => (id === undefined ? list(models) : one(models, id)) };
}

function questionIn(body: JsonObject): Question {
  const isCaching = cacheMarks(body).length > 0 || body.cache_control !== undefined;
  return {
    request: parseMessages(body),
    isStreaming: body.stream === true,
    counted: (input, contextLength) => fitting(isCaching ? written(input) : unread(input), contextLength),
    speak: (plan) => new MessageSpeech(plan, body),
  };
}

/** With marks what is new is written to the cache. */
function written({ inputTokens, cachedInputTokens }: InputCounts): InputCounts {
  const rest = Math.min(inputTokens, UNCACHED_TOKENS);
  return { inputTokens: rest, cachedInputTokens, cacheCreationTokens: inputTokens - rest };
}

/** Without marks nothing is cached. */
function unread({ inputTokens, cachedInputTokens }: InputCounts): InputCounts {
  return { inputTokens: inputTokens + cachedInputTokens, cachedInputTokens: 0, cacheCreationTokens: 0 };
}

function checkKey({ headers }: FaceCall, key: string): void {
  const { authorization, 'x-api-key': given } = headers;
  if (given === undefined && authorization === undefined) throw new ScriptRefusal('x-api-key header is required', 401);
  if (given !== undefined && given !== key) throw new ScriptRefusal('invalid x-api-key', 401);
  if (given === undefined && authorization !== `Bearer ${key}`) throw new ScriptRefusal('Invalid bearer token', 401);
}

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

function error(refusal: ScriptRefusal): JsonObject {
  const { status } = refusal;
  const type = TYPES[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
  return { type: 'error', error: { type, message: messageOf(refusal) }, request_id: 'req_scripted' };
}

function messageOf(refusal: ScriptRefusal): string {
  if (!(refusal instanceof OverflowRefusal)) return refusal.message;
  return `prompt is too long: ${refusal.tokens} tokens > ${refusal.contextLength} maximum`;
}

function list(models: readonly ModelInfo[]): JsonObject {
  return { data: models.map(row), has_more: false, first_id: models[0]?.id ?? null, last_id: models.at(-1)?.id ?? null };
}

function one(models: readonly ModelInfo[], id: string): JsonObject {
  const found = models.find((model) => model.id === id || encodeURIComponent(model.id) === id);
  if (!found) throw new ScriptRefusal(`model: ${id}`, 404);
  return row(found);
}

function row({ id, contextLength }: ModelInfo): JsonObject {
  return {
    type: 'model',
    id,
    display_name: id,
    created_at: '1970-01-01T00:00:00Z',
    ...(contextLength === undefined ? {} : { max_input_tokens: contextLength }),
  };
}
