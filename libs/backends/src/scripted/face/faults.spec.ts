import { connect } from 'node:net';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { parseYaml } from '#config';
import { parseScript } from '../parse-script.js';
import { scriptsByName } from '../library.js';
import { faces } from './faces.js';
import { startScriptedServer, type ScriptedServer, type ScriptedServerOptions } from './scripted-server.js';

interface Ask {
  readonly path: string;
  readonly body: object;
}

/** A streamed question to each face. */
const asks: Readonly<Record<string, (text: string) => Ask>> = {
  openai: (text) => ({ path: '/v1/chat/completions', body: { model: 's', stream: true, messages: [{ role: 'user', content: text }] } }),
  responses: (text) => ({ path: '/v1/responses', body: { model: 's', stream: true, input: text } }),
  anthropic: (text) => ({
    path: '/v1/messages',
    body: { model: 's', max_tokens: 99, stream: true, messages: [{ role: 'user', content: text }] },
  }),
  gemini: (text) => ({
    path: '/v1beta/models/s:streamGenerateContent?alt=sse',
    body: { contents: [{ role: 'user', parts: [{ text }] }] },
  }),
  ollama: (text) => ({ path: '/api/chat', body: { model: 's', messages: [{ role: 'user', content: text }] } }),
};

const SCRIPT = `order: any
steps:
  - { when: { lastUser: refused }, say: ok, fail: { status: 503, headers: { retry-after: 7 }, message: later } }
  - { when: { lastUser: own }, say: x, fail: { status: 418, headers: { content-type: text/html }, body: '<p>tea</p>' } }
  - { when: { lastUser: cut bytes }, say: abcdefghijklmnopqrstuvwxyz, fail: { cutAfter: 60, unit: bytes } }
  - { when: { lastUser: cut events }, say: abcdefghijklmnopqrstuvwxyz, fail: { cutAfter: 1, unit: events } }
  - { when: { lastUser: cut text }, say: abcdefghijklmnopqrstuvwxyz, fail: { cutAfter: 20 } }
  - { when: { lastUser: reset }, say: abcdefghijklmnopqrstuvwxyz, fail: { resetAfter: 20 } }
  - { when: { lastUser: stall }, say: abcdefghijklmnopqrstuvwxyz, fail: { stallAfter: 20 } }
  - { when: { lastUser: garbage }, say: abcdefghijklmnopqrstuvwxyz, fail: { garbageAfter: 20 } }
  - { when: { lastUser: slow }, say: late, fail: { slow: 120 } }
  - { when: { lastUser: empty }, say: x, fail: { emptyReply: true } }
  - { when: { lastUser: bytewise }, say: 'ë 北京', stream: { chunk: bytes } }
  - { when: { lastUser: seeded }, say: 'ë 北京', stream: { seed: 3 } }
  - { say: hello }`;

/** What came, and how it ended. */
interface Got {
  readonly status: number;
  readonly text: string;
  readonly isWhole: boolean;
  readonly pieces: number;
}

