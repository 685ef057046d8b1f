import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { AbortedError, userText, type JsonValue, type ModelRequest } from '#model';
import { collect, failureOf } from '#testkit';
import { OpenAIBackend } from './openai.backend.js';
import type { OpenAIOptions } from './options.js';

const OK = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n';
const request: ModelRequest = { model: 'm', system: '', messages: [userText('go')], tools: [], params: {} };
const never = new AbortController().signal;
const LEVELS = 50_000;

jest.setTimeout(60_000);

const event = (value: JsonValue): string => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: JsonValue, finish: string | null = null): string => event({ choices: [{ delta, finish_reason: finish }] });
const call = (fields: { readonly index?: number; readonly id?: string }, args: string): string =>
  chunk({ tool_calls: [{ ...fields, function: { name: 'shell', arguments: args } }] });
const END = `${chunk({}, 'stop')}data: [DONE]\n\n`;

/** Writes as fast as the reader takes it, until the connection is gone. */
function flood(socket: Socket, piece: string): void {
  const bytes = Buffer.from(piece.repeat(Math.ceil((1 << 20) / piece.length)));
  const pump = (): void => {
    while (!socket.destroyed && socket.write(bytes));
    socket.once('drain', pump);
  };
  pump();
}

function drip(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 20);
  socket.once('close', () => clearInterval(timer));
}

