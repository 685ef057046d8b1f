import { createServer } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { createCatalog } from '#backends';
import { KeptBench } from '#testkit';

const CHUNK = { choices: [{ index: 0, delta: { content: 'hi' }, finish_reason: 'stop' }] };

describe('what an agent costs, by the list of prices', () => {
  const kept = new KeptBench();
  let usage: object = {};
  let url = '';
  const server = createServer((request, response) => {
    if (request.method === 'GET') return void response.end('{"data":[{"id":"gpt-6.2-sol"}]}');
    request.resume().on('end', () => response.end(`data: ${JSON.stringify({ ...CHUNK, usage })}\n\ndata: [DONE]\n\n`));
  });

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`;
  });
  afterAll(async () => {
    await kept.remove();
    server.closeAllConnections();
    server.close();
  });

  it('is summed up by requests, whose tiers are their own, shown, and there again after a restart', async () => {
    const paths = { config: '/nowhere', packaged: join(process.cwd(), 'config') };
    const env = { OLLIE_OPENAI_URL: url, OLLIE_MODEL: 'gpt-6.2-sol' };
    const options = { backends: [createCatalog({ env, paths }).get('openai')] };
    const bench = kept.fresh(options);
    expect(bench.stat('contextLength')).toBe('1050000');
    expect(bench.agent.account.costLine).toBe('costLast=unknown costSession=unknown\n');
    usage = { prompt_tokens: 255_000, prompt_tokens_details: { cached_tokens: 250_000 }, completion_tokens: 2_000 };
    await bench.prompt('a');
    await bench.prompt('b');
    expect(bench.agent.account.costLine).toBe('costLast=$0.055 costSession=$0.11\n');
    usage = { prompt_tokens: 280_000, prompt_tokens_details: { cached_tokens: 250_000 }, completion_tokens: 2_000 };
    await bench.prompt('c');
    expect(bench.blocks('state').at(-1)?.content).toBe('input=30000 cached=250000 created=0 output=2000 cost=0.2\n');
    const stats = bench.agent.stats();
    expect(stats).toMatch(/^costKnown=true\n(?:.*\n)*lastTurnCostUSD=0\.2\nsessionCostUSD=0\.31\n/m);
    expect(bench.agent.account.budgetText).toMatch(/^usd= spent=0\.31\n/);
    const again = kept.again(options);
    expect(again.agent.stats()).toBe(stats);
    expect(again.agent.account.costLine).toBe('costLast=$0.2 costSession=$0.31\n');
  });
});
