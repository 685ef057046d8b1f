import type { ModelRequest } from '#model';
import { openaiDialect } from './dialect.js';
import type { OpenAIOptions } from './options.js';

const request = (model: string): ModelRequest => ({ model, system: '', messages: [], tools: [], params: {} });
const pathOf = (model: string, options: Partial<OpenAIOptions> = {}): string =>
  openaiDialect({ name: 'openai', baseUrl: undefined, key: undefined, defaultModel: undefined, ...options }).path(request(model));

describe('what is spoken with a model', () => {
  it.each(['gpt-5', 'gpt-5.6-sol', 'gpt-6.2-astra', 'o3', 'o4-mini', 'gpt-5-codex', 'gpt-9', 'chat-latest', 'gpt-daybreak-blue-latest'])(
    'of OpenAI itself is a response for %s',
    (model) => {
      for (const baseUrl of [undefined, 'https://api.openai.com/v1', 'https://eu.api.openai.com/v1'])
        expect(pathOf(model, { baseUrl })).toBe('/responses');
    },
  );

  it.each(['gpt-4o', 'gpt-4.1-mini', 'gpt-3.5-turbo', 'gpt-5-chat-latest', 'chatgpt-4o-latest', 'ft:gpt-4o-mini:acme::1'])(
    'of OpenAI itself is a chat completion for %s',
    (model) => {
      expect(pathOf(model)).toBe('/chat/completions');
    },
  );

  it('is a chat completion everywhere else', () => {
    for (const baseUrl of ['http://127.0.0.1:8080/v1', 'https://openrouter.ai/api/v1', 'https://api.x.ai/v1'])
      expect(pathOf('gpt-6-sol', { baseUrl })).toBe('/chat/completions');
  });

  it('is what the options say', () => {
    expect(pathOf('gpt-6-sol', { quirks: { preset: 'openai' }, baseUrl: 'http://127.0.0.1:8080/v1' })).toBe('/responses');
    expect(pathOf('gpt-6-sol', { dialect: 'chat' })).toBe('/chat/completions');
    expect(pathOf('m', { dialect: 'responses', baseUrl: 'http://127.0.0.1:8080/v1' })).toBe('/responses');
  });

  it('is read as it is spoken', () => {
    const dialect = openaiDialect({ name: 'openai', baseUrl: undefined, key: undefined, defaultModel: undefined });
    expect(dialect.decoder(request('gpt-6-sol'), {}).constructor.name).toBe('ResponsesDecoder');
    expect(dialect.decoder(request('gpt-4o'), {}).constructor.name).toBe('ChatDecoder');
    expect([dialect.body(request('gpt-6-sol'), {}).store, dialect.body(request('gpt-4o'), {}).store]).toEqual([false, undefined]);
    expect(dialect.headers?.(request('gpt-6-sol'))).toEqual({});
  });
});
