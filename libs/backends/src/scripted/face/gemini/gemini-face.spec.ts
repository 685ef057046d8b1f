import { parseYaml } from '#config';
import { isJsonObject, userText, type JsonObject, type Message } from '#model';
import { askWithShell, describeBackend, okResults, questionForCalls, smallImage } from '#testkit';
import { GeminiBackend } from '../../../gemini/gemini.backend.js';
import { parseScript } from '../../parse-script.js';
import { scriptsByName } from '../../library.js';
import { startScriptedServer, type ScriptedServer, type ScriptedServerOptions } from '../scripted-server.js';

const KEY = 'k-planted-0123456789';

describeBackend(
  'gemini over HTTP, byte by byte',
  async (script) => {
    const scripts = scriptsByName({ conformance: parseScript(script, 'conformance') });
    const server = await startScriptedServer({ scripts, key: KEY, chunk: 'bytes' });
    const backend = new GeminiBackend({
      name: 'gemini',
      baseUrl: server.urls.gemini ?? '',
      key: KEY,
      defaultModel: undefined,
      patience: { idleMs: 1_200, progressMs: 10_000 },
    });
    return { backend, active: () => server.active, close: async () => await server.close() };
  },
  ['arguments that are not JSON'],
);

const SCRIPT = `order: any
contextLength: 2000
steps:
  - { when: { lastTool: { name: shell } }, think: good, say: 'it was {{tool}}' }
  - { when: { lastUser: call }, think: hm, say: I look, calls: [{ tool: shell, args: { cmd: ls } }, { tool: shell, args: {} }] }
  - { when: { lastUser: broken }, calls: [{ tool: shell, raw: '{"cmd": ls' }] }
  - { when: { lastUser: busy }, say: half of it, fail: { status: 503, after: 6, message: overloaded } }
  - { when: { lastUser: refuse }, fail: { status: 429, headers: { retry-after: 3 } } }
  - { say: hello }`;
const MODEL = 'gemini-3-pro';

