import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collect, loopbackServer } from '#testkit';
import { createCatalog } from './create-catalog.js';

const packaged = join(process.cwd(), 'config');
const never = new AbortController().signal;
const TOKENS = { prompt_tokens: 1_000_000, completion_tokens: 0 };

describe('what the configured backends know of their models', () => {
  let usage: object = TOKENS;
  let more: object = {};
  const server = loopbackServer((response, { method }) => {
    if (method === 'GET') return response.end('{"data":[{"id":"gpt-5"},{"id":"own"}]}');
    const chunk = { choices: [{ index: 0, delta: { content: 'hi' }, finish_reason: 'stop' }], usage, ...more };
    return response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  });
  const asked = () =>
    createCatalog({ env: { OLLIE_OPENAI_URL: `${server.url}/v1` }, paths: { config: '/nowhere', packaged } }).get('openai');

  async function costOf(model: string): Promise<number | undefined> {
    const events = await collect(asked(), { model });
    return events.flatMap((event) => (event.type === 'usage' ? [event.usage.costUSD] : []))[0];
  }

  it('an answer comes with its cost: by the list, none without a price, and what was billed before all', async () => {
    usage = TOKENS;
    expect([await costOf('gpt-5'), await costOf('own')]).toEqual([1.25, undefined]);
    usage = { ...TOKENS, cost: 0.75, is_byok: true, cost_details: { upstream_inference_cost: 2 } };
    expect(await costOf('gpt-5')).toBe(2.75);
  });

  it.each([
    ['flex', 0.625],
    ['priority', 2.5],
    ['default', 1.25],
    ['auto', 1.25],
    ['new', 1.25],
  ])('served as %s it costs $%d', async (service_tier, cost) => {
    usage = TOKENS;
    more = { service_tier };
    expect(await costOf('gpt-5')).toBe(cost);
  });

  it('windows are known where the server tells none', async () => {
    const backend = asked();
    expect((await backend.models(never)).map(({ id, contextLength }) => [id, contextLength])).toEqual([
      ['gpt-5', 400_000],
      ['own', undefined],
    ]);
    expect([backend.contextLength('gpt-5'), backend.capabilities('gpt-5').tools, backend.capabilities('own')]).toEqual([400_000, true, {}]);
  });

  it('each provider’s own models are known without an address, and of when the prices are, once one was needed', () => {
    const env = { OLLIE_OPENAI_KEY: 'k', OLLIE_ANTHROPIC_KEY: 'k', OLLIE_GEMINI_KEY: 'k' };
    const catalog = createCatalog({ env, paths: { config: '/nowhere', packaged } });
    expect(catalog.pricesDate()).toBeUndefined();
    const windows = ['openai', 'anthropic', 'scripted'].map((name) => catalog.get(name).contextLength('claude-haiku-4-5'));
    expect([windows, catalog.get('openai').contextLength('o3'), catalog.get('gemini').contextLength('gemini-4-neon')]).toEqual([
      [undefined, 200_000, undefined],
      200_000,
      1_048_576,
    ]);
    expect(catalog.pricesDate()).toMatch(/^20\d\d-\d\d-\d\d$/);
  });

  it('a list of the user’s that cannot be used is told at once', () => {
    const config = mkdtempSync(join(tmpdir(), 'ollie-models-'));
    writeFileSync(join(config, 'models.json'), '{"providers":{"openai":{"models":{"gpt-5":{"cost":1}}}}}');
    const file = join(config, 'models.json');
    expect(() => createCatalog({ env: {}, paths: { config, packaged } })).toThrow(
      `${file}: providers: openai: models: gpt-5: cost: expected a mapping`,
    );
    rmSync(config, { recursive: true });
  });
});
