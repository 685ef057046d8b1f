import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonValue, Usage } from '#model';
import { ModelCatalogue } from './model-catalogue.js';

const packaged = join(process.cwd(), 'config');
const million: Usage = { inputTokens: 1_000_000, cachedInputTokens: 0, cacheCreationTokens: 0, outputTokens: 0 };

/** The cost of a million tokens of input, small enough for no tier. */
function priceOf(
  catalogue: ModelCatalogue,
  asker: { name?: string; baseUrl?: string; provider?: string },
  model: string,
): number | undefined {
  const { name = 'b', baseUrl, provider } = asker;
  const cost = catalogue.knowledgeFor({ name, baseUrl, provider }).costOf(model, { ...million, inputTokens: 1_000 });
  return cost === undefined ? undefined : Number((cost * 1_000).toFixed(9));
}

describe('which model an id means', () => {
  const catalogue = new ModelCatalogue({ config: '/nowhere', packaged });

  it.each<[provider: string, id: string, price: number | undefined]>([
    ['anthropic', 'claude-sonnet-4-5', 3],
    ['anthropic', 'Claude-Sonnet-4-5', 3],
    ['anthropic', 'claude-sonnet-4-5-20250929', 3],
    ['anthropic', 'claude-sonnet-4-5@20250929', 3],
    ['anthropic', 'claude-opus-5-5-20261009', 4],
    ['anthropic', 'claude-sonnet-5-latest', 2],
    ['anthropic', 'claude-sonnet-4.5', 3],
    ['anthropic', 'claude-sonnet-4.5-20250929', 3],
    ['anthropic', 'claude-sonnet-4', undefined],
    ['anthropic', 'claude-sonnet', undefined],
    ['openai', 'gpt-4', 30],
    ['openai', 'gpt-4-0613', 30],
    ['openai', 'gpt-4o-mini', 0.15],
    ['openai', 'gpt-4o-mini-2024-07-18', 0.15],
    ['openai', 'gpt-4o-2024-05-13', 5],
    ['openai', 'gpt-4o-2024-11-20', 2.5],
    ['openai', 'gpt-4o-mini-audio', 0.15],
    ['openai', 'gpt-4-turbine-x', 30],
    ['openai', 'gpt-4ox', undefined],
    ['openai', 'gpt-4o-', 2.5],
    ['openai', 'gpt-5-2025-08-07', 1.25],
    ['openai', 'gpt-6.2', undefined],
    ['openai', '', undefined],
    ['google', 'gemini-3.1-pro', 2],
    ['google', 'gemini-3.1-pro-preview', 2],
    ['google', 'models/gemini-2.5-flash', 0.3],
    ['google', 'gemini-2.5-pro-preview-06-05', 1.25],
    ['google', 'gemma-4-31b-it', undefined],
    ['openrouter', 'anthropic/claude-sonnet-4.5', 3],
    ['openrouter', 'Anthropic/claude-opus-5.5', 4],
    ['openrouter', 'openai/gpt-4o-mini', 0.15],
    ['openrouter', 'x-ai/grok-4.7', 2],
    ['openrouter', 'openai/gpt-4o-mini:free', undefined],
    ['openrouter', 'nobody/gpt-4o', undefined],
    ['openrouter', 'gpt-4o', undefined],
    ['copilot', 'gpt-6.2-sol', undefined],
    ['nobody', 'gpt-4o', undefined],
    ['ollama', 'qwen3:8b', undefined],
    ['mistral', 'zai-glm-5-3', 1.4],
  ])('%s %s', (provider, id, price) => {
    expect(priceOf(catalogue, { provider }, id)).toBe(price);
  });

  it.each<[address: string, id: string, price: number | undefined]>([
    ['https://api.openai.com/v1', 'gpt-5', 1.25],
    ['https://eu.api.openai.com/v1', 'gpt-5', 1.25],
    ['https://api.deepseek.com.example', 'deepseek-v4-pro', undefined],
    ['https://fakeapi.deepseek.com', 'deepseek-v4-pro', undefined],
    ['https://api.deepseek.com', 'deepseek-v4-pro', 1.32],
    ['https://api.business.githubcopilot.com', 'gpt-6.2-sol', undefined],
    ['https://openrouter.ai/api/v1', 'google/gemini-2.5-flash', 0.3],
    ['https://proxy.example/v1', 'gpt-5', 1.25],
    ['https://proxy.example/v1', 'anthropic/claude-sonnet-5', 2],
    ['https://proxy.example/v1', 'deepseek-v4-pro', undefined],
    ['http://127.0.0.1:4000/v1', 'claude-sonnet-5', 2],
    ['http://127.0.0.1:4000/v1', 'gpt-4-x-alpaca', undefined],
    ['http://127.0.0.1:11434/v1', 'qwen3:8b', undefined],
    ['http://localhost:8080', 'deepseek-v4-pro', undefined],
    ['http://[::1]:8080', 'any', undefined],
    ['http://10.0.0.7:8080', 'any', undefined],
    ['http://127.example/v1', 'any', undefined],
    ['not an address', 'any', undefined],
  ])('at %s %s', (baseUrl, id, price) => {
    expect(priceOf(catalogue, { baseUrl, provider: 'openai' }, id)).toBe(price);
  });

  it('says what the model takes and can', () => {
    const { facts } = catalogue.knowledgeFor({ name: 'b', baseUrl: undefined, provider: 'anthropic' });
    expect(facts('claude-opus-5-5')).toEqual({
      contextLength: 1_000_000,
      capabilities: {
        maxOutputTokens: 128_000,
        tools: true,
        images: true,
        temperature: false,
        reasoning: true,
        efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
      },
    });
    expect(facts('claude')).toBeUndefined();
  });
});

