import { join } from 'node:path';
import { packagedModels } from './load-models.js';

const file = packagedModels(join(process.cwd(), 'config/models.json'));

/** In, out, read, written; then the same above a border. */
type Row = readonly [model: string, ...prices: readonly number[]];

const share = (read: number, write: number, above?: number) => {
  return (model: string, input: number, output: number): Row => {
    const row: Row = [model, input, output, round(input * read), round(input * write)];
    const dear = [above ?? 0, input * 2, round(output * 1.5), round(input * read * 2), round(input * write * 2)];
    return above === undefined ? row : [...row, ...dear];
  };
};
const round = (price: number): number => Number(price.toFixed(9));
const gpt62 = share(0.05, 1.25, 272_000);
const gpt6 = share(0.1, 1.25, 272_000);
const gpt54 = share(0.1, 0, 272_000);
const gpt5 = share(0.1, 0);
const gpt41 = share(0.25, 0);
const gpt4o = share(0.5, 0);
const gemini4 = share(0.05, 0);
const gemini = share(0.1, 0);

/** Prices of November 2026. Where the source of the file says otherwise, these count. */
const EXPECTED: Readonly<Record<string, readonly Row[]>> = {
  anthropic: [
    ['claude-fable-5-2', 8, 40, 0.2, 10],
    ['claude-fable-5-1', 10, 50, 0.25, 12.5],
    ['claude-fable-5', 10, 50, 1, 12.5],
    ['claude-opus-5-5', 4, 20, 0.2, 5],
    ['claude-opus-4-5', 5, 25, 0.5, 6.25],
    ['claude-opus-4-6', 5, 25, 0.5, 6.25],
    ['claude-opus-4-7', 5, 25, 0.5, 6.25],
    ['claude-opus-4-8', 5, 25, 0.5, 6.25],
    ['claude-opus-5', 5, 25, 0.5, 6.25],
    ['claude-sonnet-5-5', 2, 10, 0.1, 2.5],
    ['claude-sonnet-5', 2, 10, 0.2, 2.5],
    ['claude-sonnet-4-5', 3, 15, 0.3, 3.75],
    ['claude-sonnet-4-6', 3, 15, 0.3, 3.75],
    ['claude-haiku-5-5', 0.1, 0.5, 0.01, 0.125, 100_000, 0.5, 2.5, 0.05, 0.625],
    ['claude-haiku-4-5', 1, 5, 0.1, 1.25],
  ],
  openai: [
    gpt62('gpt-6.2-astra', 8, 40),
    gpt62('gpt-6.2-sol', 2, 10),
    gpt62('gpt-6.1-sol', 2, 10),
    gpt62('gpt-6.1-terra', 1, 5),
    gpt6('gpt-6-astra', 10, 50),
    gpt6('gpt-6-sol', 2, 10),
    gpt6('gpt-6-luna', 0.1, 0.5),
    gpt6('gpt-5.6-sol', 4, 20),
    gpt6('gpt-5.6-terra', 2, 12),
    gpt6('gpt-5.6-luna', 0.2, 1.2),
    gpt54('gpt-5.4', 2.5, 15),
    gpt54('gpt-5.5', 5, 30),
    gpt5('gpt-5', 1.25, 10),
    gpt5('gpt-5-mini', 0.25, 2),
    gpt5('gpt-5-nano', 0.05, 0.4),
    gpt41('gpt-4.1', 2, 8),
    gpt41('o3', 2, 8),
    gpt41('o4-mini', 1.1, 4.4),
    gpt4o('gpt-4o', 2.5, 10),
    gpt4o('o1', 15, 60),
    gpt4o('o3-mini', 1.1, 4.4),
  ],
  google: [
    gemini4('gemini-4-neon', 3, 15),
    gemini4('gemini-4-argon', 2, 10),
    gemini4('gemini-4-hydrogen', 1.5, 7.5),
    gemini('gemini-3.8-flash', 0.75, 3.75),
    ['gemini-3.1-pro-preview', 2, 12, 0.2, 0, 200_000, 4, 18, 0.4, 0],
    ['gemini-2.5-pro', 1.25, 10, 0.125, 0, 200_000, 2.5, 15, 0.25, 0],
    gemini('gemini-2.5-flash', 0.3, 2.5),
  ],
};

describe('the packaged list of models', () => {
  it.each(Object.entries(EXPECTED).flatMap(([provider, rows]) => rows.map(([model, ...prices]) => [provider, model, prices] as const)))(
    'has the prices of %s %s',
    (provider, model, prices) => {
      const { tiers = [], ...cost } = file.entry(provider, model)?.cost ?? {};
      const above = tiers.flatMap((tier) => [tier.inputTokensAbove, tier.input, tier.output, tier.cacheRead, tier.cacheWrite]);
      expect([cost.input, cost.output, cost.cacheRead, cost.cacheWrite, ...above]).toEqual(prices);
    },
  );

  it('is well formed, says of when it is, and tells the window and the longest answer of each model', () => {
    expect(file.check().date).toMatch(/^20\d\d-[01]\d-[0-3]\d$/);
    const models = Object.keys(EXPECTED).flatMap((provider) => EXPECTED[provider]?.map(([model]) => file.entry(provider, model)) ?? []);
    expect(models.filter((model) => !model?.contextLength || !model.maxOutputTokens || model.images === undefined)).toEqual([]);
  });

  it('has real windows, not the borders of prices', () => {
    expect([file.entry('openai', 'gpt-6.2-sol')?.contextLength, file.entry('anthropic', 'claude-sonnet-5-5')?.contextLength]).toEqual([
      1_050_000, 1_000_000,
    ]);
  });
});
