import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { BackendError, type JsonObject, type JsonValue, type StreamEvent } from '#model';
import { eventFacts, failureFacts } from '../answer-facts.js';
import { request } from './cases.js';
import { backendOf } from './providers.js';

type Row = readonly [what: string, provider: string, answer: string, amounts: JsonObject, head?: Readonly<Record<string, string | number>>];

const sse = (...events: readonly JsonValue[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');
const lines = (...events: readonly JsonValue[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join('');
const chunk = (delta: JsonObject, finish: string | null = null, more: JsonObject = {}): JsonObject => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...more,
});
const call = (index: number, id: string, text: JsonValue): JsonObject =>
  chunk({ tool_calls: [{ index, id, function: { name: 'ls', arguments: text } }] });
const said = chunk({ content: 'a' });
const counts = (usage: JsonObject): string =>
  sse(said, chunk({}, 'stop', { usage: { prompt_tokens: 100, completion_tokens: 7, ...usage } }));
const response = (type: string, more: JsonObject): JsonObject => ({
  type: `response.${type}`,
  response: { id: 'r', status: type, ...more },
});
const delta = (text: string): JsonObject => ({ type: 'response.output_text.delta', item_id: 'm', output_index: 0, delta: text });
const candidate = (parts: readonly JsonObject[], finishReason?: string): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, ...(finishReason === undefined ? {} : { finishReason }) }],
});
const refusal = (message: string, more: JsonObject = {}): string => JSON.stringify({ error: { message, ...more } });

const fails = (name: string, kind: string, more: JsonObject = {}): JsonObject => ({
  error_class: name,
  error_kind: kind,
  tool_calls: [],
  ...more,
});
const cached = (cached_input: number, input: number): JsonObject => ({
  stop: 'stop',
  usage: { input, cached_input, cache_creation: 0, output: 7 },
});