describe('what the user has to say', () => {
  let config = '';

  beforeEach(() => {
    config = mkdtempSync(join(tmpdir(), 'ollie-models-'));
  });
  afterEach(() => rmSync(config, { recursive: true }));

  function withFile(value: JsonValue | string): ModelCatalogue {
    const file = join(config, 'models.json');
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
    return new ModelCatalogue({ config, packaged });
  }

  it('stands above the packaged list, field by field', () => {
    const models = { 'gpt-4o': { cost: { cacheRead: 9 }, contextLength: 7 }, 'claude-x': { cost: { input: 1, output: 2 } } };
    const catalogue = withFile({ providers: { openai: { models } } });
    const { facts, costOf } = catalogue.knowledgeFor({ name: 'b', baseUrl: undefined, provider: 'openai' });
    expect(facts('gpt-4o')).toMatchObject({ contextLength: 7, capabilities: { images: true, maxOutputTokens: 16_384 } });
    expect(costOf('gpt-4o', { ...million, cachedInputTokens: 1_000_000 })).toBe(2.5 + 9);
    expect(costOf('gpt-4o-mini', million)).toBe(0.15);
    expect(costOf('claude-x', million)).toBe(1);
  });

  it('prices without those of the cache have what is usual', () => {
    const models = { x: { cost: { input: 10, output: 1 } } };
    const catalogue = withFile({ providers: { openai: { models }, anthropic: { models }, constructor: { hosts: [], models } } });
    const used = { ...million, inputTokens: 0 };
    const costs = ['openai', 'anthropic', 'constructor'].map((provider) => {
      const { costOf } = catalogue.knowledgeFor({ name: 'b', baseUrl: undefined, provider });
      return [costOf('x', { ...used, cachedInputTokens: 1_000_000 }), costOf('x', { ...used, cacheCreationTokens: 1_000_000 })];
    });
    expect(costs).toEqual([
      [5, 12.5],
      [1, 12.5],
      [5, 12.5],
    ]);
  });

  it('may be about one backend, by its name, or about a server of one’s own', () => {
    const catalogue = withFile({
      providers: {
        lab: { models: { 'gpt-5': { cost: { input: 0.5 } }, 'qwen3:8b': { cost: { input: 7, output: 0 } } } },
        corp: { hosts: ['llm.corp.example'], models: { 'own-1': { aliases: ['own'], cost: { input: 3, output: 3 } } } },
      },
    });
    const lab = { name: 'lab', baseUrl: 'http://127.0.0.1:1' };
    expect(['gpt-5', 'qwen3:8b', 'any'].map((id) => priceOf(catalogue, lab, id))).toEqual([0.5, 7, undefined]);
    const corp = { baseUrl: 'https://llm.corp.example/v1' };
    expect(['own-1', 'OWN', 'own-1-2026-01-01', 'gpt-5'].map((id) => priceOf(catalogue, corp, id))).toEqual([3, 3, 3, undefined]);
  });

  it('may give a model of the packaged list another name, and half a price is none', () => {
    const models = { 'gpt-5': { aliases: ['deploy-7'] }, mine: { cost: { input: 1 } } };
    const catalogue = withFile({ providers: { openai: { models } } });
    expect(['deploy-7', 'gpt-5', 'mine'].map((id) => priceOf(catalogue, { provider: 'openai' }, id))).toEqual([1.25, 1.25, undefined]);
  });

  it.each<[JsonValue | string, string | RegExp]>([
    ['{"providers":', /^FILE: \S.*JSON/],
    [[], 'FILE: expected a mapping'],
    [{ provider: {} }, /^FILE: unknown key provider; known are /],
    [
      { providers: { openai: { models: { 'gpt-5': { cost: { input: '1' } } } } } },
      'FILE: providers: openai: models: gpt-5: cost: input: expected a number from 0',
    ],
    [{ providers: { openai: { models: { 'gpt-5': { cost: { input: -1 } } } } } }, /cost: input: expected a number from 0$/],
    [
      { providers: { openai: { models: { 'gpt-5': { price: 1 } } } } },
      /^FILE: providers: openai: models: gpt-5: unknown key price; known are /,
    ],
    [{ providers: { openai: { models: { 'gpt-5': { contextLength: 0 } } } } }, /contextLength: expected a whole number from 1$/],
    [
      { providers: { openai: { models: { 'gpt-5': { cost: { tiers: [{ input: 1 }] } } } } } },
      /cost: tiers 1: inputTokensAbove: expected a whole number from 1$/,
    ],
    [{ providers: { openai: { hosts: 'x' } } }, 'FILE: providers: openai: hosts: expected a list'],
  ])('what it cannot be is told with its place: %j', (value, expected) => {
    const file = join(config, 'models.json');
    const wanted = typeof expected === 'string' ? expected.replace('FILE', file) : new RegExp(expected.source.replace('FILE', file));
    expect(() => withFile(value)).toThrow(wanted);
  });

  it('a file that cannot be read is told', () => {
    mkdirSync(join(config, 'models.json'));
    expect(() => new ModelCatalogue({ config, packaged })).toThrow(/models\.json: .*EISDIR/);
  });

  it('the packaged list is not read before it is needed', () => {
    const catalogue = new ModelCatalogue({ config, packaged: '/nowhere' });
    expect(catalogue.date).toBeUndefined();
    expect(() => catalogue.knowledgeFor({ name: 'b', baseUrl: undefined, provider: 'openai' }).facts('x')).toThrow(/ENOENT/);
  });
});
