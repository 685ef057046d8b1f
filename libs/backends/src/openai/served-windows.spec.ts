import { once } from 'node:events';
import { createServer } from 'node:http';
import type { JsonObject } from '#model';
import { OpenAIBackend } from './openai.backend.js';

const never = new AbortController().signal;

/** What a server with these answers tells of its models, and what it was asked. */
async function windowsOf(
  answers: Readonly<Record<string, JsonObject>>,
  base = '/v1',
): Promise<{ windows: JsonObject; asked: readonly string[] }> {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const answer = answers[url];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? { error: 'no such path' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}${base}`;
  const models = await new OpenAIBackend({ name: 'own', baseUrl, key: undefined, defaultModel: undefined }).models(never);
  server.closeAllConnections();
  server.close();
  return { windows: Object.fromEntries(models.map(({ id, contextLength }) => [id, contextLength ?? null])), asked };
}

const llama = (id: string, more: JsonObject = {}): JsonObject => ({ id, owned_by: 'llamacpp', meta: { n_ctx_train: 131_072 }, ...more });
const props = (n_ctx: number): JsonObject => ({ default_generation_settings: { n_ctx } });

describe('the windows of models', () => {
  it.each(['/v1', '/v1/', '/behind/v1'])('of llama-server are told by its properties (%s)', async (base) => {
    const root = base.replace(/\/v1\/?$/, '');
    const { windows, asked } = await windowsOf({ [`${root}/v1/models`]: { data: [llama('m')] }, [`${root}/props`]: props(4_096) }, base);
    expect([windows, asked]).toEqual([{ m: 4_096 }, [`${root}/v1/models`, `${root}/props`]]);
  });

  it('of a llama-server with several are told of those that are loaded', async () => {
    const data = [llama('a b', { status: { value: 'loaded' } }), llama('c', { status: { value: 'unloaded' } })];
    const { windows, asked } = await windowsOf({ '/v1/models': { data }, '/props?model=a%20b': props(8_192) });
    expect([windows, asked.length]).toEqual([{ 'a b': 8_192, c: null }, 2]);
  });

  it('of LM Studio are told by its own list', async () => {
    const data = ['a', 'b', 'c'].map((id) => ({ id, owned_by: 'organization_owner', ...(id === 'b' && { context_length: 512 }) }));
    const own = [
      { id: 'a', loaded_context_length: 4_096, max_context_length: 32_768 },
      { id: 'b', max_context_length: 32_768 },
    ];
    const { windows } = await windowsOf({ '/v1/models': { data }, '/api/v0/models': { data: own } });
    expect(windows).toEqual({ a: 4_096, b: 512, c: null });
  });

  it('of a server that does not say are not known, and nothing else is wrong', async () => {
    expect((await windowsOf({ '/v1/models': { data: [llama('m')] } })).windows).toEqual({ m: null });
  });

  it('that the list tells are not asked for', async () => {
    const { windows, asked } = await windowsOf({
      '/v1/models': { data: [llama('m', { meta: { n_ctx: 512 } }), { id: 'x', owned_by: 'constructor' }] },
    });
    expect([windows, asked]).toEqual([{ m: 512, x: null }, ['/v1/models']]);
  });
});
