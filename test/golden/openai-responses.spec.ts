// What goes to OpenAI's responses, byte for byte. The numbers are sections of backends.md.
import { OpenAIBackend } from '#backends';
import { userText, type JsonValue, type ModelRequest } from '#model';
import type { LoopbackRequest } from '#testkit';
import { encryptedContent } from '../../libs/backends/src/scripted/face/responses/item-ids.js';
import { assistant, call, image, result, text } from './messages.js';
import { requestTo, sentBy } from './sent.js';

const ANSWER = 'event: response.completed\ndata: {"type":"response.completed","response":{"status":"completed","output":[]}}\n\n';
const INCLUDE = { include: ['reasoning.encrypted_content'] };
const hello = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] };

const backendAt = (url: string) =>
  new OpenAIBackend({ name: 'openai', baseUrl: `${url}/v1`, key: 'sk-1', defaultModel: undefined, quirks: { preset: 'openai' } });

async function sent(more: Partial<ModelRequest>): Promise<LoopbackRequest> {
  return await sentBy(backendAt, requestTo('gpt-6-sol', more), ANSWER);
}

async function bodyOf(more: Partial<ModelRequest>): Promise<JsonValue> {
  return (await sent(more)).body;
}

describe('a response of OpenAI', () => {
  it('is asked for at /v1/responses with the key', async () => {
    const { path, headers } = await sent({});
    expect(path).toBe('/v1/responses'); // 1.2 POST /v1/responses
    const { host: _host, 'content-length': _length, connection: _connection, ...ours } = headers;
    expect(ours).toEqual({
      authorization: 'Bearer sk-1', // 1.1 Authorization: Bearer
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'ollie',
    });
  });

  it('is small when nothing is set', async () => {
    expect(await bodyOf({})).toEqual({
      model: 'gpt-6-sol',
      input: [hello], // 1.2 input:[items], input_text
      store: false, // 1.2 store:false
      ...INCLUDE, // 1.2 include:["reasoning.encrypted_content"]
      stream: true, // 1.2 stream
    });
  });

  it('of a whole conversation', async () => {
    const parameters = { type: 'object', properties: { p: { type: 'string' } } };
    const reasoning = (id: string) => ({
      type: 'reasoning',
      id,
      summary: [{ type: 'summary_text', text: 'Hm.' }],
      encrypted_content: encryptedContent('gpt-6-sol', id),
    });
    const ours = (data: JsonValue) => ({ type: 'replay', provider: 'openai', model: 'gpt-6-sol', data }) as const;
    const others = { type: 'replay', provider: 'openai', model: 'gpt-5', data: reasoning('rs_0') } as const;
    const body = await bodyOf({
      system: 'Be brief.',
      tools: [
        { name: 'read', description: 'Reads a file.', parameters },
        { name: 'ls', description: 'Lists.', parameters: {} },
      ],
      conversation: 'agent-1',
      messages: [
        { role: 'user', content: [text('look'), image('AAAA')] },
        assistant([others, text('Of old.')]),
        userText('on'),
        assistant(
          [
            ours(reasoning('rs_1')),
            ours({ type: 'phase', phase: 'commentary' }),
            text('Let me see.'),
            ours({ type: 'calls', before: 1 }),
            ours(reasoning('rs_2')),
          ],
          call('call_1', 'read', { p: 'a' }),
          call('toolu:2', 'ls'),
        ),
        result('call_1', 'read', [text('no such file')]),
        result('toolu:2', 'ls', [text('a.c'), image('BBBB')]),
        userText('thanks'),
      ],
      params: { maxTokens: 900, reasoningEffort: 'xhigh', temperature: 0.5, verbosity: 'low', stop: ['END'], topK: 5 },
    });
    expect(body).toEqual({
      model: 'gpt-6-sol',
      instructions: 'Be brief.', // 1.2 instructions
      input: [
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'look' }, // 1.2 input_text
            { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' }, // 1.2 input_image
          ],
        },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Of old.' }] }, // 1.2 output_text
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'on' }] },
        reasoning('rs_1'), // 1.2 reasoning{id,summary,encrypted_content} sent back before the call it belongs to
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Let me see.' }], phase: 'commentary' },
        { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{"p":"a"}' }, // 1.2 function_call
        reasoning('rs_2'), // 1.2 never rewrite earlier turns: the order is the one that it came in
        { type: 'function_call', call_id: 'toolu_2', name: 'ls', arguments: '{}' }, // 1.1 ids mapped when history moves
        { type: 'function_call_output', call_id: 'call_1', output: 'no such file' }, // 1.2 function_call_output
        {
          type: 'function_call_output',
          call_id: 'toolu_2',
          output: [
            { type: 'input_text', text: 'a.c' },
            { type: 'input_image', image_url: 'data:image/png;base64,BBBB', detail: 'auto' },
          ],
        },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'thanks' }] },
      ],
      tools: [
        { type: 'function', name: 'read', description: 'Reads a file.', parameters, strict: false }, // 1.2 tools (flat)
        { type: 'function', name: 'ls', description: 'Lists.', parameters: { type: 'object' }, strict: false },
      ],
      max_output_tokens: 900, // 1.2 max_output_tokens
      reasoning: { effort: 'xhigh', summary: 'auto' }, // 1.2 reasoning:{effort,summary:"auto"}
      text: { verbosity: 'low' },
      store: false,
      ...INCLUDE,
      prompt_cache_key: 'agent-1', // 1.2 prompt_cache_key
      stream: true,
    }); // no temperature, stop or top_k: what reasons takes none
  });

  it('of a model that can be told not to think', async () => {
    expect(await bodyOf({ params: { reasoningEffort: 'none', temperature: 0.5, maxTokens: 3 } })).toEqual({
      model: 'gpt-6-sol',
      input: [hello],
      max_output_tokens: 16, // 1.2 minimum 16
      temperature: 0.5,
      reasoning: { effort: 'none' },
      store: false,
      ...INCLUDE,
      stream: true,
    });
  });

  it('of one that cannot', async () => {
    expect(await bodyOf({ model: 'gpt-6.2-sol', params: { reasoningEffort: 'none', temperature: 0.5 } })).toEqual({
      model: 'gpt-6.2-sol',
      input: [hello],
      reasoning: { effort: 'low', summary: 'auto' }, // 0.1 6.2-sol has no "none"
      store: false,
      ...INCLUDE,
      stream: true,
    });
  });

  it('of a schema for the answer', async () => {
    const schema = { type: 'object', properties: {} };
    const responseFormat = { type: 'json_schema', json_schema: { name: 'x', schema, strict: true } };
    expect(await bodyOf({ params: { responseFormat } })).toMatchObject({
      text: { format: { type: 'json_schema', name: 'x', schema, strict: true } },
    });
  });
});