// One row each.
// prettier-ignore
const ROWS: readonly Row[] = [
  ['content in parts', 'openai', sse(chunk({ content: [{ type: 'text', text: 'a' }] }), chunk({ content: null }, 'stop')), { text: 'a' }],
  ['no choices', 'openai', sse({ choices: null }, said, { choices: null }, chunk({}, 'stop')), { text: 'a', stop: 'stop' }],
  ['no delta', 'openai', sse({ choices: [{ delta: null }] }, said, { choices: [{ finish_reason: 'stop' }] }), { text: 'a' }],
  ['the first index is 1', 'openai', sse(call(1, 'c', '{}'), chunk({}, 'tool_calls')), { stop: 'tool_calls' }],
  ['cut by its length', 'openai', sse(said, call(0, 'c', '{"d":'), chunk({}, 'length')), { stop: 'length', tool_calls: [] }],
  ['arguments cut', 'openai', sse(call(0, 'c', '{"d":'), chunk({}, 'tool_calls')), { tool_calls: [{ arguments_error: true, arguments_raw: '{"d":' }] }],
  ['closed in a call', 'openai', sse(said, call(0, 'c', '{"d":1}')), fails('TransientError', 'stream_drop', { text: 'a' })],
  ['nothing but its end', 'openai', sse('[DONE]'), fails('TransientError', 'stream_drop')],
  ['counts of DeepSeek', 'openai', counts({ prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 }), cached(64, 36)],
  ['counts of Kimi', 'openai', counts({ cached_tokens: 40 }), cached(40, 60)],
  ['counts of Moonshot', 'openai', sse(said, { choices: [{ delta: {}, finish_reason: 'stop', usage: { prompt_tokens: 9, completion_tokens: 1 } }] }), { usage: { input: 9, output: 1 } }],
  ['a call as text', 'openai', sse(chunk({ content: '<tool_call>{"name":"ls"}</tool_call>' }), chunk({}, 'stop')), { stop: 'stop', tool_calls: [] }],
  ['an error in 200', 'openai', refusal('busy', { code: 429 }), fails('RateLimitError', 'rate_limit'), { 'content-type': 'application/json' }],
  ['an error in 200 that is called a stream', 'openai', refusal('no', { code: 400 }), fails('RequestError', 'request')],
  ['an error in a string', 'openai', sse(said, { error: 'out of memory' }), fails('TransientError', 'server', { text: 'a' })],
  ['too much text', 'openai', '', fails('ContextOverflowError', 'context'), { status: 413 }],
  ['a page of a proxy', 'openai', `<html><body>${'<p>Bad Gateway</p>'.repeat(900)}`, fails('TransientError', 'server'), { status: 502, 'content-type': 'text/html' }],
  ['a wait in no words', 'openai', refusal('slow'), fails('RateLimitError', 'rate_limit', { retry_after_ms: null }), { status: 429, 'retry-after': 'soon' }],
  ['cut by max_output_tokens', 'openai-responses', sse(delta('a'), response('incomplete', { incomplete_details: { reason: 'max_output_tokens' } })), { text: 'a', stop: 'length' }],
  ['failed', 'openai-responses', sse(delta('a'), response('failed', { error: { code: 'server_error', message: 'x' } })), fails('TransientError', 'server', { text: 'a' })],
  ['failed for its rate', 'openai-responses', sse(response('failed', { error: { code: 'rate_limit_exceeded', message: 'Please try again in 1.5s' } })), fails('RateLimitError', 'rate_limit', { retry_after_ms: 1500 })],
  ['an error event', 'openai-responses', sse(delta('a'), { type: 'error', code: 'server_error', message: 'x' }), fails('TransientError', 'server', { text: 'a' })],
  ['a token that ran out', 'copilot', 'IDE token expired: unauthorized: token expired\n', fails('AuthError', 'auth', { retryable: false }), { status: 401, 'content-type': 'text/plain' }],
  ['spent', 'anthropic', refusal('You have reached your specified API usage limits.', { type: 'rate_limit_error' }), fails('RateLimitError', 'quota', { retryable: false }), { status: 429 }],
  ['refused', 'anthropic', sse({ type: 'message_start', message: {} }, { type: 'message_delta', delta: { stop_reason: 'refusal' } }, { type: 'message_stop' }), { stop: 'refusal' }],
  ['a malformed call', 'gemini', sse({ candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] }), fails('TransientError', 'malformed', { retryable: true })],
  ['a status inside', 'gemini', sse(candidate([{ text: 'a' }]), { error: { status: 'RESOURCE_EXHAUSTED', message: 'x' } }), fails('RateLimitError', 'rate_limit', { text: 'a' })],
  ['a wait in the text', 'gemini', refusal('You exceeded your current quota, see billing. Please retry in 12.5s.', { status: 'RESOURCE_EXHAUSTED' }), fails('RateLimitError', 'rate_limit', { retry_after_ms: 12_500 }), { status: 429 }],
  ['no tools', 'ollama', '{"error":"registry/gemma:2b does not support tools"}', fails('ToolUnsupportedError', 'tools'), { status: 400 }],
  ['no last line', 'ollama', lines({ message: { content: 'a' }, done: false }), fails('TransientError', 'stream_drop', { text: 'a' })],
  ['throttled in 400', 'kiro', '{"__type":"com.amazon#ThrottlingException","message":"slow"}', fails('RateLimitError', 'rate_limit', { retryable: true }), { status: 400 }],
  ['spent for a month', 'kiro', '{"message":"x","reason":"MONTHLY_REQUEST_COUNT"}', fails('RateLimitError', 'quota', { retryable: false }), { status: 402 }],
  ['too long', 'kiro', '{"__type":"ValidationException","message":"x","reason":"CONTENT_LENGTH_EXCEEDS_THRESHOLD"}', fails('ContextOverflowError', 'context'), { status: 400 }],
];

describe('faults over HTTP, beside the shared ones', () => {
  let answer: (response: ServerResponse) => unknown = () => undefined;
  const server = createServer((incoming, outgoing) => {
    incoming.resume().once('end', () => answer(outgoing));
  });
  let url = '';

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  it.each(ROWS.map((row) => [row[0], row[1], row] as const))('%s (%s)', async (_what, provider, [, , body, amounts, head = {}]) => {
    const { status = 200, ...headers } = head;
    const type = provider === 'ollama' ? 'application/x-ndjson' : 'text/event-stream';
    const usual = { 'content-type': status === 200 ? type : 'application/json' };
    answer = (outgoing) => outgoing.writeHead(Number(status), { ...usual, ...headers }).end(body);
    expect(await amount(provider, url)).toMatchObject(amounts);
  });
});

async function amount(provider: string, url: string): Promise<JsonObject> {
  const events: StreamEvent[] = [];
  try {
    const backend = backendOf(provider, url, { idleMs: 5_000, progressMs: 5_000 });
    for await (const event of backend.stream(request, new AbortController().signal)) events.push(event);
    return eventFacts(events);
  } catch (error) {
    if (!(error instanceof BackendError)) throw error;
    return { ...eventFacts(events), ...failureFacts(error) };
  }
}
