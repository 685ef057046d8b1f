// What goes to Ollama, byte for byte. The numbers are sections of backends.md.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { OllamaBackend } from '#backends';
import { parseJson, userText, type AssistantMessage, type JsonValue, type ModelRequest, type ToolCall, type ToolMessage } from '#model';
import { takenByStrictFace, type Sent } from './strict-face.js';

const SHOW = { parameters: 'num_ctx 8192', capabilities: ['completion', 'tools', 'thinking', 'vision'] };
const ANSWER = '{"message":{"role":"assistant","content":"hi"},"done":true,"done_reason":"stop"}\n';

interface Asked extends Sent {
  readonly method: string | undefined;
}

/** What one answer puts on the wire; the strict scripted face of Ollama takes it too. */
async function sent(more: Partial<ModelRequest>): Promise<readonly Asked[]> {
  const seen: Asked[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      seen.push({ method: request.method, path: request.url, headers: request.headers, body: text === '' ? null : parseJson(text) });
      if (request.url === '/api/chat') response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(ANSWER);
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(request.url === '/api/show' ? SHOW : {}));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const backend = new OllamaBackend({ name: 'ollama', baseUrl, key: undefined, defaultModel: undefined });
  const request: ModelRequest = { model: 'qwen3:8b', system: '', messages: [userText('hi')], tools: [], params: {}, ...more };
  for await (const event of backend.stream(request, new AbortController().signal)) if (event.type === 'done') break;
  server.closeAllConnections();
  server.close();
  for (const one of seen) if (one.path === '/api/chat') await takenByStrictFace(one);
  return seen;
}

async function bodyOf(more: Partial<ModelRequest>): Promise<JsonValue | undefined> {
  return (await sent(more)).at(-1)?.body;
}

const call = (id: string, name: string, input: ToolCall['arguments'] = {}): ToolCall => ({
  id,
  name,
  arguments: input,
  rawArguments: JSON.stringify(input),
});
const assistant = (content: AssistantMessage['content'], ...toolCalls: ToolCall[]): AssistantMessage => ({
  role: 'assistant',
  content,
  toolCalls,
});
const text = (value: string) => ({ type: 'text', text: value }) as const;
const result = (toolCallId: string, toolName: string, content: ToolMessage['content'], isError = false): ToolMessage => ({
  role: 'tool',
  toolCallId,
  toolName,
  content,
  isError,
});

/** Of every request. Servers from 0.12.6 on refuse what does not fit; those before do not know the words (api/types.go, not in 1.6). */
const ALWAYS = { truncate: false, shift: false, stream: true };

describe('a request to Ollama', () => {
  it('goes to /api/chat after the model is known', async () => {
    const requests = await sent({});
    expect(requests.map(({ method, path, body }) => [method, path, path === '/api/chat' ? '' : body])).toEqual([
      ['GET', '/api/ps', null], // 1.6 the context_length of what is loaded
      ['POST', '/api/show', { model: 'qwen3:8b' }], // 1.6 num_ctx of the Modelfile, capabilities
      ['POST', '/api/chat', ''], // 1.6
    ]);
    const { host: _host, 'content-length': _length, connection: _connection, ...ours } = requests.at(-1)?.headers ?? {};
    expect(ours).toEqual({ 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'ollie' });
  });

  it('is small when nothing is set', async () => {
    expect(await bodyOf({})).toEqual({
      model: 'qwen3:8b', // 1.6 model
      messages: [{ role: 'user', content: 'hi' }], // 1.6 messages
      options: { num_ctx: 8_192 }, // 1.6 always send options.num_ctx
      ...ALWAYS, // 1.6 stream
    });
  });

  it('of a whole conversation', async () => {
    const parameters = { type: 'object', properties: { p: { type: 'string' } } };
    const thought = (provider: string) =>
      ({ type: 'replay', provider, model: 'qwen3:8b', data: { type: 'thinking', thinking: `as ${provider}` } }) as const;
    const body = await bodyOf({
      system: 'Be brief.',
      tools: [{ name: 'read', description: 'Reads a file.', parameters }],
      messages: [
        { role: 'user', content: [text('look'), { type: 'image', mimeType: 'image/png', data: 'AAAA' }] },
        assistant(
          [thought('ollama'), thought('other'), text('Let me see.')],
          call('c1', 'read', { p: 'a\uD800' }),
          call('c2', 'read', { p: 'b' }),
        ),
        result('c2', 'read', [text('b'), { type: 'image', mimeType: 'image/png', data: 'BBBB' }]),
        result('c1', 'read', [], true),
        assistant([text('Nothing.')]),
        userText('thanks'),
      ],
    });
    expect(body).toEqual({
      model: 'qwen3:8b',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'look', images: ['AAAA'] }, // 1.6 base64 list on the message
        {
          role: 'assistant',
          content: 'Let me see.',
          thinking: 'as ollama', // 1.6 message.thinking
          tool_calls: [
            { function: { name: 'read', arguments: { p: 'a\uFFFD' } } }, // 1.6 arguments:OBJECT, no id
            { function: { name: 'read', arguments: { p: 'b' } } },
          ],
        },
        { role: 'tool', tool_name: 'read', content: '(no output)' }, // 1.6 tool result, in the order of the calls
        { role: 'tool', tool_name: 'read', content: 'b\n[image: image/png, shown below]' },
        { role: 'user', content: 'Images of the tool results above:', images: ['BBBB'] },
        { role: 'assistant', content: 'Nothing.' },
        { role: 'user', content: 'thanks' },
      ],
      tools: [{ type: 'function', function: { name: 'read', description: 'Reads a file.', parameters } }], // 1.6 tools
      options: { num_ctx: 8_192 },
      ...ALWAYS,
    });
  });

  it('with every parameter that it has', async () => {
    const schema = { type: 'object', properties: {} };
    const params = {
      maxTokens: 900,
      temperature: 0.5,
      topK: 5,
      topP: 0.9,
      minP: 0.1,
      repetitionPenalty: 1.1,
      frequencyPenalty: 0.2,
      presencePenalty: 0.3,
      stop: ['END'],
      reasoningEffort: 'high',
      responseFormat: { type: 'json_schema', json_schema: { name: 'x', schema } },
      topA: 0.1,
      verbosity: 'low',
    };
    expect(await bodyOf({ params })).toEqual({
      model: 'qwen3:8b',
      messages: [{ role: 'user', content: 'hi' }],
      think: true, // 1.6 think: bool
      format: schema, // 1.6 format
      options: {
        num_ctx: 8_192,
        num_predict: 900, // 1.6 options, in this order there
        temperature: 0.5,
        top_k: 5,
        top_p: 0.9,
        min_p: 0.1,
        repeat_penalty: 1.1,
        frequency_penalty: 0.2, // api/types.go, not in 1.6
        presence_penalty: 0.3, // api/types.go, not in 1.6
        stop: ['END'],
      },
      ...ALWAYS,
    });
    expect(await bodyOf({ model: 'gpt-oss:20b', params: { reasoningEffort: 'low' } })).toMatchObject({ think: 'low' }); // 1.6 think: level
    expect(await bodyOf({ params: { responseFormat: { type: 'json_object' } } })).toMatchObject({ format: 'json' });
  });
});
