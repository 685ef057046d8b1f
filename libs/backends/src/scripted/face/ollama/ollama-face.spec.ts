import { parseYaml } from '#config';
import { userText, type JsonObject, type Message } from '#model';
import { askWithShell, describeBackend, okResults, questionForCalls } from '#testkit';
import { OllamaBackend } from '../../../ollama/ollama.backend.js';
import { parseScript } from '../../parse-script.js';
import { scriptsByName } from '../../library.js';
import { startScriptedServer, type ScriptedServer, type ScriptedServerOptions } from '../scripted-server.js';

const KEY = 'k-planted-0123456789';
const options = (baseUrl: string | undefined) => ({
  name: 'ollama',
  baseUrl: baseUrl ?? '',
  key: KEY,
  defaultModel: undefined,
  numCtx: undefined,
});

describeBackend(
  'ollama over HTTP, byte by byte',
  async (script) => {
    const scripts = scriptsByName({ conformance: parseScript(script, 'conformance') });
    const server = await startScriptedServer({ scripts, key: KEY, chunk: 'bytes' });
    const backend = new OllamaBackend({ ...options(server.urls.ollama), patience: { idleMs: 1_200, progressMs: 10_000 } });
    return { backend, active: () => server.active, close: async () => await server.close() };
  },
  ['arguments that are not JSON'],
);

const SCRIPT = `order: any
contextLength: 2000
steps:
  - { when: { lastTool: { name: shell } }, think: good, say: 'it was {{tool}}' }
  - { when: { lastUser: call }, think: hm, say: I look, calls: [{ tool: shell, args: { cmd: ls } }, { tool: shell, args: {} }] }
  - { when: { lastUser: busy }, say: half of it, fail: { status: 500, after: 6, message: out of memory } }
  - { when: { lastUser: refuse }, fail: { status: 429, headers: { retry-after: 3 } } }
  - { say: hello }`;

