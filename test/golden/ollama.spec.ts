// What goes to Ollama, byte for byte. The numbers are sections of backends.md.
import { OllamaBackend } from '#backends';
import { userText, type JsonValue, type ModelRequest } from '#model';
import type { LoopbackAnswer, LoopbackRequest } from '#testkit';
import { assistant, call, image, result, text } from './messages.js';
import { answered, captured, requestTo } from './sent.js';
import { takenByStrictFace } from './strict-face.js';

const SHOW = { parameters: 'num_ctx 8192', capabilities: ['completion', 'tools', 'thinking', 'vision'] };
const ANSWER = '{"message":{"role":"assistant","content":"hi"},"done":true,"done_reason":"stop"}\n';

const answer: LoopbackAnswer = (response, { path }) => {
  if (path === '/api/chat') return response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(ANSWER);
  return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(path === '/api/show' ? SHOW : {}));
};

/** What one answer puts on the wire; the strict scripted face of Ollama takes it too. */
async function sent(more: Partial<ModelRequest>): Promise<readonly LoopbackRequest[]> {
  const seen = await captured(answer, async (baseUrl) => {
    await answered(new OllamaBackend({ name: 'ollama', baseUrl, key: undefined, defaultModel: undefined }), requestTo('qwen3:8b', more));
  });
  for (const one of seen) if (one.path === '/api/chat') await takenByStrictFace(one);
  return seen;
}

async function bodyOf(more: Partial<ModelRequest>): Promise<JsonValue | undefined> {
  return (await sent(more)).at(-1)?.body;
}

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
        { role: 'user', content: [text('look'), image('AAAA')] },
        assistant(
          [thought('ollama'), thought('other'), text('Let me see.')],
          call('c1', 'read', { p: 'a\uD800' }),
          call('c2', 'read', { p: 'b' }),
        ),
        result('c2', 'read', [text('b'), image('BBBB')]),
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
