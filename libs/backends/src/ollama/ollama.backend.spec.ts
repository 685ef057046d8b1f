import type { ServerResponse } from 'node:http';
import { AbortedError, type JsonObject, type JsonValue } from '#model';
import { collect, failureOf, LoopbackServer, loopbackServer } from '#testkit';
import { objectField, numberField } from '../wire/json-fields.js';
import { object } from '../stream-cases/cases.js';
import { OllamaBackend } from './ollama.backend.js';
import type { OllamaOptions } from './options.js';

const KEY = 'sk-planted-0123456789';
const never = new AbortController().signal;
const DONE = '{"message":{"content":"hi"},"done":true,"done_reason":"stop"}\n';

describe('the ollama backend', () => {
  /** By path; everything else is not found. */
  let answers: Record<string, (response: ServerResponse, body: JsonValue) => unknown> = {};
  const server = loopbackServer((response, { path = '', body }) =>
    answers[path] ? answers[path](response, body) : response.writeHead(404).end('404 page not found'),
  );
  const { requests: seen } = server;
  beforeEach(() => {
    answers = { '/api/chat': lines(DONE) };
  });

  const lines = (text: string) => (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(text);
  const json = (value: JsonValue) => (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const refuses = (status: number, error: string) => (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  const backend = (more: Partial<OllamaOptions> = {}): OllamaBackend =>
    new OllamaBackend({ name: 'ollama', baseUrl: server.url, key: undefined, defaultModel: undefined, ...more });
  const sentWindow = (): number | undefined =>
    numberField(objectField(object(seen.findLast(({ path }) => path === '/api/chat')?.body ?? {}), 'options'), 'num_ctx');

  it('streams an answer, and asks about the model only once', async () => {
    const one = backend();
    answers['/api/show'] = json({ capabilities: ['completion'] });
    for (let i = 0; i < 3; i += 1) expect((await collect(one)).map(({ type }) => type)).toEqual(['text', 'done']);
    expect(seen.map(({ path }) => path)).toEqual(['/api/ps', '/api/show', '/api/chat', '/api/chat', '/api/chat']);
    one.invalidate();
    await collect(one);
    expect(seen.slice(5).map(({ path }) => path)).toEqual(['/api/ps', '/api/show', '/api/chat']);
  });

  it.each(['', '/', '/api', '/v1/'])('the address may end in %p', async (end) => {
    await collect(backend({ baseUrl: server.url + end }));
    expect(seen.at(-1)?.path).toBe('/api/chat');
  });

  it.each<[string, JsonObject, JsonObject, number | undefined, number]>([
    ['what was set', { parameters: 'num_ctx 8192' }, { context_length: 2_048 }, 32_768, 32_768],
    [
      'the Modelfile',
      { parameters: 'stop "x"\nnum_ctx                        8192\ntop_k 3' },
      { context_length: 2_048 },
      undefined,
      8_192,
    ],
    ['the loaded model', {}, { context_length: 2_048 }, undefined, 2_048],
    ['nobody', {}, {}, undefined, 16_384],
    ['nobody, of a model that was trained for less', trainedFor(4_096), {}, undefined, 4_096],
    ['what was set, but not more than it was trained for', trainedFor(4_096), {}, 32_768, 4_096],
    ['nobody, of a model of the cloud', { ...trainedFor(131_072), remote_host: 'https://ollama.com' }, {}, undefined, 131_072],
  ])('the window is that of %s', async (_whose, show, loaded, numCtx, expected) => {
    answers['/api/show'] = json(show);
    answers['/api/ps'] = json({ models: [{ name: 'm:latest', model: 'm:latest', ...loaded }] });
    const one = backend({ numCtx });
    await collect(one);
    expect([sentWindow(), one.contextLength('m')]).toEqual([expected, expected]);
  });

  it('a window is named also when the server tells nothing', async () => {
    await collect(backend());
    expect(sentWindow()).toBe(16_384);
    await collect(backend({ numCtx: 4_096 }));
    expect(sentWindow()).toBe(4_096);
  });

  it('lists the models with what they can do', async () => {
    answers['/api/tags'] = json({ models: [{ name: 'b:1', model: 'b:1' }, { name: 'a:1' }, { model: '' }, 7, { name: 'broken' }] });
    answers['/api/show'] = (response, body) => {
      const { model } = object(body);
      if (model === 'broken') refuses(500, 'cannot read it')(response);
      else json({ capabilities: model === 'a:1' ? ['completion', 'tools', 'vision', 'thinking'] : ['completion'] })(response);
    };
    const one = backend();
    const contextLength = 16_384;
    expect(await one.models(never)).toEqual([
      { id: 'b:1', contextLength, capabilities: { tools: false, images: false, reasoning: false } },
      { id: 'a:1', contextLength, capabilities: { tools: true, images: true, reasoning: true } },
      { id: 'broken' },
    ]);
    expect(one.capabilities('a:1')).toEqual({ tools: true, images: true, reasoning: true });
  });

  it('asks about some models at the same time', async () => {
    const ids = Array.from({ length: 20 }, (_, n) => `m${n}`);
    let [open, most] = [0, 0];
    answers['/api/tags'] = json({ models: ids.map((model) => ({ model })) });
    answers['/api/show'] = (response) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        json({})(response);
      }, 20);
    };
    expect((await backend().models(never)).map(({ id }) => id)).toEqual(ids);
    expect(most).toBe(8);
  });

  it.each<[number, string, string, JsonObject]>([
    [400, '"tiny" does not support tools', 'ToolUnsupportedError', { kind: 'tools' }],
    [404, "model 'tiny' not found", 'RequestError', { kind: 'not_found' }],
    [401, 'unauthorized', 'AuthError', { kind: 'auth' }],
    [402, 'this model needs a subscription', 'RateLimitError', { kind: 'quota' }],
    [429, 'too many concurrent requests', 'RateLimitError', { kind: 'rate_limit' }],
    [500, 'llama runner process has terminated', 'TransientError', { kind: 'server' }],
    [
      400,
      'the prompt is longer than the context length currently available to the model; shorten it',
      'ContextOverflowError',
      { kind: 'context' },
    ],
  ])('a refusal: %i %s', async (status, text, name, facts) => {
    answers['/api/chat'] = refuses(status, text);
    const error = await failureOf(backend());
    expect([error.name, error.failure]).toEqual([name, expect.objectContaining({ status, ...facts })]);
    expect(error.message).toContain(text);
  });

  it('a key goes out with every request, and into no message', async () => {
    answers['/api/chat'] = refuses(500, `no: ${KEY}`);
    const error = await failureOf(backend({ key: KEY }));
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(`Bearer ${KEY}`));
    expect(error.message).toBe('ollama: HTTP 500: no: [key]');
  });

  it('a server that is not there is told', async () => {
    const gone = new LoopbackServer(() => undefined);
    await gone.listen();
    gone.close();
    const error = await failureOf(backend({ baseUrl: gone.url }));
    expect([error.name, error.failure.kind]).toEqual(['TransientError', 'network']);
  });

  it.each([
    ['a line cut', '{"message":{"content":"hi"},"done":false}\n{"message":{"cont', 'stream_drop'],
    ['no last line', '{"message":{"content":"hi"},"done":false}\n', 'stream_drop'],
    ['nothing', '', 'stream_drop'],
    ['no JSON', 'oops\n', 'malformed'],
    ['no answer', '{"message":{"content":""},"done":true,"done_reason":"load"}\n', 'empty'],
  ])('an answer with %s is none', async (_what, text, kind) => {
    answers['/api/chat'] = lines(text);
    expect((await failureOf(backend())).failure.kind).toBe(kind);
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['breaks off', (response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{"cap', () => response.destroy())],
    ['falls silent', (response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{"cap')],
    ['is a stream', (response) => response.writeHead(200, { 'content-type': 'application/x-ndjson' }).write('{}\n')],
  ])('what is told of a model and %s is not waited for', async (_what, answer) => {
    answers['/api/show'] = answer;
    expect((await collect(backend({ patience: { idleMs: 100, progressMs: 100 } }))).at(-1)).toEqual({ type: 'done', stop: 'stop' });
  });

  it('an answer that does not stream is one too', async () => {
    answers['/api/chat'] = json({ message: { content: 'hi', thinking: 'hm' }, done: true, done_reason: 'stop' });
    expect(await collect(backend())).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'hi' },
      { type: 'done', stop: 'stop' },
    ]);
  });

  it('an abort ends the wait, also for what is told of the model', async () => {
    for (const path of ['/api/show', '/api/chat']) {
      answers[path] = () => undefined;
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 30);
      expect(await failureOf(backend(), {}, controller.signal)).toBeInstanceOf(AbortedError);
    }
  });

  it('an answer that is complete needs no end', async () => {
    answers['/api/chat'] = (response) => response.writeHead(200, { 'content-type': 'application/x-ndjson' }).write(DONE);
    expect((await collect(backend())).at(-1)).toEqual({ type: 'done', stop: 'stop' });
  });

  it('silence ends as a failure that may be retried', async () => {
    answers['/api/chat'] = (response) => response.writeHead(200).write('{"message":{"content":"hi"},"done":false}\n');
    const error = await failureOf(backend({ patience: { idleMs: 100, progressMs: 1_000 } }));
    expect([error.name, error.failure.kind]).toEqual(['TransientError', 'idle']);
  });
});

function trainedFor(tokens: number): JsonObject {
  return { model_info: { 'general.architecture': 'tiny', 'tiny.context_length': tokens } };
}
