import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { packageRoot } from '#config';
import {
  isJsonObject,
  SystemClock,
  TransientError,
  userText,
  type JsonObject,
  type JsonValue,
  type Message,
  type ModelRequest,
  type StreamEvent,
  type Usage,
} from '#model';
import { modelSettingOf, settingOf, type BackendDefinition } from '../../libs/backends/src/backend-definition.js';
import { ModelCatalogue } from '../../libs/backends/src/catalogue/model-catalogue.js';
import type { Connection } from '../../libs/backends/src/connection.js';
import type { BackendMaker } from '../../libs/backends/src/dialects.js';
import { Member } from '../../libs/backends/src/pool/member.js';
import { PooledBackend } from '../../libs/backends/src/pool/pooled-backend.js';
import type { AnswerDecoder } from '../../libs/backends/src/wire/answer-decoder.js';
import type { Dialect } from '../../libs/backends/src/wire/dialect.js';
import { inLowerCase } from '../../libs/backends/src/wire/endpoint.js';
import { HttpBackend } from '../../libs/backends/src/wire/http-backend.js';
import { listOf, numberField, textField } from '../../libs/backends/src/wire/json-fields.js';
import { PlainTransport } from '../../libs/backends/src/wire/plain-transport.js';
import { distinctModels } from '../../libs/backends/src/wire/distinct-models.js';

/** What Acme is asked. */
export function sayBody({ model, system, messages, params }: ModelRequest): JsonObject {
  const said = messages.map(({ role, content }) => ({ by: role, text: textIn(content) }));
  return { model, rules: system, said, ...(params.maxTokens !== undefined && { limit: params.maxTokens }) };
}

function textIn(content: Message['content']): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** One answer of Acme's. */
export class SayDecoder implements AnswerDecoder {
  isSettled = false;
  pieces = 0;
  private usage: Usage | undefined;

  constructor(private readonly backend: string) {}

  get isOver(): boolean {
    return this.isSettled;
  }

  push(event: JsonValue): readonly StreamEvent[] {
    if (!isJsonObject(event)) return [];
    this.pieces += 1;
    if (event.end === 'stop') this.settle(numberField(event, 'read') ?? 0, numberField(event, 'wrote') ?? 0);
    const text = textField(event, 'text');
    return text === undefined ? [] : [{ type: 'text', text }];
  }

  end(): readonly StreamEvent[] {
    const { backend, usage } = this;
    if (!this.isSettled) throw new TransientError(`${backend}: the answer broke off`, { backend, kind: 'stream_drop' });
    return [...(usage ? [{ type: 'usage' as const, usage }] : []), { type: 'done', stop: 'stop' }];
  }

  private settle(inputTokens: number, outputTokens: number): void {
    this.isSettled = true;
    this.usage = { inputTokens, outputTokens, cachedInputTokens: 0, cacheCreationTokens: 0 };
  }
}

/** Acme's own way. */
function sayDialect(backend: string): Dialect {
  return {
    path: () => '/say',
    body: (request) => sayBody(request),
    decoder: () => new SayDecoder(backend),
    models: async (ask) => distinctModels(namesIn(await ask({ path: '/voices' })).map((id) => ({ id }))),
  };
}

export class AcmeBackend extends HttpBackend {
  constructor(connection: Connection) {
    const { name, key, baseUrl = 'https://api.acme.example', headers } = connection;
    const endpoint = { name, baseUrl, secret: key, headers: { 'acme-key': key ?? null, ...inLowerCase(headers) } };
    super(connection, sayDialect(name), new PlainTransport(endpoint));
  }
}

function namesIn(answer: JsonValue): readonly string[] {
  return listOf(answer).filter((name) => typeof name === 'string');
}

const makers: Readonly<Record<string, BackendMaker>> = {
  acme: (connection) => new AcmeBackend(connection),
};

export const acmeDefinition: BackendDefinition = {
  name: 'acme',
  isConfigured: ({ env }) => settingOf(env, 'OLLIE_ACME_KEY') !== undefined,
  make: ({ env, patience }, models) =>
    new AcmeBackend({
      name: 'acme',
      baseUrl: undefined,
      key: settingOf(env, 'OLLIE_ACME_KEY'),
      defaultModel: modelSettingOf(env, 'acme'),
      patience,
      knowledge: models.knowledgeFor({ name: 'acme', baseUrl: undefined, provider: 'acme' }),
    }),
};

const never = new AbortController().signal;
const paths = { config: '/nowhere', packaged: join(packageRoot(), 'config') };
const request: ModelRequest = { model: 'bass', system: 'be brief', messages: [userText('hi')], tools: [], params: { maxTokens: 9 } };

describe('guide: add a backend', () => {
  const bodies: string[] = [];
  const server = createServer((incoming, response) => {
    if (incoming.headers['acme-key'] !== 'k2') return response.writeHead(429, { 'retry-after': '30' }).end('slow down');
    if (incoming.url === '/voices') return response.end('["tenor","bass"]');
    let body = '';
    incoming.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    return incoming.on('end', () => {
      bodies.push(body);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"text":"hel"}\n\ndata: {"text":"lo"}\n\n');
      response.end(bodies.length === 1 ? 'data: {"end":"stop","read":3,"wrote":2}\n\n' : '');
    });
  });
  let baseUrl = '';

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  function made(key: string): ReturnType<BackendMaker> {
    return makers.acme?.({ name: 'acme', baseUrl, key, defaultModel: 'bass' }, { env: {}, paths }) ?? fail();
  }

  it('asks, and tells what comes', async () => {
    const events = await all(made('k2').stream(request, never));
    expect(events.map((event) => (event.type === 'text' ? event.text : event.type))).toEqual(['hello', 'usage', 'done']);
    expect(bodies).toEqual(['{"model":"bass","rules":"be brief","said":[{"by":"user","text":"hi"}],"limit":9}']);
    await expect(all(made('k2').stream(request, never))).rejects.toThrow('acme: the answer broke off');
  });

  it('lists its models', async () => {
    expect(await made('k2').models(never)).toEqual([{ id: 'tenor' }, { id: 'bass' }]);
  });

  it('has accounts without a line of its own', async () => {
    const members = ['k1', 'k2'].map((key) => new Member({ name: key, concurrency: undefined, make: () => made(key) }));
    const left: string[] = [];
    const onSwitch = (account: string): void => void left.push(account);
    const pool = new PooledBackend({ name: 'acme', defaultModel: undefined, members, clock: new SystemClock(), onSwitch });
    expect(await pool.models(never)).toHaveLength(2);
    await expect(all(pool.stream(request, never))).rejects.toThrow('acme: the answer broke off');
    expect(left).toEqual(['k1']);
  });

  it('is configured by its setting', () => {
    const settings = { env: { OLLIE_ACME_KEY: 'k', OLLIE_MODEL: 'bass' }, paths };
    expect([acmeDefinition.isConfigured({ env: {}, paths }), acmeDefinition.isConfigured(settings)]).toEqual([false, true]);
    expect(acmeDefinition.make(settings, new ModelCatalogue(paths)).defaultModel).toBe('bass');
  });
});

async function all(events: AsyncIterable<StreamEvent>): Promise<readonly StreamEvent[]> {
  const found: StreamEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

function fail(): never {
  throw new Error('not in the table');
}
