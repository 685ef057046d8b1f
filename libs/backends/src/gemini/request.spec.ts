import {
  isJsonObject,
  userText,
  type AssistantMessage,
  type GenerationParams,
  type JsonObject,
  type JsonValue,
  type Message,
  type ModelRequest,
  type ToolContent,
} from '#model';
import { objectField } from '../wire/json-fields.js';
import { generateBody } from './request.js';

const MODEL = 'gemini-3-flash';
const text = (value: string): { type: 'text'; text: string } => ({ type: 'text', text: value });
const ours = (data: JsonValue, model = MODEL): AssistantMessage['content'][number] => ({ type: 'replay', provider: 'gemini', model, data });
const assistant = (content: AssistantMessage['content'], ...ids: readonly string[]): AssistantMessage => ({
  role: 'assistant',
  content,
  toolCalls: ids.map((id) => ({ id, name: 'ls', arguments: { d: id }, rawArguments: '' })),
});
const result = (toolCallId: string, content: readonly ToolContent[], isError = false): Message => ({
  role: 'tool',
  toolCallId,
  toolName: 'ls',
  content,
  isError,
});
const PNG: ToolContent = { type: 'image', mimeType: 'image/png', data: 'AAAA' };
const INLINE = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };

function body(more: Partial<ModelRequest>, efforts?: readonly string[]): JsonObject {
  const request = { model: MODEL, system: '', messages: [userText('hi')], tools: [], params: {}, ...more };
  return generateBody(request, 'gemini', efforts ? { capabilities: { efforts } } : {});
}

const contents = (messages: readonly Message[], model = MODEL): JsonValue | undefined => body({ messages, model }).contents;
const config = (model: string, params: GenerationParams, efforts?: readonly string[]): JsonObject | undefined =>
  objectField(body({ model, params }, efforts), 'generationConfig');
const call = (id: string, more: JsonObject = {}): JsonObject => ({ functionCall: { id, name: 'ls', args: { d: id } }, ...more });
const answer = (id: string, response: JsonObject, more: JsonObject = {}): JsonObject => ({
  functionResponse: { id, name: 'ls', response, ...more },
});

