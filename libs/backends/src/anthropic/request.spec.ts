import {
  isJsonObject,
  userText,
  type AssistantMessage,
  type GenerationParams,
  type JsonObject,
  type Message,
  type ToolCall,
  type ToolMessage,
} from '#model';
import { listField } from '../wire/json-fields.js';
import { messagesBody } from './request.js';

const call = (id: string, more: Partial<ToolCall> = {}): ToolCall => ({ id, name: 'ls', arguments: {}, rawArguments: '{}', ...more });
const assistant = (content: AssistantMessage['content'], ...toolCalls: ToolCall[]): AssistantMessage => ({
  role: 'assistant',
  content,
  toolCalls,
});
const text = (value: string) => ({ type: 'text', text: value }) as const;
const result = (toolCallId: string, value: string): ToolMessage => ({
  role: 'tool',
  toolCallId,
  toolName: 'ls',
  content: [text(value)],
  isError: false,
});
const replay = (provider: string, model: string) =>
  ({ type: 'replay', provider, model, data: { type: 'thinking', thinking: 't', signature: 's' } }) as const;

function bodyFor(messages: readonly Message[], params: GenerationParams = {}, model = 'claude-sonnet-5'): JsonObject {
  return messagesBody({ model, system: '', messages, tools: [], params }, 'anthropic');
}

/** `[role, content...]` of each message, without marks. */
function turns(...messages: readonly Message[]): unknown {
  return listField(bodyFor(messages), 'messages')
    .filter(isJsonObject)
    .map(({ role, content }) => [role, ...listField({ content: content ?? [] }, 'content').map(unmarked)]);
}

function unmarked(block: unknown): unknown {
  if (typeof block !== 'object' || block === null) return block;
  const { cache_control: _mark, ...rest } = { cache_control: undefined, ...block };
  return rest;
}

const use = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'ls', input: {} });
const answer = (id: string, value: string): JsonObject => ({ type: 'tool_result', tool_use_id: id, content: [text(value)] });
const notRun = (id: string): JsonObject => ({ ...answer(id, '(the call was not run)'), is_error: true });

describe('the messages for Anthropic', () => {
  it('a paused answer goes back at the end, as it was', () => {
    const paused = assistant([replay('anthropic', 'claude-sonnet-5'), text('so far')]);
    expect(turns(userText('a'), paused)).toEqual([
      ['user', text('a')],
      ['assistant', { type: 'thinking', thinking: 't', signature: 's' }, text('so far')],
    ]);
  });

  it('a call that has no result gets one, directly behind it', () => {
    expect(turns(userText('a'), assistant([], call('x'), call('y')), result('y', 'r'), userText('b'))).toEqual([
      ['user', text('a')],
      ['assistant', use('x'), use('y')],
      ['user', answer('y', 'r'), notRun('x'), text('b')],
    ]);
    expect(turns(userText('a'), assistant([], call('x')))).toEqual([
      ['user', text('a')],
      ['assistant', use('x')],
      ['user', notRun('x')],
    ]);
  });

  it('a result that has no call is text, behind the results', () => {
    expect(turns(userText('a'), assistant([], call('x')), result('z', 'lost'), result('x', 'r'))).toEqual([
      ['user', text('a')],
      ['assistant', use('x')],
      ['user', answer('x', 'r'), text('Result of an earlier call of ls:'), text('lost')],
    ]);
  });

  it('ids are of the form that is taken, and never the same twice', () => {
    const long = 'a'.repeat(80);
    const ids = ['c:1', 'c.1', 'c:1', '', long, `${long}b`];
    const body = turns(userText('a'), ...ids.flatMap((id) => [assistant([], call(id)), result(id, 'r')]));
    const own = [...JSON.stringify(body).matchAll(/"id":"([^"]*)"/g)].map(([, id]) => id);
    expect(own).toEqual(['c_1', 'c_1-2', 'c_1-3', 'call', 'a'.repeat(64), `${'a'.repeat(62)}-2`]);
    const answered = [...JSON.stringify(body).matchAll(/"tool_use_id":"([^"]*)"/g)].map(([, id]) => id);
    expect(answered).toEqual(own);
  });

  it('two calls of a turn with one id have a result each', () => {
    expect(turns(userText('a'), assistant([], call('x'), call('x')), result('x', '1'), result('x', '2'))).toEqual([
      ['user', text('a')],
      ['assistant', use('x'), use('x-2')],
      ['user', answer('x', '1'), answer('x-2', '2')],
    ]);
  });

  it('blocks to be replayed go back to their provider and model only', () => {
    const blocks = [replay('anthropic', 'claude-sonnet-5'), replay('anthropic', 'claude-opus-5'), replay('copilot', 'claude-sonnet-5')];
    expect(turns(userText('a'), assistant([...blocks, text('b')]), userText('c'))).toEqual([
      ['user', text('a')],
      ['assistant', { type: 'thinking', thinking: 't', signature: 's' }, text('b')],
      ['user', text('c')],
    ]);
  });

  it('turns alternate and begin with the user, and none is empty', () => {
    expect(turns(assistant([text('x')]), userText('a'), assistant([replay('anthropic', 'claude-sonnet-5')]), userText(' '))).toEqual([
      ['user', text('(continued)')],
      ['assistant', text('x')],
      ['user', text('a'), text('(empty)')],
    ]);
  });

  it('an image of a kind that is not taken is named', () => {
    const image = { type: 'image', mimeType: 'image/svg+xml', data: 'AA' } as const;
    expect(turns({ role: 'user', content: [image] })).toEqual([['user', text('[image: image/svg+xml, not shown]')]]);
  });

  it('arguments that were no JSON go back as none, and no text has a lone surrogate', () => {
    const broken = call('x', { rawArguments: '{"d', argumentsError: 'cut' });
    const lone = call('y', { arguments: { 'k\uD800': ['\uDC00'] } });
    const body = JSON.stringify(bodyFor([userText('\uD800'), assistant([], broken, lone), result('x', '\uD800')]));
    expect(body).toContain('"input":{}');
    expect(body).toContain('{"k\uFFFD":["\uFFFD"]}');
    expect(body).not.toMatch(/\\ud[89a-f]/i);
  });

  it('there are never more than four marks', () => {
    const tools = ['a', 'b'].map((name) => ({ name, description: '', parameters: {} }));
    const messages = [1, 2, 3].flatMap((n) => [userText(`q${n}`), assistant([text(`a${n}`)])]);
    const body = JSON.stringify(messagesBody({ model: 'claude-x', system: 's', messages, tools, params: {} }, 'anthropic'));
    expect(body.match(/cache_control/g)).toHaveLength(4);
  });
});

