import {
  ContextOverflowError,
  ToolUnsupportedError,
  TransientError,
  userText,
  type JsonObject,
  type ModelRequest,
  type StreamEvent,
} from '#model';
import { ChatLinesDecoder } from './decode.js';

const request: ModelRequest = { model: 'm', system: '', messages: [userText('x'.repeat(700))], tools: [], params: {} };

function decode(lines: readonly JsonObject[], { usedIds = [] as readonly string[], numCtx = 4_096 } = {}): readonly StreamEvent[] {
  const decoder = new ChatLinesDecoder({ backend: 'ollama', secret: undefined, usedIds: new Set(usedIds), request, numCtx });
  return [...lines.flatMap((line) => decoder.push(line)), ...decoder.end()];
}

const call = (name: string, args: JsonObject[string], more: JsonObject = {}): JsonObject => ({
  message: { role: 'assistant', content: '', tool_calls: [{ ...more, function: { name, arguments: args } }] },
  done: false,
});
const done = (more: JsonObject = {}): JsonObject => ({ message: { content: '' }, done: true, done_reason: 'stop', ...more });
const calls = (events: readonly StreamEvent[]) => events.flatMap((event) => (event.type === 'toolCall' ? [event.call] : []));

describe('lines of a chat', () => {
  it('thinking before a call goes back with it, and only then', () => {
    const thinks = { message: { content: '', thinking: 'hm' }, done: false };
    const block = { type: 'replay', provider: 'ollama', model: 'm', data: { type: 'thinking', thinking: 'hmhm' } };
    expect(decode([thinks, thinks, call('ls', {}), done()])).toContainEqual({ type: 'replay', block });
    expect(decode([thinks, done()]).map(({ type }) => type)).toEqual(['reasoning', 'done']);
  });

  it('calls keep an id that they have if nobody has it yet', () => {
    const events = decode([call('a', {}, { id: 'c1' }), call('b', {}, { id: 'c1' }), call('c', {}, { id: 'old' }), done()], {
      usedIds: ['old'],
    });
    const ids = calls(events).map(({ id }) => id);
    expect([ids[0], new Set([...ids, 'old']).size]).toEqual(['c1', 4]);
  });

  it.each<[string, JsonObject[string], JsonObject]>([
    ['an object', { a: 1 }, { arguments: { a: 1 }, rawArguments: '{"a":1}' }],
    ['its text', '{"a":1}', { arguments: { a: 1 }, rawArguments: '{"a":1}' }],
    ['nothing', null, { arguments: {}, rawArguments: '{}' }],
    ['broken text', '{"a"', { arguments: {}, rawArguments: '{"a"', argumentsError: expect.any(String) }],
  ])('arguments may be %s', (_what, given, expected) => {
    expect(calls(decode([call('ls', given), done()]))).toEqual([{ id: expect.any(String), name: 'ls', ...expected }]);
  });

  it('an answer that was cut gives no calls', () => {
    const events = decode([call('ls', {}), done({ done_reason: 'length' })]);
    expect([calls(events), events.at(-1)]).toEqual([[], { type: 'done', stop: 'length' }]);
  });

  it('a call without a name is none', () => {
    expect(() => decode([call('', {}), done()])).toThrow('tool call without a name');
  });

  it('an error in the middle is typed', () => {
    const failing = (error: string) => () => decode([{ error }]);
    expect(failing('model does not support tools')).toThrow(ToolUnsupportedError);
    expect(failing('the input length exceeds the context length')).toThrow(ContextOverflowError);
    expect(failing('out of memory')).toThrow(TransientError);
  });

  it('what was read from the cache counts apart where that is told', () => {
    const usage = (more: JsonObject) => decode([done(more)]).find((event) => event.type === 'usage')?.usage;
    const none = { cachedInputTokens: 0, cacheCreationTokens: 0 };
    expect(usage({ prompt_eval_count: 10, eval_count: 2 })).toEqual({ ...none, inputTokens: 10, outputTokens: 2 });
    expect(usage({ prompt_eval_count: 10, prompt_eval_cached_count: 8, eval_count: 2 })).toMatchObject({
      inputTokens: 2,
      cachedInputTokens: 8,
    });
    expect(usage({ eval_count: 2 })).toEqual({ ...none, inputTokens: 0, outputTokens: 2 });
    expect(usage({})).toBeUndefined();
  });
});

describe('a window that is too small', () => {
  const warning = (last: JsonObject, numCtx: number): string | undefined =>
    decode([done(last)], { numCtx }).find((event) => event.type === 'warning')?.text;

  // The request has 702 characters.
  it.each<[string, JsonObject, number]>([
    ['all of it was read', { prompt_eval_count: 200, eval_count: 5 }, 4_096],
    ['few tokens, but there is room: the rest was in the cache', { prompt_eval_count: 3, eval_count: 5 }, 4_096],
    ['nothing is told, and there is room', { eval_count: 5 }, 4_096],
    ['nothing is told, and there is hardly room', { eval_count: 5 }, 130],
    ['long words', { prompt_eval_count: 130, eval_count: 5 }, 160],
  ])('is not warned of: %s', (_what, last, numCtx) => {
    expect(warning(last, numCtx)).toBeUndefined();
  });

  it.each<[string, JsonObject, number]>([
    ['the whole window was read', { prompt_eval_count: 511, eval_count: 1 }, 512],
    ['more was sent than was read, and than fits', { prompt_eval_count: 90, eval_count: 5 }, 100],
    ['nothing is told, and there is no room', { eval_count: 5 }, 100],
  ])('is warned of: %s', (_what, last, numCtx) => {
    expect(warning(last, numCtx)).toBe(
      `the beginning of the conversation was probably left out: the model runs with a window of ${numCtx} tokens (OLLIE_OLLAMA_NUM_CTX)`,
    );
  });

  it('is warned of when the answer fills it', () => {
    const last = { prompt_eval_count: 200, eval_count: 312, done_reason: 'length' };
    expect(warning(last, 512)).toMatch(/^the answer ends where the window is full: .* 512 tokens/);
    expect(warning(last, 1_024)).toBeUndefined();
    expect(warning({ ...last, done_reason: 'stop' }, 512)).toBeUndefined();
  });

  it('`done` stays the last event', () => {
    expect(decode([done({ prompt_eval_count: 512 })], { numCtx: 512 }).map(({ type }) => type)).toEqual(['usage', 'warning', 'done']);
  });
});