describe('the conversation for Gemini', () => {
  it('turns of one side become one; what has nothing to say is left out; the user begins', () => {
    expect(contents([assistant([text('a')]), assistant([text('')]), assistant([text('b')]), userText('c'), userText('')])).toEqual([
      { role: 'user', parts: [{ text: '(continued)' }] },
      { role: 'model', parts: [{ text: 'a' }, { text: 'b' }] },
      { role: 'user', parts: [{ text: 'c' }, { text: '(empty)' }] },
    ]);
  });

  it('the results of a turn stand together and alone, with their images', () => {
    const messages = [userText('q'), assistant([], '1', '2'), result('2', [text('two'), PNG]), result('1', [], true), userText('and?')];
    expect(contents(messages)).toEqual([
      { role: 'user', parts: [{ text: 'q' }] },
      { role: 'model', parts: [call('1', { thoughtSignature: 'skip_thought_signature_validator' }), call('2')] },
      { role: 'user', parts: [answer('1', { error: '' }), answer('2', { output: 'two' }, { parts: [INLINE] })] },
      { role: 'user', parts: [{ text: 'and?' }] },
    ]);
  });

  it('older models get no ids, no signature that nobody gave, and images beside the results', () => {
    const messages = [userText('q'), assistant([], '1'), result('1', [text('one'), PNG, { ...PNG, mimeType: 'image/gif' }])];
    expect(contents(messages, 'gemini-2.5-pro')).toEqual([
      { role: 'user', parts: [{ text: 'q' }] },
      { role: 'model', parts: [{ functionCall: { name: 'ls', args: { d: '1' } } }] },
      {
        role: 'user',
        parts: [{ functionResponse: { name: 'ls', response: { output: 'one\n[image: image/gif, not shown]' } } }],
      },
      { role: 'user', parts: [{ text: 'Images of the result of ls:' }, INLINE] },
    ]);
  });

  it('signatures go back on their own parts, and only to their own model', () => {
    const content = [
      ours({ text: 'hm', thought: true, thoughtSignature: 's0' }),
      text('First. Let me see.'),
      ours({ text: 'Let me see.', thoughtSignature: 's1' }),
      ours({ text: '', thoughtSignature: 's2', afterCalls: 1 }),
      ours({ callId: '1', thoughtSignature: 's3' }),
    ];
    const messages = [userText('q'), assistant(content, '1', '2')];
    expect(contents(messages)).toMatchObject([
      {},
      {
        role: 'model',
        parts: [
          { text: 'hm', thought: true, thoughtSignature: 's0' },
          { text: 'First. ' },
          { text: 'Let me see.', thoughtSignature: 's1' },
          call('1', { thoughtSignature: 's3' }),
          { text: '', thoughtSignature: 's2' },
          call('2'),
        ],
      },
      {},
    ]);
    expect(contents(messages, 'gemini-3.8-flash')).toMatchObject([
      {},
      {
        parts: [{ text: 'First. Let me see.' }, call('1', { thoughtSignature: 'skip_thought_signature_validator' }), call('2')],
      },
      {},
    ]);
    expect(JSON.stringify(contents(messages, 'gemini-2.5-pro'))).not.toContain('hought');
  });

  it('the text of a signed part goes back once, also when it is all of the text, and never when somebody has changed it', () => {
    const signed = ours({ text: 'yes', thoughtSignature: 's' });
    const parts = (before: string): unknown => contents([userText('q'), assistant([text(before), signed]), userText('r')]);
    const own = { text: 'yes', thoughtSignature: 's' };
    expect(parts('yes')).toMatchObject([{}, { parts: [own] }, {}]);
    expect(parts('no')).toEqual([expect.anything(), { role: 'model', parts: [{ text: 'no' }] }, expect.anything()]);
  });

  it.each<JsonValue>([null, 'x', {}, { text: 'x' }, { thoughtSignature: 1 }])('a block %j that is none of these is left out', (data) => {
    expect(contents([userText('q'), assistant([text('a'), ours(data)])])).toMatchObject([{}, { parts: [{ text: 'a' }] }]);
  });

  it('holds well-formed Unicode only', () => {
    expect(JSON.stringify(body({ system: 'a\uD800', messages: [userText('\uDC00b')] }))).not.toMatch(/\\ud[89a-f]/i);
  });
});