describe('what models of a family take', () => {
  const fields = (model: string, params: GenerationParams): unknown => {
    const { model: _model, messages: _messages, stream: _stream, ...rest } = bodyFor([userText('a')], params, model);
    return rest;
  };

  it.each<[string, GenerationParams, JsonObject]>([
    ['claude-3-5-haiku-20241022', { reasoningEffort: 'high', temperature: 1 }, { max_tokens: 8_192, temperature: 1 }],
    ['claude-3-haiku-20240307', {}, { max_tokens: 4_096 }],
    ['claude-opus-4-20250514', { thinkingBudget: 1 }, { max_tokens: 32_000, thinking: { type: 'enabled', budget_tokens: 1_024 } }],
    ['claude-opus-4-1', { thinkingBudget: 9e9 }, { max_tokens: 32_000, thinking: { type: 'enabled', budget_tokens: 31_999 } }],
    ['claude-haiku-4.5', { reasoningEffort: 'low', topK: 4 }, { max_tokens: 36_096, thinking: { type: 'enabled', budget_tokens: 4_096 } }],
    [
      'claude-sonnet-4-5',
      { thinkingBudget: 5_000, maxTokens: 2_000 },
      { max_tokens: 2_000, thinking: { type: 'enabled', budget_tokens: 1_999 } },
    ],
    ['claude-sonnet-4-5', { thinkingBudget: 5_000, maxTokens: 1_000 }, { max_tokens: 1_000 }],
    ['claude-sonnet-4-5', { thinkingBudget: 0, topP: 0.9 }, { max_tokens: 32_000, top_p: 0.9 }],
    ['claude-opus-4-6', { temperature: 0.2 }, { max_tokens: 32_000, temperature: 0.2 }],
    [
      'claude-opus-4-6',
      { temperature: 0.2, reasoningEffort: 'none' },
      { max_tokens: 32_000, temperature: 0.2, thinking: { type: 'disabled' } },
    ],
    [
      'claude-sonnet-4-6',
      { temperature: 0.2, reasoningEffort: 'minimal' },
      { max_tokens: 32_000, thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'low' } },
    ],
    ['claude-opus-4-7', { temperature: 0.2 }, { max_tokens: 32_000 }],
    ['claude-haiku-5-5', { temperature: 0.2, thinkingBudget: 0 }, { max_tokens: 32_000, thinking: { type: 'disabled' } }],
    ['claude-sonnet-5-5', { reasoningEffort: 'none' }, { max_tokens: 32_000 }],
    ['claude-fable-5-2', { thinkingBudget: 0 }, { max_tokens: 32_000 }],
    [
      'claude-opus-5-5',
      { thinkingBudget: 4_000, includeReasoning: false },
      { max_tokens: 32_000, thinking: { type: 'adaptive', display: 'omitted' } },
    ],
    ['glm-9', { temperature: 0.2 }, { max_tokens: 8_192, temperature: 0.2 }],
  ])('%s with %j', (model, params, expected) => {
    expect(fields(model, params)).toEqual(expected);
  });
});