describe('a server that means no good', () => {
  let close: () => Promise<void> = async () => undefined;
  let connections: () => number = () => 0;
  afterEach(async () => await close());

  /** Each connection is played to once its request has begun. */
  async function serve(play: (socket: Socket) => unknown, more: Partial<OpenAIOptions> = {}): Promise<OpenAIBackend> {
    const open = new Set<Socket>();
    const server = createServer((socket) => {
      open.add(socket);
      socket.on('error', () => undefined).once('close', () => open.delete(socket));
      socket.once('data', () => {
        socket.resume();
        play(socket);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    connections = () => [...open].filter((socket) => socket.bytesRead > 0).length;
    close = async () => {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    };
    const patience = { idleMs: 40_000, progressMs: 40_000 };
    return new OpenAIBackend({ name: 'openai', baseUrl: `http://127.0.0.1:${port}/v1`, key: 'sk-1', defaultModel: 'm', patience, ...more });
  }

  async function untilClosed(): Promise<void> {
    while (connections() > 0) await new Promise((done) => setTimeout(done, 10));
  }

  it('a delta of 10 MB comes whole', async () => {
    const text = '\\"\n'.repeat(3_400_000);
    const backend = await serve((socket) => socket.end(OK + chunk({ content: text }) + END));
    const [first] = await collect(backend);
    expect(first?.type === 'text' && first.text === text).toBe(true);
  });

  it('NUL and lone surrogates are text', async () => {
    const backend = await serve((socket) => socket.end(`${OK}data: {"choices":[{"delta":{"content":"a\\u0000\\ud800"}}]}\n\n${END}`));
    expect(await collect(backend)).toEqual([
      { type: 'text', text: 'a\0\ud800' },
      { type: 'done', stop: 'stop' },
    ]);
  });

  it.each([
    ['an event without end', 'data: ', 'x'],
    ['an event of endless lines', '', 'data: x\n'],
    ['an answer without end', '', `: ${'x'.repeat(1000)}\n`],
  ])('%s is given up', async (_name, start, piece) => {
    const backend = await serve((socket) => {
      socket.write(OK + start);
      flood(socket, piece);
    });
    expect((await failureOf(backend)).message).toBe('openai: answer is too large');
    await untilClosed();
  });

  it('a body that is not a stream is given up when it is larger than any answer', async () => {
    const body = JSON.stringify({ choices: [{ message: { content: 'x'.repeat(33 * 1024 * 1024) }, finish_reason: 'stop' }] });
    const backend = await serve((socket) => socket.end(OK.replace('text/event-stream', 'application/json') + body));
    expect((await failureOf(backend)).message).toBe('openai: answer is too large');
  });

  it('a reader that stops closes the connection', async () => {
    const backend = await serve((socket) => socket.write(OK + chunk({ content: 'hi' })));
    for await (const one of backend.stream(request, never)) if (one.type === 'text') break;
    await untilClosed();
    expect(connections()).toBe(0);
  });

  it('a refusal without end is read to 64 KiB', async () => {
    const backend = await serve((socket) => {
      socket.write('HTTP/1.1 418 No\r\nconnection: close\r\n\r\n');
      flood(socket, 'tea ');
    });
    const error = await failureOf(backend);
    expect([error.failure.kind, error.failure.status]).toEqual(['request', 418]);
    await untilClosed();
  });

  it('chunks of nothing are keep-alives', async () => {
    const play = (socket: Socket): void => {
      socket.write(OK);
      drip(socket, event({}) + chunk({ content: '' }));
    };
    const backend = await serve(play, { patience: { idleMs: 40_000, progressMs: 1_000 } });
    expect((await failureOf(backend)).failure.kind).toBe('progress');
  });

  it('keep-alives after the finish do not hold the answer back', async () => {
    const backend = await serve((socket) => {
      socket.write(`${OK}${chunk({ content: 'hi' }, 'stop')}data: [DONE]\n\n`);
      drip(socket, `: ping\n\n${event({})}`);
    });
    const started = performance.now();
    expect((await collect(backend)).at(-1)).toEqual({ type: 'done', stop: 'stop' });
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it.each<[string, () => string, number]>([
    ['calls by index', () => Array.from({ length: 50_000 }, (_, i) => call({ index: i, id: `c${i}` }, '{}')).join(''), 50_000],
    ['calls without id and index', () => call({}, '{}').repeat(50_000), 50_000],
    ['pieces that repeat the name', () => call({}, '{"a":"') + call({}, '}'.repeat(40)).repeat(50_000) + call({}, '"}'), 1],
  ])('very many %s take time in proportion', async (_name, calls, count) => {
    const body = calls();
    const backend = await serve((socket) => socket.end(OK + body + chunk({}, 'tool_calls')));
    const started = performance.now();
    const events = await collect(backend);
    expect(events.filter(({ type }) => type === 'toolCall')).toHaveLength(count);
    expect(performance.now() - started).toBeLessThan(12_000);
  });

  it('arguments that are nested without end are no arguments', async () => {
    const deep = `{"a":${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}}`;
    const backend = await serve((socket) => socket.end(OK + call({ index: 0, id: 'c' }, deep) + chunk({}, 'tool_calls')));
    const [first] = await collect(backend);
    expect(first).toMatchObject({ call: { arguments: {}, argumentsError: 'nested too deeply' } });
  });

  it.each([
    ['a chunk', (body: string) => `${OK}data: ${body}\n\n`, 'malformed'],
    ['a refusal', (body: string) => `HTTP/1.1 400 No\r\nconnection: close\r\n\r\n${body}`, 'request'],
  ])('%s that is nested without end is a failure', async (_name, answer, kind) => {
    const body = `${'{"error":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`;
    const backend = await serve((socket) => socket.end(answer(body)));
    expect((await failureOf(backend)).failure.kind).toBe(kind);
  });

  it('an id that could not be sent back is replaced', async () => {
    const ids = ['\ud800', 'a\nb', 'x'.repeat(300), 'functions.ls:0'];
    const backend = await serve((socket) =>
      socket.end(OK + ids.map((id, index) => call({ index, id }, '{}')).join('') + chunk({}, 'tool_calls')),
    );
    const events = await collect(backend);
    const given = events.flatMap((one) => (one.type === 'toolCall' ? [one.call.id] : []));
    expect(given.map((id) => /^call_[0-9a-f]{24}$/.test(id))).toEqual([true, true, true, false]);
    expect(given[3]).toBe('functions.ls:0');
  });

  it.each([
    ['before the answer', ''],
    ['in the status line', 'HTTP/1.1 20'],
    ['in the headers', OK.slice(0, -10)],
    ['after the headers', OK],
    ['in a character', `${OK}data: {"choices":[{"delta":{"content":"\xc3`],
    ['in an event', OK + chunk({ content: 'hi' }).slice(0, -12)],
    ['after text', OK + chunk({ content: 'hi' })],
    ['after a call', OK + call({ index: 0, id: 'c' }, '{}')],
    ['in a refusal', 'HTTP/1.1 500 No\r\ncontent-length: 100\r\n\r\n{"err'],
  ])('a reset %s is a failure that may be tried again', async (_phase, start) => {
    const backend = await serve((socket) =>
      socket.write(Buffer.from(start, 'latin1'), () => setTimeout(() => socket.resetAndDestroy(), 20)),
    );
    expect((await failureOf(backend)).retryable).toBe(true);
  });

  it('a reset in what comes after the finish does not spoil the answer', async () => {
    const start = `${OK}${chunk({ content: 'hi' }, 'stop')}data: {"usage":{"prompt`;
    const backend = await serve((socket) => socket.write(start, () => setTimeout(() => socket.resetAndDestroy(), 20)));
    expect((await collect(backend)).at(-1)).toEqual({ type: 'done', stop: 'stop' });
  });

  it.each([
    ['before the answer', ''],
    ['in the headers', OK.slice(0, -10)],
    ['after text', OK + chunk({ content: 'hi' })],
    ['in a refusal', 'HTTP/1.1 500 No\r\ncontent-length: 100\r\n\r\n{"err'],
    ['after the finish', OK + chunk({ content: 'hi' }, 'stop')],
  ])('an abort %s closes the connection', async (_phase, start) => {
    const backend = await serve((socket) => socket.write(start));
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    expect(await failureOf(backend, {}, controller.signal)).toBeInstanceOf(AbortedError);
    await untilClosed();
  });
});
