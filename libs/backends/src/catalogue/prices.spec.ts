import { join } from 'node:path';
import type { Usage } from '#model';
import { ModelCatalogue } from './model-catalogue.js';
import { costOf, type Prices } from './prices.js';

const catalogue = new ModelCatalogue({ config: '/nowhere', packaged: join(process.cwd(), 'config') });
const costAt = (provider: string, model: string, usage: Usage): number | undefined =>
  catalogue.knowledgeFor({ name: provider, baseUrl: undefined, provider }).costOf(model, usage);

const usage = (inputTokens: number, cachedInputTokens: number, cacheCreationTokens: number, outputTokens: number): Usage => ({
  inputTokens,
  cachedInputTokens,
  cacheCreationTokens,
  outputTokens,
});

const PRICES: Prices = {
  input: 2,
  output: 10,
  cacheRead: 0.1,
  cacheWrite: 2.5,
  tiers: [
    { inputTokensAbove: 500, input: 8, output: 30, cacheRead: 0.4, cacheWrite: 10 },
    { inputTokensAbove: 200, input: 4, output: 15, cacheRead: 0.2, cacheWrite: 5 },
  ],
  serviceTiers: { flex: 0.5, priority: 2 },
};
const MICRO = 1e-6;

/** Numbers from 0 up to 1, the same in each run. */
function* numbers(): Generator<number> {
  for (let state = 1; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

function* usages(count: number, most: number): Generator<Usage & { readonly cacheCreation1hTokens: number }> {
  const random = numbers();
  const next = (below: number): number => Math.floor((random.next().value ?? 0) * below);
  for (let i = 0; i < count; i += 1) {
    const created = next(most);
    yield { ...usage(next(most), next(most), created, next(most)), cacheCreation1hTokens: next(created + 1) };
  }
}

describe('what a request costs', () => {
  it.each<[provider: string, model: string, used: Usage, costUSD: number]>([
    ['anthropic', 'claude-sonnet-5-5', { ...usage(1_000, 80_000, 4_000, 500), cacheCreation1hTokens: 1_000 }, 0.0265],
    ['anthropic', 'claude-haiku-5-5', usage(2_000, 120_000, 3_000, 800), 0.010875],
    ['openai', 'gpt-6.2-sol', usage(5_000, 250_000, 0, 2_000), 0.055],
    ['openai', 'gpt-6.2-sol', usage(30_000, 250_000, 0, 2_000), 0.2],
    ['openai', 'gpt-4o', usage(1_000, 9_000, 0, 100), 0.01475],
    ['google', 'gemini-2.5-pro', usage(150_000, 60_000, 0, 1_000), 0.405],
  ])('%s %s', (provider, model, used, costUSD) => {
    expect(Math.abs((costAt(provider, model, used) ?? NaN) - costUSD)).toBeLessThan(1e-9);
  });

  it.each<[string, Usage, number]>([
    ['a request of just the border has the rates below it', usage(100, 60, 40, 0), 100 * 2 + 60 * 0.1 + 40 * 2.5],
    ['one token more, and all of it has the rates above', usage(101, 60, 40, 1), 101 * 4 + 60 * 0.2 + 40 * 5 + 15],
    ['the highest border that is passed counts', usage(501, 0, 0, 0), 501 * 8],
    ['output passes no border', usage(200, 0, 0, 1_000), 200 * 2 + 1_000 * 10],
    [
      'what is kept for an hour costs twice the input of its tier',
      { ...usage(0, 0, 300, 0), cacheCreation1hTokens: 100 },
      200 * 5 + 100 * 8,
    ],
    ['not more can be kept for an hour than is kept', { ...usage(0, 0, 10, 0), cacheCreation1hTokens: 99 }, 10 * 4],
    ['reasoning is output already', { ...usage(0, 0, 0, 10), reasoningTokens: 9 }, 100],
    ['flex is half', { ...usage(10, 0, 0, 1), serviceTier: 'flex' }, 15],
    ['priority is double', { ...usage(10, 0, 0, 1), serviceTier: 'priority' }, 60],
    ['what nobody knows is as usual', { ...usage(10, 0, 0, 1), serviceTier: 'toString' }, 30],
  ])('%s', (_name, used, micros) => {
    expect(Math.abs(costOf(used, PRICES) - micros * MICRO)).toBeLessThan(1e-12);
  });

  it('priority has a price of its own for some models', () => {
    const used = { ...usage(1_000_000 / 10, 0, 0, 0), serviceTier: 'priority' };
    expect([costAt('openai', 'gpt-5.5', used), costAt('openai', 'gpt-5.4', used)]).toEqual([1.25, 0.5]);
  });

  it('never sinks when anything of it grows', () => {
    for (const used of usages(2_000, 400)) {
      const cost = costOf(used, PRICES);
      for (const key of ['inputTokens', 'cachedInputTokens', 'cacheCreationTokens', 'outputTokens'] as const)
        expect(costOf({ ...used, [key]: used[key] + 1 }, PRICES)).toBeGreaterThanOrEqual(cost);
    }
  });

  it('is the sum of its parts as long as they are below the first border', () => {
    const { tiers: _tiers, ...rest } = PRICES;
    const flat: Prices = { ...rest, tiers: [] };
    for (const used of usages(2_000, 100_000)) {
      const { inputTokens, cachedInputTokens, cacheCreationTokens, cacheCreation1hTokens, outputTokens } = used;
      const parts = [
        usage(inputTokens, 0, 0, 0),
        usage(0, cachedInputTokens, 0, 0),
        { ...usage(0, 0, cacheCreationTokens, 0), cacheCreation1hTokens },
        usage(0, 0, 0, outputTokens),
      ];
      const sum = parts.reduce((cost, part) => cost + costOf(part, flat), 0);
      expect(Math.abs(costOf(used, flat) - sum)).toBeLessThan(1e-9);
    }
  });

  it('two requests cost more as one when they pass a border together, never less', () => {
    const [a, b] = [usage(150, 0, 0, 10), usage(150, 0, 0, 10)];
    expect(costOf(usage(300, 0, 0, 20), PRICES)).toBeGreaterThan(costOf(a, PRICES) + costOf(b, PRICES));
  });
});
