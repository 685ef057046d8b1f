// What goes to GitHub Copilot, byte for byte. The numbers are sections of backends.md.
import { CopilotBackend } from '#backends';
import type { ModelRequest } from '#model';
import type { LoopbackRequest } from '#testkit';
import { assistant, call, image, result, text } from './messages.js';
import { requestTo, sentBy } from './sent.js';

/** As the user has configured them: nothing of the kind is ours. */
const HEADERS = { 'Editor-Version': 'mine/1', 'Copilot-Integration-Id': 'mine' };
const MARK = { cache_control: { type: 'ephemeral' } };
const CHAT = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const RESPONSES = 'data: {"type":"response.completed","response":{}}\n\n';
const MESSAGES = 'data: {"type":"message_stop"}\n\n';

const backendAt = (baseUrl: string) =>
  new CopilotBackend({ name: 'copilot', baseUrl, key: 'tok-1', headers: HEADERS, defaultModel: undefined });

async function sent(more: Partial<ModelRequest>, answer = CHAT): Promise<LoopbackRequest> {
  return await sentBy(backendAt, requestTo('kimi-k3', more), answer);
}

const PARAMETERS = { type: 'object', properties: { p: { type: 'string' } } };

/** A question with an image, and a call that has been answered. */
function conversation(model: string): Partial<ModelRequest> {
  return {
    model,
    system: 'Be brief.',
    tools: [{ name: 'read', description: 'Reads a file.', parameters: PARAMETERS }],
    messages: [
      { role: 'user', content: [text('look'), image('AAAA')] },
      assistant([text('Let me see.')], call('c-1', 'read', { p: 'a' })),
      result('c-1', 'read', [text('no such file')], true),
    ],
  };
}

const COMMON = {
  authorization: 'Bearer tok-1', // 1.7 Authorization
  'editor-version': 'mine/1', // 1.7 from the configuration
  'copilot-integration-id': 'mine', // 1.7 from the configuration
  'x-initiator': 'agent', // 1.7 X-Initiator: a result is the agent's
  'copilot-vision-request': 'true', // 1.7 Copilot-Vision-Request with images
  'content-type': 'application/json',
  accept: 'application/json',
  'user-agent': 'ollie', // 0 nothing of another product's identity
};

function ours({ headers: { host: _host, 'content-length': _length, connection: _connection, ...headers } }: LoopbackRequest): unknown {
  return headers;
}

describe('a request to Copilot', () => {
  it('of the user is billed as such, and announces no images where there are none', async () => {
    const { 'copilot-vision-request': _vision, ...common } = COMMON;
    expect(ours(await sent({}))).toEqual({ ...common, 'x-initiator': 'user' }); // 1.7 X-Initiator user
  });

  it('for a model of another house goes to chat completions', async () => {
    const seen = await sent({ ...conversation('kimi-k3'), params: { maxTokens: 900, temperature: 0.5, topK: 5 } });
    expect([seen.path, ours(seen)]).toEqual(['/chat/completions', COMMON]); // 1.7 no /v1 prefix; Kimi through chat completions
    expect(seen.body).toEqual({
      model: 'kimi-k3',
      messages: [
        { role: 'system', content: 'Be brief.' }, // 1.1 system; developer only at OpenAI itself
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }, // 1.1 image part
          ],
        },
        {
          role: 'assistant',
          content: 'Let me see.',
          tool_calls: [{ id: 'c-1', type: 'function', function: { name: 'read', arguments: '{"p":"a"}' } }],
        },
        { role: 'tool', tool_call_id: 'c-1', content: 'no such file' },
      ],
      tools: [{ type: 'function', function: { name: 'read', description: 'Reads a file.', parameters: PARAMETERS } }],
      max_tokens: 900,
      temperature: 0.5, // no top_k: it is none of OpenAI's
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('for a GPT goes to responses', async () => {
    const seen = await sent(conversation('gpt-6-sol'), RESPONSES);
    expect([seen.path, ours(seen)]).toEqual(['/responses', COMMON]); // 1.7 GPT through responses
    expect(seen.body).toEqual({
      model: 'gpt-6-sol',
      instructions: 'Be brief.', // 1.2 instructions
      input: [
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'look' },
            { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' }, // 1.2 input_image
          ],
        },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Let me see.' }] },
        { type: 'function_call', call_id: 'c-1', name: 'read', arguments: '{"p":"a"}' }, // 1.2 function_call
        { type: 'function_call_output', call_id: 'c-1', output: 'no such file' }, // 1.2 function_call_output
      ],
      tools: [{ type: 'function', name: 'read', description: 'Reads a file.', parameters: PARAMETERS, strict: false }], // 1.2 tools (flat)
      include: ['reasoning.encrypted_content'], // 1.2 include
      store: false, // 1.2 store
      stream: true,
    });
  });

  it('for a Claude goes to messages', async () => {
    const seen = await sent(conversation('claude-sonnet-5'), MESSAGES);
    expect([seen.path, ours(seen)]).toEqual(['/v1/messages', { ...COMMON, 'anthropic-version': '2023-06-01' }]); // 1.7 Claude through messages
    expect(seen.body).toEqual({
      model: 'claude-sonnet-5',
      max_tokens: 32_000, // 1.4 required
      system: [{ type: 'text', text: 'Be brief.', ...MARK }],
      tools: [{ name: 'read', description: 'Reads a file.', input_schema: PARAMETERS, ...MARK }], // 1.4 last tool marked
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' }, ...MARK }, // 1.4 images
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Let me see.' },
            { type: 'tool_use', id: 'c-1', name: 'read', input: { p: 'a' } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result', // 1.4 tool_result
              tool_use_id: 'c-1',
              content: [{ type: 'text', text: 'no such file' }],
              is_error: true,
              ...MARK,
            },
          ],
        },
      ],
      stream: true,
    });
  });
});
