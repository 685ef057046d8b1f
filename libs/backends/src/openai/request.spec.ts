import { userText, type AssistantMessage, type ModelRequest, type ToolCall, type ToolMessage } from '#model';
import { chatBody } from './request.js';

const call = (id: string, more: Partial<ToolCall> = {}): ToolCall => ({
  id,
  name: 'ls',
  arguments: { d: '/' },
  rawArguments: '{"d": "/"}',
  ...more,
});
const assistant = (text: string, ...toolCalls: ToolCall[]): AssistantMessage => ({
  role: 'assistant',
  content: text === '' ? [] : [{ type: 'text', text }],
  toolCalls,
});
const result = (toolCallId: string, ...content: ToolMessage['content']): ToolMessage => ({
  role: 'tool',
  toolCallId,
  toolName: 'ls',
  content,
  isError: false,
});
const body = (more: Partial<ModelRequest>): ReturnType<typeof chatBody> =>
  chatBody({ model: 'm', system: '', messages: [userText('hi')], tools: [], params: {}, ...more });

describe('the body of a chat completion', () => {
  it('is small when nothing is set', () => {
    expect(body({})).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('has the system text first and the tools as functions', () => {
    const parameters = { type: 'object', properties: {} };
    expect(body({ system: 'be brief', tools: [{ name: 'ls', description: 'lists', parameters }] })).toMatchObject({
      messages: [{ role: 'system', content: 'be brief' }, { role: 'user' }],
      tools: [{ type: 'function', function: { name: 'ls', description: 'lists', parameters } }],
    });
  });

  it('has the parameters that were given, under the names of the wire', () => {
    const params = { temperature: 0, topP: 0.5, maxCompletionTokens: 9, stop: ['x'], reasoningEffort: 'low', thinkingBudget: 5 };
    const { model: _m, messages: _s, stream: _t, stream_options: _o, ...rest } = body({ params });
    expect(rest).toEqual({ temperature: 0, top_p: 0.5, max_completion_tokens: 9, stop: ['x'], reasoning_effort: 'low' });
  });

  it('sends calls back with the exact text of their arguments, and results as text', () => {
    const { messages } = body({ messages: [userText('hi'), assistant('', call('c1')), result('c1', { type: 'text', text: 'bin' })] });
    expect(messages).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: '{"d": "/"}' } }] },
      { role: 'tool', tool_call_id: 'c1', content: 'bin' },
    ]);
  });

  it('sends valid JSON for arguments that were not', () => {
    const broken = call('c1', { arguments: {}, rawArguments: '{"d": ', argumentsError: 'cut' });
    const escaped = call('c2', { arguments: { d: '\uD800' }, rawArguments: '{"d":"\\ud800"}' });
    const { messages } = body({ messages: [userText('hi'), assistant('', broken, escaped), result('c1'), result('c2')] });
    expect(JSON.stringify(messages)).toContain(
      JSON.stringify([{ arguments: '{}' }, { arguments: '{"d":"\uFFFD"}' }].map((one) => one.arguments)[0]),
    );
    expect(messages).toMatchObject([
      {},
      { tool_calls: [{ function: { arguments: '{}' } }, { function: { arguments: '{"d":"\uFFFD"}' } }] },
      {},
      {},
    ]);
  });

  it('a result without output says so', () => {
    const { messages } = body({ messages: [userText('hi'), assistant('', call('c1')), result('c1', { type: 'text', text: '' })] });
    expect(messages).toMatchObject([{}, {}, { content: '(no output)' }]);
  });

  it('images of results come behind all results of the turn', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const;
    const { messages } = body({
      messages: [
        userText('hi'),
        assistant('look', call('c1'), call('c2')),
        result('c1', image),
        result('c2', { type: 'text', text: 'b' }),
        userText('and?'),
      ],
    });
    expect(messages).toEqual([
      expect.anything(),
      expect.objectContaining({ content: 'look' }),
      { role: 'tool', tool_call_id: 'c1', content: '[image: image/png, shown below]' },
      { role: 'tool', tool_call_id: 'c2', content: 'b' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Images of the tool results above:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
      { role: 'user', content: 'and?' },
    ]);
  });

  it('images of a user come as parts; blocks of other providers and empty texts stay away', () => {
    const replay = { type: 'replay', provider: 'x', model: 'y', data: 'secret' } as const;
    const { messages } = body({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: '' },
            { type: 'text', text: 'see' },
            { type: 'image', mimeType: 'image/png', data: 'AA' },
          ],
        },
        { role: 'assistant', content: [replay, { type: 'text', text: 'ok' }], toolCalls: [] },
      ],
    });
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
        ],
      },
      { role: 'assistant', content: 'ok' },
    ]);
  });

  it('holds no lone surrogate', () => {
    const lone = 'a\uD800b';
    const out = body({
      system: lone,
      messages: [
        userText(lone),
        assistant(lone, call('c1', { rawArguments: `{"d":"${lone}"}` })),
        result('c1', { type: 'text', text: lone }),
      ],
    });
    expect(JSON.stringify(out)).not.toMatch(/\\ud800/);
  });
});