describe('the face of Gemini', () => {
  let server: ScriptedServer;
  const start = async (more: Partial<ScriptedServerOptions> = {}): Promise<void> => {
    server = await startScriptedServer({ scripts: scriptsByName({ [MODEL]: parseScript(parseYaml(SCRIPT, 's'), 's') }), ...more });
  };
  afterEach(async () => await server.close());

  const post = async (body: object, action = 'generateContent', headers: Record<string, string> = {}): Promise<Response> =>
    await fetch(`${server.urls.gemini ?? ''}/v1beta/models/${MODEL}:${action}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const whole = async (body: object): Promise<JsonObject> => {
    const response = await post(body);
    const answer: unknown = await response.json();
    return { status: response.status, ...(answer as JsonObject) }; // what it is comes out in the comparisons
  };
  const asked = (text: string): object => ({ contents: [{ role: 'user', parts: [{ text }] }] });

  it('answers in one piece, with thoughts, signed calls and usage in its own form', async () => {
    await start();
    expect(await whole(asked('call'))).toMatchObject({
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { text: 'hm', thought: true },
              { text: '[scripted] I look' },
              { functionCall: { name: 'shell', args: { cmd: 'ls' } }, thoughtSignature: expect.any(String) },
              { functionCall: { name: 'shell', args: {} } },
            ],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { promptTokenCount: expect.any(Number), candidatesTokenCount: expect.any(Number), thoughtsTokenCount: 1 },
    });
    expect(await whole(asked('broken'))).toMatchObject({ candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] });
  });

  it('lists models, and counts before it answers', async () => {
    await start();
    const list = await (await fetch(`${server.urls.gemini ?? ''}/v1beta/models`)).json();
    expect(list).toMatchObject({ models: [{ name: `models/${MODEL}`, inputTokenLimit: 2000 }] });
    expect(await (await post(asked('hi'), 'countTokens')).json()).toEqual({ totalTokens: expect.any(Number) });
  });

  it('fails in words and statuses of its own, in a stream too', async () => {
    await start({ key: KEY });
    const refusal = async (text: string, headers = { 'x-goog-api-key': KEY }): Promise<unknown> =>
      await (await post(asked(text), 'generateContent', headers)).json();
    expect(await refusal('refuse')).toMatchObject({
      error: { code: 429, status: 'RESOURCE_EXHAUSTED', details: [{ retryDelay: '3s' }] },
    });
    expect(await refusal('hi', { 'x-goog-api-key': 'other' })).toMatchObject({
      error: { code: 400, details: [{ reason: 'API_KEY_INVALID' }] },
    });
    expect(await (await post(asked('hi'))).json()).toMatchObject({ error: { code: 403, status: 'PERMISSION_DENIED' } });
    expect(await refusal('x'.repeat(9000))).toMatchObject({
      error: { message: expect.stringMatching(/input token count \(\d+\) exceeds the maximum number of tokens allowed \(2000\)/) },
    });
    const stream = await post(asked('busy'), 'streamGenerateContent?alt=sse', { 'x-goog-api-key': KEY });
    expect(await stream.text()).toMatch(/\[scr.*\n\ndata: \{"error":\{"code":503,"message":"overloaded","status":"UNAVAILABLE"\}\}\n\n$/s);
  });

  const user = (...parts: readonly object[]): object => ({ role: 'user', parts });
  const model = (...parts: readonly object[]): object => ({ role: 'model', parts });
  const hi = user({ text: 'hi' });
  const call = { functionCall: { name: 'shell', args: {} }, thoughtSignature: 'skip_thought_signature_validator' };
  const result = { functionResponse: { name: 'shell', response: { output: 'x' } } };

  it.each<[string, object]>([
    ['Unknown name "foo": Cannot find field.', { foo: 1 }],
    ['Unknown name "max_tokens" at \'generation_config\': Cannot find field.', { generationConfig: { max_tokens: 1 } }],
    ['GenerateContentRequest.contents: contents is not specified', { contents: [] }],
    ['Please use a valid role: user, model. (contents[0].role)', { contents: [{ role: 'assistant', parts: [{ text: 'x' }] }] }],
    ['contents[0].parts: contents.parts must not be empty.', { contents: [user()] }],
    ["contents[0].parts[0].data: required oneof field 'data'", { contents: [user({})] }],
    ["contents[0].parts[0].data: required oneof field 'data'", { contents: [user({ text: '' })] }],
    ['Unsupported MIME type: image/bmp', { contents: [user({ inlineData: { mimeType: 'image/bmp', data: 'AA' } })] }],
    ['is equal to the number of function call parts of the function call turn. (contents[2])', { contents: [hi, model(call), hi] }],
    ['is equal to the number of function call parts of the function call turn. (contents[1])', { contents: [hi, model(call)] }],
    ['is equal to the number of function call parts', { contents: [hi, model(call, call), user(result)] }],
    ['function response turn comes immediately after a function call turn. (contents[0])', { contents: [user(result)] }],
    [
      'the function response cat answers a function call',
      { contents: [hi, model(call), user({ functionResponse: { name: 'cat', response: {} } })] },
    ],
    ['function call turn comes immediately after a user turn', { contents: [model(call), user(result)] }],
    ['missing a thought_signature in functionCall parts', { contents: [hi, model({ functionCall: call.functionCall }), user(result)] }],
    ['Corrupted thought signature. (contents[1].parts[0])', { contents: [hi, model({ ...call, thoughtSignature: 'eA==' }), user(result)] }],
    [
      "Invalid value at 'contents[1].parts[0].function_call.args'",
      { contents: [hi, model({ ...call, functionCall: { name: 'shell', args: '{}' } }), user(result)] },
    ],
    [
      'tools[0].function_declarations[0].name: [FieldViolation] Invalid function name.',
      { tools: [{ functionDeclarations: [{ name: 'a b' }] }] },
    ],
    ['Duplicate function declaration found: a', { tools: [{ function_declarations: [{ name: 'a' }, { name: 'a' }] }] }],
    ['temperature must be in the range', { generationConfig: { temperature: 3 } }],
    ['max_output_tokens must be positive', { generation_config: { max_output_tokens: 0 } }],
    [
      'only one of thinking budget and thinking level',
      { generationConfig: { thinkingConfig: { thinkingBudget: 1, thinkingLevel: 'LOW' } } },
    ],
    ["Invalid UTF-16 surrogate at 'contents[0].parts[0].text'", { contents: [user({ text: '\uD83D' })] }],
  ])('refuses: %s', async (why, more) => {
    await start();
    const answer = await whole({ contents: [hi], ...more });
    expect(answer).toMatchObject({ status: 400, error: { code: 400, status: 'INVALID_ARGUMENT', message: expect.stringContaining(why) } });
    expect(isJsonObject(answer.error) && answer.error.details).toMatchObject([{ fieldViolations: [{ field: expect.any(String) }] }]);
  });

  it('takes unsigned calls of older turns', async () => {
    await start();
    const old = [hi, model({ functionCall: call.functionCall }), user(result), model({ text: 'so' }), hi];
    expect(await whole({ contents: old })).toMatchObject({ status: 200 });
  });

  it('takes what our own backend sends of a conversation that it has had', async () => {
    await start();
    const backend = new GeminiBackend({ name: 'gemini', baseUrl: server.urls.gemini ?? '', key: KEY, defaultModel: undefined });
    const { calls, replayed } = await askWithShell(backend, MODEL, [questionForCalls]);
    expect([calls.length, replayed.length]).toEqual([2, 1]);
    const said: Message = { role: 'assistant', content: [{ type: 'text', text: 'I look' }, ...replayed], toolCalls: calls };
    const answered: readonly Message[] = [questionForCalls, said, ...okResults(calls, smallImage)];
    const second = await askWithShell(backend, MODEL, answered);
    expect(second.text).toBe('[scripted] it was ok');
    expect(second.replayed).toHaveLength(1);
    const last: Message = { role: 'assistant', content: [{ type: 'text', text: 'it was ok' }, ...second.replayed], toolCalls: [] };
    const { events } = await askWithShell(backend, MODEL, [...answered, last, userText('thanks')]);
    expect(events.find((event) => event.type === 'usage')).toMatchObject({ usage: { cachedInputTokens: expect.any(Number) } });
  });
});
