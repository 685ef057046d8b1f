import type { ServerResponse } from 'node:http';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EventStreamCodec } from '@smithy/eventstream-codec';
import { AbortedError, isJsonObject, userText, type JsonObject, type JsonValue, type Message } from '#model';
import { collect, failureOf, loopbackServer } from '#testkit';
import { ModelCatalogue } from '../catalogue/model-catalogue.js';
import { textField } from '../wire/json-fields.js';
import { kiroDefinition } from './definition.js';
import { KiroBackend } from './kiro.backend.js';
import { loginPlace } from './login-place.js';
import type { KiroOptions } from './options.js';

const KEY = 'tok-planted-0123456789';
const never = new AbortController().signal;
const codec = new EventStreamCodec(String, (text) => Buffer.from(text, 'utf8'));

function message(headers: Readonly<Record<string, string>>, payload: JsonValue): Buffer {
  const typed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { type: 'string', value } as const]));
  return Buffer.from(codec.encode({ headers: typed, body: Buffer.from(JSON.stringify(payload), 'utf8') }));
}

const event = (name: string, payload: JsonObject): Buffer => message({ ':message-type': 'event', ':event-type': name }, payload);
const HI = event('assistantResponseEvent', { content: 'hi' });
const COUNTS = event('metadataEvent', { tokenUsage: { uncachedInputTokens: 5, outputTokens: 1 } });

