import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { userText } from '#model';
import { dialects, type DialectName } from './dialects.js';

const settings = { env: {}, paths: { config: '/nowhere', packaged: join(process.cwd(), 'config') } };
const hello = { model: 'm', system: '', messages: [userText('hi')], tools: [], params: {} };
const never = new AbortController().signal;

/** The last request that a backend of this dialect sends; its server refuses it. */
async function sent(dialect: DialectName, headers: Record<string, string>): Promise<IncomingMessage> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
  const backend = dialects[dialect]({ name: 'acme', baseUrl, key: 'sk', headers, defaultModel: undefined }, settings);
  try {
    await expect(drain(backend.stream(hello, never))).rejects.toThrow('acme');
    return requests.at(-1) ?? fail();
  } finally {
    server.close();
  }
}

function fail(): never {
  throw new Error('no request came');
}

async function drain(events: AsyncIterable<unknown>): Promise<void> {
  for await (const event of events) void event;
}

describe('the table of dialects', () => {
  it.each<[DialectName, string, string, string]>([
    ['openai', '/v1/chat/completions', 'authorization', 'Bearer sk'],
    ['openai-chat', '/v1/chat/completions', 'authorization', 'Bearer sk'],
    ['openai-responses', '/v1/responses', 'authorization', 'Bearer sk'],
    ['anthropic', '/v1/messages', 'x-api-key', 'sk'],
    ['copilot', '/v1/chat/completions', 'authorization', 'Bearer sk'],
    ['gemini', '/v1/v1beta/models/m:streamGenerateContent?alt=sse', 'x-goog-api-key', 'sk'],
    ['ollama', '/api/chat', 'authorization', 'Bearer sk'],
    ['kiro', '/v1/generateAssistantResponse', 'authorization', 'Bearer sk'],
  ])('%s asks %s with %s, and with headers of its own', async (dialect, path, header, key) => {
    const plain = await sent(dialect, { 'X-Team': 'tools' });
    expect([plain.url, plain.headers[header], plain.headers['x-team']]).toEqual([path, key, 'tools']);
    const replaced = await sent(dialect, { [header.toUpperCase()]: 'other' });
    expect(replaced.headers[header]).toBe('other');
  });

  it('scripted plays the scripts of the configuration', async () => {
    const connection = { name: 'rehearsal', baseUrl: undefined, key: undefined, defaultModel: 'demo' };
    const backend = dialects.scripted(connection, settings);
    expect(backend.defaultModel).toBe('demo');
    expect(await backend.models(never)).toContainEqual(expect.objectContaining({ id: 'demo' }));
  });
});
