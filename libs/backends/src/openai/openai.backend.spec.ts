import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { AbortedError, TransientError, userText, type ModelRequest } from '#model';
import { collect, describeBackend, failureOf } from '#testkit';
import { startScriptedServer } from '../scripted/face/scripted-server.js';
import { scriptsByName } from '../scripted/library.js';
import { parseScript } from '../scripted/parse-script.js';
import { OpenAIBackend } from './openai.backend.js';
import type { OpenAIOptions } from './options.js';

const KEY = 'sk-planted-0123456789';

for (const seed of [undefined, 20_260]) {
  describeBackend(`openai over HTTP${seed === undefined ? '' : ` with cuts of seed ${seed}`}`, async (script) => {
    const server = await startScriptedServer({
      scripts: scriptsByName({ conformance: parseScript(script, 'conformance') }),
      key: KEY,
      ...(seed === undefined ? {} : { seed }),
    });
    const backend = new OpenAIBackend(options(server.url, { patience: { idleMs: 1_200, progressMs: 10_000 } }));
    return { backend, active: () => server.active, close: async () => await server.close() };
  });
}

function options(baseUrl: string, more: Partial<OpenAIOptions> = {}): OpenAIOptions {
  return { name: 'openai', baseUrl, key: KEY, defaultModel: undefined, ...more };
}

const request: ModelRequest = { model: 'm', system: '', messages: [userText('go')], tools: [], params: {} };
const never = new AbortController().signal;

interface Served {
  readonly url: string;
  readonly requests: IncomingMessage[];
  readonly sockets: ReadonlySet<unknown>;
  close(): Promise<void>;
}