describe('the face of Ollama', () => {
  let server: ScriptedServer;
  const start = async (more: Partial<ScriptedServerOptions> = {}): Promise<void> => {
    server = await startScriptedServer({ scripts: scriptsByName({ s: parseScript(parseYaml(SCRIPT, 's'), 's') }), ...more });
  };
  afterEach(async () => await server.close());

  const ask = async (path: string, body?: object): Promise<Response> =>
    await fetch(`${server.urls.ollama ?? ''}/api/${path}`, body ? { method: 'POST', body: JSON.stringify(body) } : {});
  const whole = async (more: object): Promise<JsonObject> => {
    const response = await ask('chat', { model: 's', messages: [hi], stream: false, ...more });
    const answer: unknown = await response.json();
    return { status: response.status, ...(answer as JsonObject) }; // what it is comes out in the comparisons
  };
  const hi = { role: 'user', content: 'hi' };

  it('streams lines, unless it shall not', async () => {
    await start();
    const stream = await ask('chat', { model: 's:latest', messages: [{ role: 'user', content: 'call' }] });
    expect(stream.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = (await stream.text()).trimEnd().split('\n');
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
      { message: { thinking: 'hm' }, done: false },
      { message: { content: '[scripted] I loo' }, done: false },
      { message: { content: 'k' }, done: false },
      {
        message: { tool_calls: [{ function: { name: 'shell', arguments: { cmd: 'ls' } } }, { function: { name: 'shell' } }] },
        done: false,
      },
      { done: true, done_reason: 'stop', prompt_eval_count: expect.any(Number), eval_count: expect.any(Number) },
    ]);
    expect(await whole({})).toMatchObject({ status: 200, message: { content: '[scripted] hello' }, done: true });
  });

  it('tells of its models', async () => {
    await start();
    expect(await (await ask('tags')).json()).toMatchObject({ models: [{ name: 's', model: 's' }] });
    expect(await (await ask('ps')).json()).toMatchObject({ models: [{ name: 's', context_length: 2000 }] });
    expect(await (await ask('show', { model: 's' })).json()).toMatchObject({
      model_info: { 'general.architecture': 'scripted', 'scripted.context_length': 2000 },
      capabilities: expect.arrayContaining(['tools', 'thinking', 'vision']),
    });
    expect((await ask('show', { model: 'gone' })).status).toBe(404);
  });

  it('fails in words of its own, in a stream too', async () => {
    await start();
    expect(await whole({ messages: [{ role: 'user', content: 'refuse' }] })).toEqual({ status: 429, error: 'scripted failure 429' });
    const stream = await ask('chat', { model: 's', messages: [{ role: 'user', content: 'busy' }] });
    expect(await stream.text()).toMatch(/"content":"\[scrip".*\n\{"error":"out of memory"\}\n$/s);
    expect(await whole({ model: 'gone' })).toMatchObject({ status: 404 });
  });

  it('leaves out what does not fit without a word, unless it may not', async () => {
    await start();
    const long = { messages: [{ role: 'user', content: 'x'.repeat(9000) }] };
    expect(await whole(long)).toMatchObject({ status: 200, prompt_eval_count: 2000 });
    expect(await whole({ ...long, options: { num_ctx: 100 } })).toMatchObject({ status: 200, prompt_eval_count: 100 });
    expect(await whole({ ...long, truncate: false })).toEqual({ status: 400, error: 'the input length exceeds the context length' });
  });

  const call = { function: { name: 'shell', arguments: {} } };
  const asked = (...calls: readonly object[]): object[] => [hi, { role: 'assistant', content: '', tool_calls: calls }];
  const result = { role: 'tool', tool_name: 'shell', content: 'x' };

  it.each<[string, object]>([
    ['model is required', { model: '' }],
    ['invalid role: "robot", must be one of ["system", "user", "assistant", "tool"] (messages[0])', { messages: [{ role: 'robot' }] }],
    [
      'cannot unmarshal array into Go struct field ChatRequest.messages.content of type string (messages[0].content)',
      { messages: [{ role: 'user', content: [] }] },
    ],
    ['messages[0].images[0]: illegal base64 data', { messages: [{ ...hi, images: ['data:image/png;base64,AA'] }] }],
    ['cannot unmarshal string into Go struct field', { messages: [...asked({ function: { name: 'a', arguments: '{}' } }), result] }],
    ['messages[2]: tool call without a tool result behind it', { messages: [...asked(call), hi] }],
    ['messages[1]: tool call without a tool result behind it', { messages: asked(call) }],
    ['messages[3]: tool result without a tool call before it', { messages: [...asked(call), result, result] }],
    ['messages[2]: tool result without a tool call before it', { messages: [...asked(call), { ...result, tool_name: 'cat' }] }],
    ['invalid think value: "hard"', { think: 'hard' }],
    ['tools[0].function.name: a tool needs a name', { tools: [{ type: 'function', function: {} }] }],
    ['messages[0].content: invalid surrogate in string', { messages: [{ role: 'user', content: '\uD83D' }] }],
  ])('refuses: %s', async (why, more) => {
    await start();
    expect(await whole(more)).toEqual({ status: 400, error: expect.stringContaining(why) });
  });

  it('takes what our own backend sends of a conversation that it has had', async () => {
    await start();
    const backend = new OllamaBackend(options(server.urls.ollama));
    const { calls } = await askWithShell(backend, 's', [questionForCalls]);
    expect(calls).toMatchObject([
      { name: 'shell', arguments: { cmd: 'ls' } },
      { name: 'shell', arguments: {} },
    ]);
    const said: Message = { role: 'assistant', content: [{ type: 'text', text: 'I look' }], toolCalls: calls };
    const answered: readonly Message[] = [questionForCalls, said, ...okResults(calls)];
    expect((await askWithShell(backend, 's', answered)).text).toBe('[scripted] it was ok');
    const last: Message = { role: 'assistant', content: [{ type: 'text', text: 'so' }], toolCalls: [] };
    const { events } = await askWithShell(backend, 's', [...answered, last, userText('thanks')]);
    expect(events.at(-1)).toMatchObject({ type: 'done', stop: 'stop' });
  });
});