describe.each(Object.keys(asks))('faults of the face %s:', (name) => {
  let server: ScriptedServer;
  const start = async (more: Partial<ScriptedServerOptions> = {}): Promise<void> => {
    server = await startScriptedServer({ scripts: scriptsByName({ s: parseScript(parseYaml(SCRIPT, 's'), 's') }), ...more });
  };
  beforeEach(async () => await start());
  afterEach(async () => await server.close());

  const send = async (text: string, signal?: AbortSignal): Promise<Response> => {
    const { path, body } = asks[name]?.(text) ?? { path: '', body: {} };
    const headers = { 'anthropic-version': '2023-06-01' };
    return await fetch(new URL(path, server.url), { method: 'POST', headers, body: JSON.stringify(body), ...(signal && { signal }) });
  };
  const ask = async (text: string): Promise<Got> => {
    const response = await send(text);
    const pieces: Uint8Array[] = [];
    const isWhole = await readInto(pieces, response);
    return { status: response.status, text: Buffer.concat(pieces).toString(), isWhole, pieces: pieces.length };
  };

  it('a status with headers, in its own form, and the answer after that', async () => {
    const response = await send('refused');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '7']);
    expect(JSON.stringify(await response.json())).toMatch(/"(message|error)":"later"/);
    expect(await ask('refused')).toMatchObject({ status: 200, isWhole: true, text: expect.stringContaining('[scripted] ok') });
    expect(await (await send('own')).text()).toBe('<p>tea</p>');
  });

  it('a cut after bytes, after events, after characters of text', async () => {
    const bytes = await ask('cut bytes');
    expect([bytes.isWhole, bytes.text.length]).toEqual([false, 60]);
    const events = await ask('cut events');
    expect([events.isWhole, events.text.trimEnd().split(name === 'ollama' ? '\n' : '\n\n').length]).toEqual([false, 1]);
    const text = await ask('cut text');
    expect([text.isWhole, lettersIn(text.text)]).toEqual([false, 'abcdefghi']);
  });

  it('a reset in the middle', async () => {
    expect(await resetSeen(server, asks[name]?.('reset'))).toBe('ECONNRESET');
  });

  it('silence in the middle, until the client goes', async () => {
    const gone = new AbortController();
    const response = await send('stall', gone.signal);
    const reader = response.body?.getReader();
    let text = '';
    while (!lettersIn(text).endsWith('i')) text += Buffer.from((await reader?.read())?.value ?? []).toString();
    expect(await Promise.race([reader?.read(), new Promise((done) => setTimeout(done, 150, 'silent'))])).toBe('silent');
    expect(server.active).toBe(1);
    gone.abort();
    while (server.active > 0) await new Promise((done) => setTimeout(done, 5));
  });

  it('garbage in the middle, and the rest', async () => {
    const { text, isWhole } = await ask('garbage');
    expect([isWhole, lettersIn(text)]).toEqual([true, 'abcdefghijklmnopqrstuvwxyz']);
    const events = text.split('\n').filter((line) => line.startsWith('data: {') || line.startsWith('{'));
    expect(events.filter((line) => !isJson(line.replace(/^data: /, '')))).toHaveLength(1);
  });

  it('slowness, and an answer that says nothing', async () => {
    const started = performance.now();
    expect((await ask('slow')).text).toContain('late');
    expect(performance.now() - started).toBeGreaterThan(200);
    const empty = await ask('empty');
    expect([empty.status, empty.isWhole, empty.text.includes('[scripted]')]).toEqual([200, true, false]);
  });

  it('bytes one by one, and cuts that depend on a seed only', async () => {
    const plain = await ask('hello');
    expect((await ask('bytewise')).pieces).toBeGreaterThan(plain.pieces * 4);
    expect((await ask('seeded')).text).toContain('ë 北京');
    await server.close();
    await start({ seed: 5 });
    expect((await ask('hello')).pieces).toBeGreaterThan(plain.pieces);
  });
});

it('every face has its faults tested', () => {
  expect(Object.keys(asks).toSorted()).toEqual(faces.map(({ name }) => name).toSorted());
});

async function readInto(pieces: Uint8Array[], response: Response): Promise<boolean> {
  try {
    const body: AsyncIterable<Uint8Array> = response.body ?? Readable.from([]);
    for await (const piece of body) pieces.push(piece);
    return true;
  } catch (error) {
    expect(String(error)).toMatch(/terminated/);
    return false;
  }
}

/** The alphabet, as far as it came in the pieces of a text, each once. */
function lettersIn(text: string): string {
  const said = text.split('\n').filter((line) => !/\.(done|completed|added)"/.test(line));
  const values = said.flatMap((line) => [...line.matchAll(/"(?:content|text|delta)":"([^"]*)"/g)].map((match) => match[1] ?? ''));
  return values.join('').replace('[scripted] ', '');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

async function resetSeen(server: ScriptedServer, ask: Ask | undefined): Promise<unknown> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  const text = JSON.stringify(ask?.body);
  socket.write(
    `POST ${ask?.path} HTTP/1.1\r\nhost: x\r\nanthropic-version: 2023-06-01\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
  socket.resume();
  const [error] = await once(socket, 'close').then(
    () => ['closed'],
    (failure: { code?: string }) => [failure.code],
  );
  return error;
}