const streams =
  (...messages: readonly Buffer[]) =>
  (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' }).end(Buffer.concat(messages));

describe('the kiro backend', () => {
  const server = loopbackServer(streams(HI, COUNTS));
  const { requests: seen } = server;
  let directory = '';
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'ollie-kiro-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const refuses = (status: number, body: JsonValue) => (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const backend = (more: Partial<KiroOptions> = {}): KiroBackend =>
    new KiroBackend({ name: 'kiro', baseUrl: server.url, key: KEY, defaultModel: undefined, ...more });
  const sentWith = () => seen.map(({ headers }) => headers.authorization);
  const login = (text: string): string => {
    const file = join(directory, 'login.json');
    writeFileSync(file, text);
    return file;
  };

  it('streams an answer, and uses its connection again', async () => {
    const one = backend();
    for (let i = 0; i < 3; i += 1) expect((await collect(one)).map(({ type }) => type)).toEqual(['text', 'usage', 'done']);
    expect(new Set(seen.map(({ socket }) => socket)).size).toBe(1);
    expect(sentWith()).toEqual(Array(3).fill(`Bearer ${KEY}`));
  });

  it('a key of Kiro is announced as one', async () => {
    await collect(backend({ key: 'ksk_1' }));
    await collect(backend());
    expect(seen.map(({ headers }) => headers.tokentype)).toEqual(['API_KEY', undefined]);
  });

  it.each([401, 403])('a login that is refused with %i is read once more', async (status) => {
    const tokenFile = login('{"accessToken":"old"}');
    server.answer = (response, { headers }) => {
      if (headers.authorization === 'Bearer new') return streams(HI, COUNTS)(response);
      login('{"accessToken":"new"}');
      return refuses(status, { message: 'The bearer token included in the request is invalid.' })(response);
    };
    const one = backend({ key: undefined, tokenFile });
    expect((await collect(one)).at(-1)).toEqual({ type: 'done', stop: 'stop' });
    await collect(one);
    expect(sentWith()).toEqual(['Bearer old', 'Bearer new', 'Bearer new']);
  });

  it('the profile of a login goes with its requests, unless one is set', async () => {
    const tokenFile = login('{"accessToken":"t","profileArn":"arn:login"}');
    await collect(backend({ key: undefined, tokenFile }));
    await collect(backend({ key: undefined, tokenFile, profileArn: 'arn:set' }));
    await collect(backend());
    expect(seen.map(({ body }) => (isJsonObject(body) ? body.profileArn : ''))).toEqual(['arn:login', 'arn:set', undefined]);
  });

  it('a login that stays refused is asked with once', async () => {
    server.answer = refuses(403, { message: `no: ${KEY}` });
    const error = await failureOf(backend({ key: undefined, tokenFile: login(JSON.stringify({ accessToken: KEY })) }));
    expect([error.name, error.message, seen.length]).toEqual(['AuthError', 'kiro: HTTP 403: no: [key]', 1]);
  });

  it.each([
    ['is not there', undefined, 'no login: ENOENT'],
    ['is no JSON', `{"accessToken":"${KEY}`, 'no JSON object'],
    ['has no token', '{"accessToken":""}', 'no accessToken'],
  ])('a login that %s is an AuthError', async (_what, text, why) => {
    const tokenFile = text === undefined ? join(directory, 'none.json') : login(text);
    const error = await failureOf(backend({ key: undefined, tokenFile }));
    expect([error.name, seen.length]).toEqual(['AuthError', 0]);
    expect(error.message).toContain(why);
    expect(error.message).not.toContain(KEY);
  });

  describe('of kiro-cli', () => {
    const database = (rows: Readonly<Record<string, JsonObject | string>>): string => {
      const file = join(directory, 'data.sqlite3');
      rmSync(file, { force: true });
      const open = new DatabaseSync(file);
      open.exec('PRAGMA journal_mode = WAL; CREATE TABLE auth_kv (key TEXT PRIMARY KEY, value TEXT)');
      const insert = open.prepare('INSERT INTO auth_kv VALUES (?, ?)');
      for (const [key, value] of Object.entries(rows)) insert.run(key, typeof value === 'string' ? value : JSON.stringify(value));
      open.close();
      return `sqlite://${file}`;
    };
    const token = (name: string): JsonObject => ({
      access_token: name,
      expires_at: '2099-01-01T00:00:00.123456789Z',
      profile_arn: `arn:${name}`,
    });

    it.each([
      [
        { 'kirocli:odic:token': token('odic'), 'kirocli:social:token': token('social'), 'codewhisperer:odic:token': token('old') },
        'social',
      ],
      [{ 'kirocli:odic:token': token('odic'), 'codewhisperer:odic:token': token('old'), other: 'x' }, 'odic'],
      [{ 'codewhisperer:odic:token': token('old') }, 'old'],
    ])('the login is read from its database: %j', async (rows, name) => {
      await collect(backend({ key: undefined, tokenFile: database(rows) }));
      expect(sentWith()).toEqual([`Bearer ${name}`]);
      expect(seen.map(({ body }) => (isJsonObject(body) ? body.profileArn : ''))).toEqual([`arn:${name}`]);
    });

    it('is read while kiro-cli writes, and nothing of it is changed', async () => {
      const tokenFile = database({ 'kirocli:social:token': token('one') });
      const file = tokenFile.slice('sqlite://'.length);
      const writer = new DatabaseSync(file);
      writer.exec("BEGIN IMMEDIATE; UPDATE auth_kv SET value = 'x'");
      const before = readFileSync(file);
      await collect(backend({ key: undefined, tokenFile }));
      expect(sentWith()).toEqual(['Bearer one']);
      expect(readFileSync(file)).toEqual(before);
      writer.exec('ROLLBACK');
      writer.close();
    });

    it.each<[string, () => string, RegExp]>([
      ['is not there', () => `sqlite://${join(directory, 'none.sqlite3')}`, /no login: .*none\.sqlite3: unable to open database file/],
      ['is no database', () => `sqlite://${login(KEY.repeat(100))}`, /no login: .*: file is not a database/],
      ['has nobody in it', () => database({ other: '{}' }), /no login: nobody is logged in in .*: kiro-cli login/],
      ['holds no token', () => database({ 'kirocli:social:token': KEY }), /no login: no JSON object/],
    ])('a database that %s is an AuthError', async (_what, make, why) => {
      const error = await failureOf(backend({ key: undefined, tokenFile: make() }));
      expect([error.name, seen.length]).toEqual(['AuthError', 0]);
      expect(error.message).toMatch(why);
      expect(error.message).not.toContain(KEY);
    });

    it('is where the environment says, or where kiro-cli has it', () => {
      expect(loginPlace('sqlite://', { HOME: '/h' })).toBe('sqlite:///h/.local/share/kiro-cli/data.sqlite3');
      expect(loginPlace('sqlite://', { HOME: '/h', XDG_DATA_HOME: '/d' })).toBe('sqlite:///d/kiro-cli/data.sqlite3');
      expect(loginPlace('sqlite://~/k.db', { HOME: '/h' })).toBe('sqlite:///h/k.db');
      expect(loginPlace('~/k.json', { HOME: '/h' })).toBe('/h/k.json');
    });

    it('OLLIE_KIRO_TOKEN names it', async () => {
      const env = { OLLIE_KIRO_TOKEN: database({ 'kirocli:social:token': token('env') }), OLLIE_KIRO_URL: server.url };
      const paths = { config: directory, packaged: directory };
      await collect(kiroDefinition.make({ env, paths }, new ModelCatalogue(paths)));
      expect(sentWith()).toEqual(['Bearer env']);
    });
  });

  it('a server of one’s own may need no token', async () => {
    await collect(backend({ key: undefined }));
    expect(sentWith()).toEqual([undefined]);
  });

  it.each<[number, JsonObject, string, string]>([
    [400, { message: 'Input is too long.', reason: 'CONTENT_LENGTH_EXCEEDS_THRESHOLD' }, 'ContextOverflowError', 'context'],
    [400, { message: 'Improperly formed request.', reason: null }, 'RequestError', 'request'],
    [429, { __type: 'ThrottlingException', message: 'slow', reason: 'INSUFFICIENT_MODEL_CAPACITY' }, 'RateLimitError', 'rate_limit'],
    [429, { message: 'enough', reason: 'MONTHLY_REQUEST_COUNT' }, 'RateLimitError', 'quota'],
    [402, { message: 'You have reached the limit.' }, 'RateLimitError', 'quota'],
    [500, { message: 'oops' }, 'TransientError', 'server'],
  ])('a refusal: %i %j', async (status, body, name, kind) => {
    server.answer = refuses(status, body);
    const error = await failureOf(backend());
    expect([error.name, error.failure.kind, error.failure.status]).toEqual([name, kind, status]);
  });

  const flipped = Buffer.from(HI);
  flipped[flipped.length - 6] = (flipped[flipped.length - 6] ?? 0) ^ 1;
  it.each([
    ['a wrong checksum', [HI, flipped], 'malformed'],
    ['a message cut', [HI, HI.subarray(0, 30)], 'stream_drop'],
    ['no message', [], 'stream_drop'],
    ['something else', [Buffer.from('<html><body>Welcome</body></html>')], 'malformed'],
    [
      'an exception',
      [HI, message({ ':message-type': 'exception', ':exception-type': 'internalServerException' }, { message: 'oops' })],
      'server',
    ],
  ])('an answer with %s is none', async (_what, messages, kind) => {
    server.answer = streams(...messages);
    const error = await failureOf(backend());
    expect([error.name, error.failure.kind]).toEqual(['TransientError', kind]);
  });

  it('an answer that was counted needs no end', async () => {
    server.answer = (response) => {
      response.writeHead(200).write(Buffer.concat([HI, COUNTS]));
      setTimeout(() => response.destroy(), 20);
    };
    expect((await collect(backend())).at(-1)).toEqual({ type: 'done', stop: 'stop' });
  });

  it('signed thinking that is refused is left out', async () => {
    const data = { type: 'thinking', thinking: 'Hm.', signature: 's' };
    const block = { type: 'replay', provider: 'kiro', model: 'm', data } as const;
    const told: Message[] = [
      userText('go'),
      { role: 'assistant', content: [block, { type: 'text', text: 'hi' }], toolCalls: [] },
      userText('on'),
    ];
    server.answer = (response, { body }) => {
      if (!JSON.stringify(body).includes('reasoningContent')) return streams(HI, COUNTS)(response);
      return refuses(400, { message: 'Thinking block is bound to another conversation', reason: 'THINKING_SIGNATURE_INVALID' })(response);
    };
    const one = backend();
    const twice = [...(await collect(one, { messages: told })), ...(await collect(one, { messages: told }))];
    const types = twice.map(({ type }) => type);
    expect(types).toEqual(['text', 'usage', 'done', 'text', 'usage', 'done']);
    expect(seen).toHaveLength(3);
  });

  it('an abort ends the wait', async () => {
    server.answer = () => undefined;
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 30);
    expect(await failureOf(backend(), {}, controller.signal)).toBeInstanceOf(AbortedError);
  });

  it('lists the models page by page', async () => {
    const pages: Readonly<Record<string, JsonObject>> = {
      '': {
        models: [{ modelId: 'b', tokenLimits: { maxInputTokens: 200_000, maxOutputTokens: 64_000 } }, { modelName: 'none' }],
        nextToken: 'n2',
      },
      n2: { models: [{ modelId: 'a', tokenLimits: null }] },
    };
    server.answer = (response, { body }) =>
      refuses(200, pages[textField(isJsonObject(body) ? body : {}, 'nextToken') ?? ''] ?? {})(response);
    const one = backend({ profileArn: 'arn:1', origin: 'CLI' });
    expect(await one.models(never)).toEqual([{ id: 'b', contextLength: 200_000, capabilities: { maxOutputTokens: 64_000 } }, { id: 'a' }]);
    expect(seen.map(({ body }) => body)).toEqual([
      { origin: 'CLI', profileArn: 'arn:1' },
      { origin: 'CLI', profileArn: 'arn:1', nextToken: 'n2' },
    ]);
    expect(seen.map(({ path, headers }) => [path, headers['content-type'], headers['x-amz-target']])).toEqual(
      Array(2).fill(['/', 'application/x-amz-json-1.0', 'AmazonCodeWhispererService.ListAvailableModels']),
    );
  });

  it('a list of models without an end is cut', async () => {
    server.answer = refuses(200, { models: [], nextToken: 'again' });
    expect(await backend().models(never)).toEqual([]);
    expect(seen).toHaveLength(20);
  });
});
