import { userText, type AssistantMessage, type Message, type StreamEvent } from '#model';
import { collect, describeBackend, failureOf, loopbackServer } from '#testkit';
import { startScriptedServer, type ScriptedServer } from '../../scripted/face/scripted-server.js';
import { scriptsByName } from '../../scripted/library.js';
import { parseScript } from '../../scripted/parse-script.js';
import { OpenAIBackend } from '../openai.backend.js';

const KEY = 'sk-planted-0123456789';

const backendAt = (baseUrl: string): OpenAIBackend =>
  new OpenAIBackend({
    name: 'openai',
    baseUrl,
    key: KEY,
    defaultModel: undefined,
    dialect: 'responses',
    patience: { idleMs: 1_200, progressMs: 10_000 },
  });

for (const seed of [undefined, 20_260]) {
  describeBackend(`openai by responses over HTTP${seed === undefined ? '' : ` with cuts of seed ${seed}`}`, async (script) => {
    const server = await startScriptedServer({
      scripts: scriptsByName({ conformance: parseScript(script, 'conformance') }),
      key: KEY,
      ...(seed === undefined ? {} : { seed }),
    });
    return { backend: backendAt(server.url), active: () => server.active, close: async () => await server.close() };
  });
}

/** An answer as agents keep it. */
function kept(events: readonly StreamEvent[]): Message {
  return {
    role: 'assistant',
    content: events.flatMap((event): AssistantMessage['content'] => {
      if (event.type === 'replay') return [event.block];
      return event.type === 'text' ? [{ type: 'text', text: event.text }] : [];
    }),
    toolCalls: events.flatMap((event) => (event.type === 'toolCall' ? [event.call] : [])),
  };
}

describe('reasoning that a strict server has encrypted', () => {
  const steps = [
    { when: { lastTool: { name: 'ls' } }, think: 'good', say: 'done' },
    { think: 'let me look', say: 'Looking.', calls: [{ tool: 'ls' }, { tool: 'ls' }] },
  ];
  const tools = [{ name: 'ls', description: 'lists', parameters: { type: 'object', properties: {} } }];
  let server: ScriptedServer;
  beforeAll(async () => {
    const scripts = scriptsByName({ m: parseScript({ order: 'any', steps }, 'm'), n: parseScript({ order: 'any', steps }, 'n') });
    server = await startScriptedServer({ scripts, key: KEY });
  });
  afterAll(async () => await server.close());

  async function conversation(model: string, backend = backendAt(server.url)): Promise<readonly Message[]> {
    const messages: Message[] = [userText('go')];
    const first = kept(await collect(backend, { model, tools, messages }));
    messages.push(first);
    for (const call of first.role === 'assistant' ? first.toolCalls : [])
      messages.push({ role: 'tool', toolCallId: call.id, toolName: 'ls', content: [{ type: 'text', text: 'a.c' }], isError: false });
    messages.push(kept(await collect(backend, { model, tools, messages })), userText('thanks'));
    return messages;
  }

  it('goes back as it was, turn by turn', async () => {
    const messages = await conversation('m');
    expect(kept(await collect(backendAt(server.url), { model: 'm', tools, messages })).content.at(-1)).toMatchObject({ type: 'text' });
    expect(server.requests.at(-1)?.body.split('"encrypted_content":')).toHaveLength(3);
  });

  it('stays away from another model, which would refuse it', async () => {
    const messages = await conversation('m');
    await collect(backendAt(server.url), { model: 'n', tools, messages });
    expect(server.requests.at(-1)?.body).not.toContain('"encrypted_content":');
  });
});