async function serve(answer: (response: ServerResponse, request: IncomingMessage) => unknown): Promise<Served> {
  const requests: IncomingMessage[] = [];
  const sockets = new Set<unknown>();
  const server = createServer((incoming, response) => {
    requests.push(incoming);
    sockets.add(incoming.socket);
    answer(response, incoming);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}/v1/`, requests, sockets, close };
}

/** Counts how often the event loop comes round, until it is stopped. */
class LoopTurns {
  private turn = 0;
  private isOver = false;
  private readonly noted = new Set<number>();

  constructor() {
    this.next();
  }

  /** Something happens in this turn. */
  note(): void {
    this.noted.add(this.turn);
  }

  /** In how many turns something happened. */
  stop(): number {
    this.isOver = true;
    return this.noted.size;
  }

  private next(): void {
    setImmediate(() => {
      this.turn += 1;
      if (!this.isOver) this.next();
    });
  }
}

const COMPLETE = 'data: {"id":"x","choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\n';

describe('the openai backend', () => {
  let server: Served | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  it.each([400, 401, 403, 404, 429, 500])('a key that the server echoes with %i does not get into the error', async (status) => {
    server = await serve((response, { headers }) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: `no: ${String(headers.authorization)} ${'x'.repeat(300)} ${KEY}` } }));
    });
    const error = await failureOf(new OpenAIBackend(options(server.url)));
    expect(error.message).toContain('no: Bearer [key]');
    expect(JSON.stringify(Object.entries(error)) + String(error.stack) + String(error.cause)).not.toContain(KEY);
  });

  it('a key that is echoed inside the stream does not get out either', async () => {
    server = await serve((response) => response.end(`data: {"error":{"message":"bad ${KEY}","code":401}}\n\n`));
    expect((await failureOf(new OpenAIBackend(options(server.url)))).message).toBe('openai: bad [key]');
  });

  it('without a key no Authorization header is sent, with one it is; extra headers go along', async () => {
    server = await serve((response) => response.end(COMPLETE));
    await collect(new OpenAIBackend(options(server.url, { key: undefined, headers: { 'X-Title': 'ollie' } })));
    await collect(new OpenAIBackend(options(server.url)));
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, `Bearer ${KEY}`]);
    expect(server.requests[0]?.headers['x-title']).toBe('ollie');
    expect(server.requests[0]?.url).toBe('/v1/chat/completions');
  });

  it('takes nothing from variables that only the SDK knows', async () => {
    server = await serve((response) => response.end(COMPLETE));
    const planted = {
      OPENAI_ORG_ID: 'org-planted',
      OPENAI_PROJECT_ID: 'proj-planted',
      OPENAI_API_KEY: 'sk-other',
      OPENAI_CUSTOM_HEADERS: 'Authorization: planted\nX-Planted: planted\nUser-Agent: planted',
    };
    Object.assign(process.env, planted);
    try {
      await collect(new OpenAIBackend(options(server.url, { key: undefined })));
    } finally {
      for (const name of Object.keys(planted)) Reflect.deleteProperty(process.env, name);
    }
    expect(server.requests).toHaveLength(1);
    expect(JSON.stringify(server.requests[0]?.headers)).not.toMatch(/planted|sk-other/);
  });

  it('of those that begin together one is sent each time the event loop comes round', async () => {
    server = await serve((response) => response.end(COMPLETE));
    const backend = new OpenAIBackend(options(server.url));
    await collect(backend); // loads what the first one loads
    const loop = new LoopTurns();
    const note = (): void => loop.note();
    subscribe('http.client.request.start', note);
    await Promise.all(Array.from({ length: 50 }, async () => collect(backend)));
    unsubscribe('http.client.request.start', note);
    expect(loop.stop()).toBeGreaterThanOrEqual(49);
  });

  it('of those that end together one is handed on each time the event loop comes round', async () => {
    const held: ServerResponse[] = [];
    server = await serve((response) => {
      held.push(response);
      if (held.length === 50) for (const each of held) each.end(COMPLETE);
    });
    const backend = new OpenAIBackend(options(server.url));
    const loop = new LoopTurns();
    await Promise.all(Array.from({ length: 50 }, async () => collect(backend).then(() => loop.note())));
    expect(loop.stop()).toBeGreaterThanOrEqual(49);
  });

  it('a byte order mark before an answer is none of it', async () => {
    server = await serve((response) => response.end(`\uFEFF${COMPLETE}`));
    const marked = await collect(new OpenAIBackend(options(server.url)));
    await server.close();
    server = await serve((response) => response.end(COMPLETE));
    expect(marked).toEqual(await collect(new OpenAIBackend(options(server.url))));
  });

  it('sends a request once, whatever the answer invites to', async () => {
    server = await serve((response) => response.writeHead(503, { 'retry-after-ms': '1', 'x-should-retry': 'true' }).end());
    await failureOf(new OpenAIBackend(options(server.url)));
    expect(server.requests).toHaveLength(1);
  });

  it('an abort while nothing has been answered closes the connection', async () => {
    let closed: Promise<unknown> | undefined;
    server = await serve((response) => (closed = once(response, 'close')));
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    expect(await failureOf(new OpenAIBackend(options(server.url)), {}, controller.signal)).toBeInstanceOf(AbortedError);
    await closed;
  });

  it('a server that never answers is idle', async () => {
    server = await serve(() => undefined);
    const error = await failureOf(new OpenAIBackend(options(server.url, { patience: { idleMs: 100, progressMs: 5_000 } })));
    expect([error.name, error.failure.kind]).toEqual(['TransientError', 'idle']);
  });

  it('a server that hangs in the middle of an error answer is idle too', async () => {
    server = await serve((response) => response.writeHead(500).write('{"err'));
    const error = await failureOf(new OpenAIBackend(options(server.url, { patience: { idleMs: 100, progressMs: 5_000 } })));
    expect(error.failure.kind).toBe('idle');
  });

  it('keep-alives alone do not keep a stream alive for ever', async () => {
    server = await serve((response) => {
      const timer = setInterval(() => response.write(': ping\n\n'), 20);
      response.once('close', () => clearInterval(timer));
    });
    const error = await failureOf(new OpenAIBackend(options(server.url, { patience: { idleMs: 5_000, progressMs: 200 } })));
    expect([error.name, error.failure.kind]).toEqual(['TransientError', 'progress']);
  });

  it('a consumer that takes its time is not taken for silence', async () => {
    server = await serve((response) => {
      response.write('data: {"choices":[{"delta":{"content":"a"}}]}\n\n');
      setTimeout(() => response.end(COMPLETE), 20);
    });
    const seen: string[] = [];
    for await (const event of new OpenAIBackend(options(server.url, { patience: { idleMs: 150, progressMs: 150 } })).stream(
      request,
      never,
    )) {
      seen.push(event.type);
      await new Promise((done) => setTimeout(done, 200));
    }
    expect(seen.at(-1)).toBe('done');
  });

  it('a finish reason is the end even if the server breaks the connection after it', async () => {
    server = await serve((response) => response.write(COMPLETE, () => setTimeout(() => response.destroy(), 30)));
    expect((await collect(new OpenAIBackend(options(server.url)))).at(-1)).toMatchObject({ type: 'done', stop: 'stop' });
  });

  it('a model that is answered only by responses is asked so, then and until invalidate', async () => {
    const refusal = {
      error: { message: 'Function tools with reasoning_effort are not supported in /v1/chat/completions. Use /v1/responses' },
    };
    const done = { type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } };
    server = await serve((response, { url }) => {
      if (url === '/v1/responses') response.end(`data: ${JSON.stringify(done)}\n\n`);
      else response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(refusal));
    });
    const backend = new OpenAIBackend(options(server.url));
    for (let turn = 0; turn < 2; turn += 1) expect((await collect(backend)).at(-1)).toMatchObject({ type: 'done', stop: 'stop' });
    expect(server.requests.map(({ url }) => url)).toEqual(['/v1/chat/completions', '/v1/responses', '/v1/responses']);
    backend.invalidate();
    await collect(backend);
    expect(server.requests.slice(3).map(({ url }) => url)).toEqual(['/v1/chat/completions', '/v1/responses']);
  });

  it.each([
    ['as a refusal', 400, (body: string) => body],
    ['inside the stream', 200, (body: string) => `data: ${body}\n\n`],
  ])('what did not fit, told %s with the window, corrects what was known of that', async (_where, status, framed) => {
    const error = { code: 'context_length_exceeded', message: "This model's maximum context length is 4096 tokens." };
    server = await serve((response, { url }) => {
      if (url === '/v1/models')
        response.end(
          JSON.stringify({
            data: [
              { id: 'm', max_model_len: 8192 },
              { id: 'n', max_model_len: 8192 },
            ],
          }),
        );
      else response.writeHead(status).end(framed(JSON.stringify({ error })));
    });
    const backend = new OpenAIBackend(options(server.url));
    await backend.models(never);
    const known = (): readonly unknown[] => ['m', 'n'].map((model) => backend.contextLength(model));
    expect(known()).toEqual([8192, 8192]);
    expect((await failureOf(backend)).name).toBe('ContextOverflowError');
    expect(known()).toEqual([4096, 8192]);
    backend.invalidate();
    expect(known()).toEqual([undefined, undefined]);
  });

  it('a server that refuses both dialects is asked in each once, and a dialect that is named is kept', async () => {
    server = await serve((response) => response.writeHead(400).end('use /v1/responses'));
    for (const dialect of ['auto', 'chat'] as const)
      expect((await failureOf(new OpenAIBackend(options(server.url, { dialect })))).failure.kind).toBe('use_responses');
    expect(server.requests.map(({ url }) => url)).toEqual(['/v1/chat/completions', '/v1/responses', '/v1/chat/completions']);
  });

  it.each([
    ['a finish reason that says so', { choices: [{ delta: {}, finish_reason: 'network_error' }] }],
    ['an error beside it', { choices: [{ delta: {}, finish_reason: 'error', error: { code: 502, message: 'gone' } }] }],
  ])('an answer has failed by %s', async (_what, chunk) => {
    server = await serve((response) =>
      response.end(`data: {"choices":[{"delta":{"content":"hi"}}]}\n\ndata: ${JSON.stringify(chunk)}\n\n`),
    );
    const { name, failure } = await failureOf(new OpenAIBackend(options(server.url)));
    expect([name, failure.kind]).toEqual(['TransientError', 'server']);
  });

  it.each(['text/event-stream', 'text/plain', 'application/json'])('an error that is announced as %s is one', async (type) => {
    server = await serve((response) =>
      response.writeHead(200, { 'content-type': type }).end('{\n "error": {"code": 400, "message": "no"}\n}'),
    );
    expect((await failureOf(new OpenAIBackend(options(server.url)))).name).toBe('RequestError');
  });

  it('[DONE] is the end even if the server keeps the connection open', async () => {
    server = await serve((response) => response.write(`${COMPLETE}data: [DONE]\n\n`));
    const started = performance.now();
    await collect(new OpenAIBackend(options(server.url)));
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('uses a connection again after a complete answer', async () => {
    server = await serve((response) => response.end(`${COMPLETE}data: [DONE]\n\n`));
    const backend = new OpenAIBackend(options(server.url));
    for (let i = 0; i < 3; i += 1) {
      await collect(backend);
      await new Promise((done) => setTimeout(done, 30));
    }
    expect(server.sockets.size).toBe(1);
  });

  it('takes a whole completion from a server that does not stream', async () => {
    server = await serve((response) => {
      response.setHeader('content-type', 'application/json');
      response.end(
        '{"id":"r1","choices":[{"message":{"role":"assistant","content":"whole"},"finish_reason":"stop"}],"usage":{"prompt_tokens":2,"completion_tokens":1}}',
      );
    });
    expect(await collect(new OpenAIBackend(options(server.url)))).toEqual([
      { type: 'start', responseId: 'r1' },
      { type: 'text', text: 'whole' },
      { type: 'usage', usage: { inputTokens: 2, cachedInputTokens: 0, cacheCreationTokens: 0, outputTokens: 1 } },
      { type: 'done', stop: 'stop', responseId: 'r1' },
    ]);
  });

  it.each([
    ['an error with status 200', 'application/json', '{"error":{"message":"upstream died","code":502}}', 'server'],
    ['a page with status 200', 'application/json', '<html>', 'malformed'],
    ['a stream of something else', 'text/event-stream', 'data: <html>\n\n', 'malformed'],
    ['an empty stream', 'text/event-stream', '', 'stream_drop'],
    ['[DONE] alone', 'text/event-stream', 'data: [DONE]\n\n', 'stream_drop'],
  ])('%s is a failure', async (_name, type, body, kind) => {
    server = await serve((response) => response.writeHead(200, { 'content-type': type }).end(body));
    const error = await failureOf(new OpenAIBackend(options(server.url)));
    expect([error.name, error.failure.kind]).toEqual(['TransientError', kind]);
  });

  it('a server that is not there is said to be so, without what stands in its URL', async () => {
    const error = await failureOf(new OpenAIBackend(options('http://127.0.0.1:1/v1?token=hidden')));
    expect(error).toBeInstanceOf(TransientError);
    expect(error.message).toContain('openai: cannot reach http://127.0.0.1:1: ');
    expect(error.message).not.toContain('hidden');
  });

  it.each(['sk-planted\nsk-second', 'sk-planted…'])('a key that no header can carry (%j) is said to be so, and not shown', async (key) => {
    const error = await failureOf(new OpenAIBackend(options('http://127.0.0.1:1/v1', { key })));
    expect([error.name, error.message]).toEqual(['AuthError', 'openai: the key holds a character that no HTTP header can carry']);
  });

  it('what the SDK refuses to send is a failure like any other, and does not show the key', async () => {
    const headers = { 'X-Title': `a\nb ${KEY}` };
    const error = await failureOf(new OpenAIBackend(options('http://127.0.0.1:1/v1', { headers })));
    expect([error.name, error.retryable]).toEqual(['RequestError', false]);
    expect(error.message).not.toContain(KEY);
  });

  it('a setting that is no URL is named', async () => {
    const error = await failureOf(new OpenAIBackend(options('localhost')));
    expect([error.name, error.message]).toEqual(['RequestError', 'openai: not a URL: localhost']);
  });

  it('a model list that fails is asked for again', async () => {
    let status = 500;
    server = await serve((response) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"data":[{"id":"b"},{"id":"a"}]}'),
    );
    const backend = new OpenAIBackend(options(server.url));
    await expect(backend.models(never)).rejects.toBeInstanceOf(TransientError);
    status = 200;
    expect(await backend.models(never)).toEqual([{ id: 'b' }, { id: 'a' }]);
    await backend.models(never);
    expect(server.requests).toHaveLength(2);
  });
});
