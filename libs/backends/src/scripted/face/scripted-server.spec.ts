import { OpenAI } from 'openai';
import { parseYaml } from '#config';
import { parseScript } from '../parse-script.js';
import { scriptsByName } from '../library.js';
import { Cutter } from './cutter.js';
import { startScriptedServer, type ScriptedServer, type ScriptedServerOptions } from './scripted-server.js';

const SCRIPT = `order: any
contextLength: 1000
steps:
  - { when: { lastTool: { ok: true } }, say: 'it was {{tool}}' }
  - { when: { lastUser: call }, think: hm, calls: [{ tool: shell, args: { cmd: ls } }] }
  - { when: { lastUser: page }, fail: { status: 502, body: <html>Bad Gateway</html>, headers: { content-type: text/html } } }
  - { when: { lastUser: slow }, fail: { status: 429, headers: { retry-after: 3 } } }
  - { say: hello }`;

const user = { role: 'user', content: 'hi' };

describe('the scripted backend as a server', () => {
  let server: ScriptedServer;
  const start = async (more: Partial<ScriptedServerOptions> = {}): Promise<void> => {
    server = await startScriptedServer({ scripts: scriptsByName({ s: parseScript(parseYaml(SCRIPT, 's'), 's') }), ...more });
  };
  afterEach(async () => await server.close());

  const post = async (body: unknown, path = '/chat/completions'): Promise<Response> =>
    await fetch(server.url + path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
  const refusal = async (body: unknown): Promise<string> => {
    const response = await post(body);
    return `${response.status} ${JSON.stringify(await response.json())}`;
  };

  it('answers a client of the official SDK, streaming or not', async () => {
    await start();
    const client = new OpenAI({ baseURL: server.url, apiKey: 'any', maxRetries: 0 });
    const whole = await client.chat.completions.create({ model: 's', messages: [{ role: 'user', content: 'hi' }] });
    expect(whole.choices[0]?.message.content).toBe('[scripted] hello');
    expect(whole.usage?.prompt_tokens).toBeGreaterThan(0);
    const streamed = client.chat.completions.stream({ model: 's', messages: [{ role: 'user', content: 'call' }] });
    const { choices } = await streamed.finalChatCompletion();
    expect(choices[0]?.message.tool_calls).toMatchObject([{ type: 'function', function: { name: 'shell', arguments: '{"cmd":"ls"}' } }]);
    expect((await client.models.list()).data).toMatchObject([{ id: 's', context_length: 1000 }]);
  });

  it('gives usage in a stream only to those who ask for it', async () => {
    await start();
    const text = async (more: object): Promise<string> =>
      await (await post({ model: 's', messages: [user], stream: true, ...more })).text();
    expect(await text({})).not.toContain('usage');
    expect(await text({ stream_options: { include_usage: true } })).toContain('prompt_tokens');
  });

  it('fails with the status, headers and body of the script', async () => {
    await start();
    const page = await post({ model: 's', messages: [{ role: 'user', content: 'page' }] });
    expect([page.status, page.headers.get('content-type'), await page.text()]).toEqual([502, 'text/html', '<html>Bad Gateway</html>']);
    const slow = await post({ model: 's', messages: [{ role: 'user', content: 'slow' }], stream: true });
    expect([slow.status, slow.headers.get('retry-after')]).toEqual([429, '3']);
  });

  it('refuses as a provider does', async () => {
    await start();
    const call = { id: 'a', type: 'function', function: { name: 'shell', arguments: '{}' } };
    expect(await refusal('{')).toMatch(/^400 .*could not parse the JSON body/);
    expect(await refusal({ messages: [user] })).toMatch(/^400 .*model parameter/);
    expect(await refusal({ model: 'gone', messages: [user] })).toMatch(/^404 .*no script for model gone; there are: \S.*model_not_found/);
    expect(await refusal({ model: 's', messages: [{ role: 'robot', content: 'x' }] })).toMatch(
      /^400 .*Invalid value: 'robot'.*messages\[0\]\.role/,
    );
    expect(await refusal({ model: 's', messages: [user, { role: 'assistant', tool_calls: [call] }] })).toMatch(
      /^400 .*did not have response messages: a .*messages\[1\]\.tool_calls/,
    );
    expect(await refusal({ model: 's', messages: [user, { role: 'tool', tool_call_id: 'a', content: 'x' }] })).toMatch(
      /^400 .*must be a response to a preceding message.*messages\[1\]/,
    );
    const bad = { ...call, function: { name: 'shell', arguments: '{"a' } };
    expect(
      await refusal({
        model: 's',
        messages: [user, { role: 'assistant', tool_calls: [bad] }, { role: 'tool', tool_call_id: 'a', content: 'x' }],
      }),
    ).toMatch(/^400 .*not a JSON object/);
    expect(await refusal({ model: 's', messages: [{ role: 'user', content: 'x'.repeat(9000) }] })).toMatch(
      /^400 .*context_length_exceeded/,
    );
    expect((await post({}, '/embeddings')).status).toBe(404);
  });

  it('takes what breaks the rules when it is not strict', async () => {
    await start({ strict: false });
    expect((await post({ model: 's', messages: [{ role: 'tool', tool_call_id: 'a', content: 'x' }, user] })).status).toBe(200);
  });

  it('wants its key when it has one', async () => {
    await start({ key: 'k' });
    expect((await post({ model: 's', messages: [user] })).status).toBe(401);
    const headers = { authorization: 'Bearer k' };
    expect((await fetch(`${server.url}/models`, { headers })).status).toBe(200);
  });

  it('takes no more than 32 MiB', async () => {
    await start();
    const response = await post({ model: 's', messages: [{ role: 'user', content: 'x'.repeat(33 * 1024 * 1024) }] });
    expect([response.status, JSON.stringify(await response.json())]).toEqual([413, expect.stringContaining('request_too_large')]);
  });

  it('keeps what it was asked', async () => {
    await start();
    await post({ model: 's', messages: [user] });
    expect(server.requests).toMatchObject([{ method: 'POST', path: '/v1/chat/completions' }]);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({ model: 's' });
  });
});

describe('cuts', () => {
  const text = 'Zoë 北京 🌍 '.repeat(50);
  const cut = (seed: number | undefined, isBytewise = false): readonly Buffer[] => [
    ...new Cutter({ seed, isBytewise }).cut(Buffer.from(text)),
  ];

  it('add up, and are the same for the same seed only', () => {
    expect(Buffer.concat(cut(1)).toString()).toBe(text);
    expect(cut(1)).toEqual(cut(1));
    expect(cut(1)).not.toEqual(cut(2));
    expect(cut(1).length).toBeGreaterThan(10);
    expect(cut(undefined)).toHaveLength(1);
    expect(cut(undefined, true)).toHaveLength(Buffer.byteLength(text));
  });
});
