// What goes to Anthropic, byte for byte. The numbers are sections of backends.md.
import { AnthropicBackend } from '#backends';
import { userText, type JsonValue, type ModelRequest } from '#model';
import type { LoopbackRequest } from '#testkit';
import { redactedSeal, thinkingSeal } from '../../libs/backends/src/scripted/face/anthropic/signed.js';
import { assistant, call, image, result, text } from './messages.js';
import { requestTo, sentBy } from './sent.js';

const MARK = { cache_control: { type: 'ephemeral' } };
const ANSWER = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';

async function sent(more: Partial<ModelRequest>, who: { key?: string; token?: string } = { key: 'sk-ant-1' }): Promise<LoopbackRequest> {
  const backendAt = (baseUrl: string) =>
    new AnthropicBackend({ name: 'anthropic', baseUrl, key: who.key, token: who.token, defaultModel: undefined });
  return await sentBy(backendAt, requestTo('claude-sonnet-5', more), ANSWER);
}

async function bodyOf(more: Partial<ModelRequest>): Promise<JsonValue> {
  return (await sent(more)).body;
}

describe('a request to Anthropic', () => {
  it('goes to /v1/messages with the key and the version', async () => {
    const { path, headers } = await sent({});
    expect(path).toBe('/v1/messages'); // 1.4 POST /v1/messages
    const { host: _host, 'content-length': _length, connection: _connection, ...ours } = headers;
    expect(ours).toEqual({
      'x-api-key': 'sk-ant-1', // 1.4 x-api-key
      'anthropic-version': '2023-06-01', // 1.4 anthropic-version
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'ollie',
    });
  });

  it('goes with a token instead', async () => {
    const { headers } = await sent({}, { token: 'tok-1' });
    expect([headers.authorization, headers['x-api-key']]).toEqual(['Bearer tok-1', undefined]); // 1.4 Authorization: Bearer
  });

  it('is small when nothing is set', async () => {
    expect(await bodyOf({})).toEqual({
      model: 'claude-sonnet-5',
      max_tokens: 32_000, // 1.4 required
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi', ...MARK }] }], // 1.4 last user block marked
      stream: true,
    });
  });

  it('of a whole conversation', async () => {
    const parameters = { type: 'object', properties: { p: { type: 'string' } } };
    const thinking = { type: 'thinking', thinking: '', signature: thinkingSeal('claude-sonnet-4-5', '') };
    const redacted = { type: 'redacted_thinking', data: redactedSeal('claude-sonnet-4-5') };
    const ours = (data: JsonValue) => ({ type: 'replay', provider: 'anthropic', model: 'claude-sonnet-4-5', data }) as const;
    const body = await bodyOf({
      model: 'claude-sonnet-4-5',
      system: 'Be brief.',
      tools: [
        { name: 'read', description: 'Reads a file.', parameters },
        { name: 'ls', description: 'Lists.', parameters: {} },
      ],
      messages: [
        { role: 'user', content: [text('look'), image('AAAA')] },
        assistant([ours(thinking), ours(redacted), text('Let me see.')], call('toolu_1', 'read', { p: 'a' }), call('call:2', 'ls')),
        result('toolu_1', 'read', [text('no such file')], true),
        result('call:2', 'ls', [text('a.c'), image('BBBB')]),
        userText('and now?'),
        assistant([text('Nothing.')]),
        userText('thanks'),
      ],
      params: { thinkingBudget: 2_048, temperature: 0.5, stop: ['END', ' '] },
    });
    expect(body).toEqual({
      model: 'claude-sonnet-4-5',
      max_tokens: 34_048, // 1.4 max_tokens > budget_tokens
      system: [{ type: 'text', text: 'Be brief.', ...MARK }], // 1.4 system as text blocks, its end marked
      tools: [
        { name: 'read', description: 'Reads a file.', input_schema: parameters }, // 1.4 tools
        { name: 'ls', description: 'Lists.', input_schema: { type: 'object' }, ...MARK }, // 1.4 last tool marked
      ],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }, // 1.4 images
          ],
        },
        {
          role: 'assistant',
          content: [
            thinking, // 1.4 replay: unchanged, in order, also when the text is empty but signed
            redacted, // 1.4 replay
            { type: 'text', text: 'Let me see.' },
            { type: 'tool_use', id: 'toolu_1', name: 'read', input: { p: 'a' } },
            { type: 'tool_use', id: 'call_2', name: 'ls', input: {} }, // 1.1 ids ^[A-Za-z0-9_-]{1,64}$
          ],
        },
        {
          role: 'user', // 1.4 all results of one turn in one user message, first in it
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'no such file' }], is_error: true },
            {
              type: 'tool_result',
              tool_use_id: 'call_2',
              content: [
                { type: 'text', text: 'a.c' },
                { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'BBBB' } },
              ],
            },
            { type: 'text', text: 'and now?', ...MARK }, // 1.4 the user block before the last marked
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'Nothing.' }] },
        { role: 'user', content: [{ type: 'text', text: 'thanks', ...MARK }] }, // 1.4 last user block marked
      ],
      thinking: { type: 'enabled', budget_tokens: 2_048 }, // 0.3 the 4.5 generation takes a budget
      stop_sequences: ['END'], // 1.4 stop_sequences
      stream: true,
    }); // no temperature: it does not go with thinking
  });

  it('of a model that decides for itself how much to think', async () => {
    const params = { reasoningEffort: 'high', temperature: 0.5, topP: 0.9, topK: 5, maxTokens: 900 };
    expect(await bodyOf({ model: 'claude-opus-4-8', params })).toEqual({
      model: 'claude-opus-4-8',
      max_tokens: 900,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi', ...MARK }] }],
      thinking: { type: 'adaptive', display: 'summarized' }, // 0.3 adaptive from 4.6 on, 1.4 display
      output_config: { effort: 'high' }, // 0.3 output_config.effort
      stream: true,
    }); // 0.3 no temperature from Opus 4.7 on
  });

  it('of a schema for the answer', async () => {
    const schema = { type: 'object', properties: {} };
    const responseFormat = { type: 'json_schema', json_schema: { name: 'x', schema } };
    expect(await bodyOf({ params: { responseFormat } })).toMatchObject({ output_config: { format: { type: 'json_schema', schema } } }); // 1.4 format
  });
});