describe('how much Gemini thinks', () => {
  const BY_MODEL: readonly (readonly [string, GenerationParams, JsonObject | undefined])[] = [
    ['gemini-2.0-flash', { reasoningEffort: 'high' }, undefined],
    ['gemma-3-27b-it', { thinkingBudget: 5 }, undefined],
    ['gemini-2.5-pro', {}, { includeThoughts: true }],
    ['gemini-2.5-pro', { includeReasoning: false }, { includeThoughts: false }],
    ['gemini-2.5-pro', { thinkingBudget: 0 }, { includeThoughts: true, thinkingBudget: 128 }],
    ['gemini-2.5-pro', { thinkingBudget: 99_999 }, { includeThoughts: true, thinkingBudget: 32_768 }],
    ['gemini-2.5-flash', { reasoningEffort: 'none' }, { thinkingBudget: 0 }],
    ['gemini-2.5-flash', { reasoningEffort: 'max' }, { includeThoughts: true, thinkingBudget: 24_576 }],
    ['gemini-2.5-flash-lite', { thinkingBudget: 100 }, { includeThoughts: true, thinkingBudget: 512 }],
    ['gemini-2.5-flash', { reasoningEffort: 'odd' }, { includeThoughts: true, thinkingBudget: 12_288 }],
    ['gemini-3-pro-preview', { reasoningEffort: 'minimal' }, { includeThoughts: true, thinkingLevel: 'LOW' }],
    ['gemini-3-pro-preview', { reasoningEffort: 'medium' }, { includeThoughts: true, thinkingLevel: 'HIGH' }],
    ['gemini-3.1-pro-preview', { reasoningEffort: 'medium' }, { includeThoughts: true, thinkingLevel: 'MEDIUM' }],
    ['gemini-3-flash-preview', { reasoningEffort: 'none' }, { includeThoughts: true, thinkingLevel: 'MINIMAL' }],
    ['gemini-3.8-flash', { reasoningEffort: 'xhigh' }, { includeThoughts: true, thinkingLevel: 'HIGH' }],
    ['gemini-3.5-flash-lite', { thinkingBudget: 0 }, { includeThoughts: true, thinkingLevel: 'MINIMAL' }],
    ['gemma-4-31b', { thinkingBudget: 2_000 }, { includeThoughts: true, thinkingLevel: 'HIGH' }],
    ['gemini-4-neon', { thinkingBudget: 0 }, { includeThoughts: true, thinkingLevel: 'LOW' }],
    ['gemini-4-neon', { thinkingBudget: 4_000 }, { includeThoughts: true, thinkingLevel: 'LOW' }],
    ['gemini-4-neon', { thinkingBudget: 20_000, reasoningEffort: 'low' }, { includeThoughts: true, thinkingLevel: 'LOW' }],
    ['gemini-4-neon', { thinkingBudget: 20_000 }, { includeThoughts: true, thinkingLevel: 'HIGH' }],
    ['gemini-4-neon', { reasoningEffort: 'odd' }, { includeThoughts: true, thinkingLevel: 'HIGH' }],
  ];
  it.each(BY_MODEL)('%s with %j', (model, params, expected) => {
    expect(config(model, params)?.thinkingConfig).toEqual(expected);
  });

  it('levels that are known of the very model count', () => {
    const level = (reasoningEffort: string): unknown =>
      objectField(config('gemini-4-neon', { reasoningEffort }, ['none', 'medium', 'odd', 'high', 'xhigh']), 'thinkingConfig')
        ?.thinkingLevel;
    expect(['minimal', 'xhigh'].map(level)).toEqual(['MEDIUM', 'HIGH']);
  });
});

describe('what else is set', () => {
  it('samplings go where they are taken', () => {
    const params = { temperature: 0.5, topP: 0.9, topK: 5, minP: 0.1, presencePenalty: 1 };
    const taken = { temperature: 0.5, topP: 0.9, topK: 5, presencePenalty: 1 };
    expect(config('gemini-2.0-flash', params)).toEqual(taken);
    expect(config('gemini-3.1-pro', params)).toMatchObject(taken);
    expect(Object.keys(config('gemini-3.8-flash', params) ?? {})).toEqual(['thinkingConfig']);
  });

  it('of stop sequences five, and none that is empty', () => {
    expect(config('gemini-2.0-flash', { stop: ['', 'a', 'b', 'c', 'd', 'e', 'f'] })).toEqual({ stopSequences: ['a', 'b', 'c', 'd', 'e'] });
  });

  it.each<[JsonValue, JsonObject | undefined]>([
    ['json_object', { responseMimeType: 'application/json' }],
    [
      { type: 'json_schema', json_schema: { schema: { a: 1 } } },
      { responseMimeType: 'application/json', responseJsonSchema: { a: 1 } },
    ],
    [
      { type: 'json_schema', schema: { a: 1 } },
      { responseMimeType: 'application/json', responseJsonSchema: { a: 1 } },
    ],
    ['text', undefined],
  ])('an answer as %j', (responseFormat, expected) => {
    expect(config('gemini-2.0-flash', { responseFormat })).toEqual(expected);
  });

  it('is nothing when nothing is given', () => {
    expect(isJsonObject(body({ model: 'gemini-2.0-flash' })) && Object.keys(body({ model: 'gemini-2.0-flash' }))).toEqual(['contents']);
  });
});
