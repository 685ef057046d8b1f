import { Place } from '../place.js';
import { presetAt } from './presets.js';
import { serverOf } from './server.js';
import { readQuirks } from './read-quirks.js';

const own = { name: 'own', baseUrl: undefined, key: undefined, defaultModel: undefined };
const read = (value: unknown): ReturnType<typeof readQuirks> => readQuirks(new Place(value, 'config.json: quirks'));

describe('what a server is like', () => {
  it.each([
    [undefined, 'openai'],
    ['https://api.openai.com/v1', 'openai'],
    ['https://eu.api.openai.com/v1/', 'openai'],
    ['https://notapi.openai.com/v1', 'compatible'],
    ['https://api.openai.com.example.org/v1', 'compatible'],
    ['https://openrouter.ai/api/v1', 'openrouter'],
    ['https://api.x.ai/v1', 'xai'],
    ['http://127.0.0.1:8080/v1', 'compatible'],
    ['nowhere', 'compatible'],
  ])('at %s is %s', (url, preset) => {
    expect(presetAt(url)).toBe(preset);
  });

  it('is what its preset says but for what is said otherwise', () => {
    const { quirks } = serverOf({ ...own, quirks: { preset: 'llama.cpp', toolImages: 'none', parameters: { topK: null } } });
    expect(quirks).toMatchObject({
      thinking: 'chat_template_kwargs',
      toolImages: 'none',
      parameters: { topK: null, repetitionPenalty: 'repeat_penalty' },
    });
  });

  it('is said in config.json', () => {
    const quirks = {
      preset: 'vllm',
      thinking: 'none',
      streamUsage: false,
      body: { provider: { order: ['a'] } },
      parameters: { topA: null, stop: 'end' },
    };
    expect(read(quirks)).toEqual(quirks);
    expect(read({})).toEqual({});
  });

  it.each([
    [{ preset: 'gtp' }, 'config.json: quirks: preset: expected one of compatible, openai'],
    [{ streamUsage: 'no' }, 'config.json: quirks: streamUsage: expected true or false'],
    [{ parameters: { topP: 1 } }, 'config.json: quirks: parameters: topP: expected text'],
    [{ parameters: { top_p: 'p' } }, 'config.json: quirks: parameters: unknown key top_p'],
    [{ body: [] }, 'config.json: quirks: body: expected a mapping'],
    [{ other: 1 }, 'config.json: quirks: unknown key other'],
  ])('%j is a mistake', (value, why) => {
    expect(() => read(value)).toThrow(why);
  });
});
