import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { ConfigError, logTo, type Log } from '#config';
import { userText, type BackendCatalog, type ModelRequest, type StreamEvent } from '#model';
import { createCatalog } from '../create-catalog.js';

const never = new AbortController().signal;
const ANSWER = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: 'ok' } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
];

/** An OpenAI-compatible server: keys that it does not know it refuses, others as their handler says. */
class Provider {
  readonly keys: string[] = [];
  readonly handlers = new Map<string, (response: ServerResponse) => void>();
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      const key = request.headers.authorization?.replace('Bearer ', '') ?? 'none';
      this.keys.push(key);
      request.resume();
      const handler = this.handlers.get(key);
      if (handler) handler(response);
      else refuse(response, 401, { message: `no such key: ${key}` });
    });
  }

  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    const address = this.server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

function refuse(response: ServerResponse, status: number, error: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ error }));
}

function answer(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end([...ANSWER.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n'].join(''));
}

describe('accounts in config.json, asked over HTTP', () => {
  const root = mkdtempSync(join(tmpdir(), 'ollie-accounts-'));
  const file = join(root, 'config.json');
  const lines: string[] = [];
  const log: Log = logTo([{ write: (line) => void lines.push(line), flush: () => Promise.resolve() }], 'test', 'debug');
  let provider = new Provider();
  let url = '';

  beforeEach(async () => {
    provider = new Provider();
    url = await provider.listen();
    lines.length = 0;
  });
  afterEach(() => provider.close());
  afterAll(() => rmSync(root, { recursive: true }));

  function catalog(entry: object, env: Record<string, string> = {}): BackendCatalog {
    writeFileSync(file, JSON.stringify({ backends: [{ name: 'acme', dialect: 'openai-chat', defaultModel: 'm', url, ...entry }] }));
    chmodSync(file, 0o600);
    return createCatalog({
      env: { PATH: process.env.PATH ?? '', ...env },
      paths: { config: root, packaged: join(process.cwd(), 'config') },
      log,
    });
  }

  async function ask(backends: BackendCatalog, conversation?: string): Promise<string> {
    const request: ModelRequest = {
      model: 'm',
      system: '',
      messages: [userText('hi')],
      tools: [],
      params: {},
      ...(conversation && { conversation }),
    };
    return await textOf(backends.get('acme').stream(request, never));
  }

  it('a request goes to the next one when one is at its limit, and keeps away from that', async () => {
    provider.handlers.set('sk-1', (response) => refuse(response, 429, { message: 'slow down' }, { 'retry-after': '30' }));
    provider.handlers.set('sk-2', answer);
    const backends = catalog({
      accounts: [
        { name: 'me', key: 'sk-1' },
        { name: 'team', key: 'sk-2' },
      ],
    });
    expect([await ask(backends), await ask(backends), provider.keys]).toEqual(['ok', 'ok', ['sk-1', 'sk-2', 'sk-2']]);
    expect(lines.join('\n')).toMatch(/acme: not by account me: acme: HTTP 429: slow down/);
  });

  it('the token of Copilot is exchanged where the entry says', async () => {
    provider.handlers.set('lasting', (response) => response.end('{"token":"short-lived"}'));
    provider.handlers.set('short-lived', answer);
    const backends = catalog({ dialect: 'copilot', key: 'lasting', exchange: { url: `${url}/token` } });
    expect([await ask(backends), await ask(backends), provider.keys]).toEqual(['ok', 'ok', ['lasting', 'short-lived', 'short-lived']]);
  });

  it('who waits as long as it was told is let in; who comes before is told how long', async () => {
    provider.handlers.set('sk-1', (response) => {
      if (provider.keys.length > 1) answer(response);
      else refuse(response, 429, { message: 'slow down' }, { 'retry-after-ms': '400' });
    });
    const backends = catalog({ key: 'sk-1' });
    await expect(ask(backends)).rejects.toMatchObject({ failure: { retryAfterMs: 400 } });
    const early = await ask(backends).then(fail, (error: unknown) => error);
    expect(early).toMatchObject({ name: 'RateLimitError', message: 'acme: HTTP 429: slow down' });
    expect(provider.keys).toHaveLength(1);
    await pause(400);
    expect([await ask(backends), provider.keys.length]).toEqual(['ok', 2]);
  });

  it('a request whose answer was seen stays where it is', async () => {
    provider.handlers.set('sk-1', (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(ANSWER[0])}\n\n`, () => response.destroy());
    });
    provider.handlers.set('sk-2', answer);
    const backends = catalog({
      accounts: [
        { name: 'me', key: 'sk-1' },
        { name: 'team', key: 'sk-2' },
      ],
    });
    await expect(ask(backends)).rejects.toThrow(/acme: /);
    expect(provider.keys).toEqual(['sk-1']);
  });

  it('no more requests than it takes are under way at a time', async () => {
    let [active, most] = [0, 0];
    provider.handlers.set('sk-1', (response) => {
      most = Math.max(most, (active += 1));
      response.once('close', () => (active -= 1));
      setTimeout(() => answer(response), 5);
    });
    const backends = catalog({ key: 'sk-1', concurrency: 3 });
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => ask(backends))))).toEqual(new Set(['ok']));
    expect([most, provider.keys.length]).toEqual([3, 20]);
  });

  it('a key command is run when it is needed, with the environment, in the directory of the file, and again when its key is refused', async () => {
    provider.handlers.set('sk-2', answer);
    const script = 'echo run >> runs; test -f config.json && printf "$PREFIX-%s" "$(wc -l < runs | tr -d " ")"';
    const backends = catalog({ keyCommand: ['sh', '-c', script] }, { PREFIX: 'sk' });
    expect(backends.names()).toEqual(['acme', 'scripted']);
    expect(provider.keys).toEqual([]);
    expect([await ask(backends), await ask(backends), provider.keys]).toEqual(['ok', 'ok', ['sk-1', 'sk-2', 'sk-2']]);
    expect(lines.join('\n')).not.toContain('sk-');
  });

  it('the key of the environment goes to no other server than its own', async () => {
    provider.handlers.set('none', answer);
    const entry = { name: 'openai', dialect: 'openai-chat', url };
    writeFileSync(file, JSON.stringify({ backends: [entry] }));
    const backends = createCatalog({
      env: { OLLIE_OPENAI_KEY: 'sk-env' },
      paths: { config: root, packaged: join(process.cwd(), 'config') },
    });
    const request = { model: 'm', system: '', messages: [userText('hi')], tools: [], params: {} };
    expect([await textOf(backends.get('openai').stream(request, never)), provider.keys]).toEqual(['ok', ['none']]);
  });

  it('a key command that fails says so', async () => {
    await expect(ask(catalog({ keyCommand: ['sh', '-c', 'echo locked >&2; exit 2'] }))).rejects.toMatchObject({
      name: 'AuthError',
      message: 'acme: no key from sh: it failed with 2: locked',
    });
  });

  it('a backend that does not tell its models hides no other', async () => {
    const backends = catalog({ key: 'sk-1' });
    expect((await backends.models(never)).map(([backend]) => backend)).toContain('scripted');
  });

  it('others may not read a file with a key: the log says how to change that', async () => {
    catalog({ key: 'sk-1' });
    chmodSync(file, 0o644);
    const again = (): BackendCatalog => createCatalog({ env: {}, paths: { config: root, packaged: join(process.cwd(), 'config') }, log });
    again();
    expect(lines).toEqual([expect.stringContaining(`${file} holds a key, and others can read it: chmod 600 ${file}`)]);
    writeFileSync(file, JSON.stringify({ backends: [{ name: 'acme', dialect: 'openai-chat', url }] }));
    again();
    expect(lines).toHaveLength(1);
  });

  it('a file that cannot be used is refused as a whole', () => {
    writeFileSync(file, '{\n "backends": [}');
    const read = (): BackendCatalog => createCatalog({ env: {}, paths: { config: root, packaged: '' } });
    expect(read).toThrow(new ConfigError(`${file}:2: not JSON`));
  });
});

async function textOf(events: AsyncIterable<StreamEvent>): Promise<string> {
  let text = '';
  for await (const event of events) if (event.type === 'text') text += event.text;
  return text;
}

function fail(): never {
  throw new Error('not refused');
}
