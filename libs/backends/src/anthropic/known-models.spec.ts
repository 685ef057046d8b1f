import { isJsonObject, type ModelRequest, type Usage } from '#model';
import { collect, loopbackServer } from '#testkit';
import { object } from '../stream-cases/cases.js';
import { usageIn } from '../openai/usage.js';
import { servedAs } from '../wire/service-tier.js';
import { completed, priced, type ModelKnowledge } from '../wire/model-knowledge.js';
import { AnthropicBackend } from './anthropic.backend.js';

const never = new AbortController().signal;
const LIST =
  '{"data":[{"id":"claude-haiku-4-5","max_input_tokens":300000,"max_tokens":20000},{"id":"claude-sonnet-4-5"},{"id":"own","max_tokens":50000}]}';
const ANSWER = [
  '{"type":"message_start","message":{"id":"m","usage":{"input_tokens":1000000,"output_tokens":1,"service_tier":"priority"}}}',
  '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"hi"}}',
  '{"type":"message_stop"}',
]
  .map((event) => `data: ${event}\n\n`)
  .join('');

describe('what is known of a model', () => {
  const server = loopbackServer((response, { method }) => response.end(method === 'GET' ? LIST : ANSWER));
  const bodies = () => server.requests.filter(({ method }) => method === 'POST').map(({ body }) => object(body));

  const backend = (knowledge?: ModelKnowledge): AnthropicBackend =>
    new AnthropicBackend({
      name: 'a',
      baseUrl: server.url,
      key: 'k',
      token: undefined,
      defaultModel: undefined,
      ...(knowledge && { knowledge }),
    });

  async function sent(one: AnthropicBackend, model: string, params: ModelRequest['params'] = {}): Promise<readonly Usage[]> {
    return (await collect(one, { model, params })).flatMap((event) => (event.type === 'usage' ? [event.usage] : []));
  }

  it('the longest answer is what the list tells, once it is there', async () => {
    const one = backend();
    await sent(one, 'claude-haiku-4-5', { thinkingBudget: 60_000 });
    await one.models(never);
    for (const model of ['claude-haiku-4-5', 'claude-sonnet-4-5', 'own']) await sent(one, model, { thinkingBudget: 60_000 });
    await sent(one, 'claude-haiku-4-5');
    expect(bodies().map(({ max_tokens: most, thinking = null }) => [most, isJsonObject(thinking) ? thinking.budget_tokens : 0])).toEqual([
      [64_000, 60_000],
      [20_000, 19_999],
      [64_000, 60_000],
      [50_000, 49_999],
      [20_000, 0],
    ]);
  });

  it('is what the provider tells, and where it does not, what was known beforehand; nobody is asked', async () => {
    const capabilities = { maxOutputTokens: 1, images: true, temperature: false };
    const one = backend({ facts: (id) => (id === 'none' ? undefined : { contextLength: 5, capabilities }), costOf: () => undefined });
    expect([one.contextLength('own'), one.capabilities('own'), one.contextLength('none'), one.capabilities('none')]).toEqual([
      5,
      capabilities,
      undefined,
      {},
    ]);
    await one.models(never);
    expect([one.contextLength('own'), one.capabilities('own')]).toEqual([5, { ...capabilities, maxOutputTokens: 50_000 }]);
    expect(one.contextLength('claude-haiku-4-5')).toBe(300_000);
    expect((await one.models(never)).map(({ id, contextLength }) => [id, contextLength])).toEqual([
      ['claude-haiku-4-5', 300_000],
      ['claude-sonnet-4-5', 200_000],
      ['own', 5],
    ]);
    await sent(one, 'claude-sonnet-4-5', { temperature: 0.5 });
    expect(bodies()[0]).not.toHaveProperty('temperature');
    one.invalidate();
    expect(one.contextLength('claude-haiku-4-5')).toBe(5);
  });

  it('an answer has its price when it is known', async () => {
    const usage = { inputTokens: 1_000_000, cachedInputTokens: 0, cacheCreationTokens: 0, outputTokens: 1, serviceTier: 'priority' };
    expect(await sent(backend(), 'm')).toEqual([usage]);
    const one = backend({ facts: () => undefined, costOf: (model, { inputTokens }) => (model === 'm' ? inputTokens / 1e6 : undefined) });
    expect(await sent(one, 'm')).toEqual([{ ...usage, costUSD: 1 }]);
    expect(await sent(one, 'n')).toEqual([usage]);
  });

  it('what the provider has billed stays, a key of one’s own included', () => {
    const billed = { prompt_tokens: 1, completion_tokens: 2, cost: 0.25, is_byok: true, cost_details: { upstream_inference_cost: 0.5 } };
    const usage = usageIn({ usage: billed }, undefined);
    if (!usage) throw new Error('no usage');
    const events = priced([{ type: 'usage', usage }], 'm', { facts: () => undefined, costOf: () => 9 });
    expect(events).toEqual([{ type: 'usage', usage: expect.objectContaining({ costUSD: 0.75 }) }]);
  });

  it.each([
    [{ service_tier: 'batch', speed: null }, { serviceTier: 'batch' }],
    [{ service_tier: 'standard', speed: 'fast' }, { serviceTier: 'fast' }],
    [{ service_tier: 'standard', speed: 'standard' }, {}],
    [{ service_tier: 1 }, {}],
  ])('how it was served: %j', (counts, served) => {
    expect(servedAs(counts)).toEqual(served);
  });

  it('nothing is told of a model of which nothing is known', () => {
    expect(completed({}, undefined)).toEqual({});
    expect(completed({ contextLength: 1 }, { contextLength: 2, capabilities: { tools: true } })).toEqual({
      contextLength: 1,
      capabilities: { tools: true },
    });
  });
});