describe('reasoning that a server does not take back', () => {
  let server: ScriptedServer;
  beforeAll(async () => {
    const scripts = scriptsByName({ m: parseScript({ order: 'any', steps: [{ say: 'ok' }] }, 'm') });
    server = await startScriptedServer({ scripts, key: KEY });
  });
  afterAll(async () => await server.close());

  const foreign = (id: string, text: string): Message => ({
    role: 'assistant',
    content: [
      {
        type: 'replay',
        provider: 'openai',
        model: 'm',
        data: { type: 'reasoning', id, summary: [], encrypted_content: 'of another account' },
      },
      { type: 'text', text },
    ],
    toolCalls: [],
  });

  it('is left out, then and from then on', async () => {
    const backend = backendAt(server.url);
    const messages = [userText('a'), foreign('rs_1', 'b'), userText('c')];
    expect((await collect(backend, { messages })).at(-1)).toMatchObject({ type: 'done' });
    expect(server.requests.map(({ body }) => body.includes('another account'))).toEqual([true, false]);
    await collect(backend, { messages: [...messages, foreign('rs_2', 'd'), userText('e')] });
    expect(server.requests.slice(2).map(({ body }) => body.split('another account').length - 1)).toEqual([1, 0]);
    await collect(backend, { messages });
    expect(server.requests).toHaveLength(5);
    expect(messages[1]).toEqual(foreign('rs_1', 'b'));
  });

  it('is an error where nothing can be left out', async () => {
    const refusing = await startScriptedServer({
      scripts: scriptsByName({
        m: parseScript(
          {
            order: 'any',
            steps: [{ fail: { times: 9, status: 400, body: { error: { message: 'no', code: 'invalid_encrypted_content' } } } }],
          },
          'm',
        ),
      }),
      key: KEY,
    });
    const error = await failureOf(backendAt(refusing.url));
    expect([error.name, error.failure.kind, refusing.requests.length]).toEqual(['RequestError', 'replay', 1]);
    await refusing.close();
  });
});

describe('responses over HTTP', () => {
  const server = loopbackServer((response) => response.end());
  const backend = () => backendAt(`${server.url}/v1`);

  it('a whole response is taken from a server that does not stream', async () => {
    server.answer = (response) => {
      response.setHeader('content-type', 'application/json');
      response.end(
        '{"id":"r1","object":"response","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"whole"}]}]}',
      );
    };
    expect(await collect(backend())).toEqual([
      { type: 'start', responseId: 'r1' },
      { type: 'text', text: 'whole' },
      { type: 'done', stop: 'stop', responseId: 'r1' },
    ]);
  });

  it('the end is the end even if the server keeps the connection open', async () => {
    server.answer = (response) => response.write('data: {"type":"response.completed","response":{"status":"completed"}}\n\n');
    const started = performance.now();
    expect(await collect(backend())).toEqual([{ type: 'done', stop: 'stop' }]);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it.each([
    ['event: error\ndata: {"type":"error","code":"server_error","message":"no: KEY"}\n\n', 'server'],
    ['data: {"type":"response.failed","response":{"error":{"code":"rate_limit_exceeded","message":"no: KEY"}}}\n\n', 'rate_limit'],
  ])('a key that comes back in a stream does not get into the error: %s', async (body, kind) => {
    server.answer = (response) => response.end(body.replace('KEY', KEY));
    const error = await failureOf(backend());
    expect([error.failure.kind, error.message]).toEqual([kind, 'openai: no: [key]']);
  });

  it('many calls in pieces take no more than their share of time', async () => {
    const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
    server.answer = (response) => {
      const calls = Array.from({ length: 20_000 }, (_, output_index) =>
        [
          event({
            type: 'response.output_item.added',
            output_index,
            item: { type: 'function_call', call_id: `c${output_index}`, name: 'ls' },
          }),
          event({ type: 'response.function_call_arguments.delta', output_index, delta: '{}' }),
        ].join(''),
      );
      response.end(calls.join('') + event({ type: 'response.completed', response: { status: 'completed' } }));
    };
    const started = performance.now();
    expect((await collect(backend())).filter(({ type }) => type === 'toolCall')).toHaveLength(20_000);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
