import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ollie, until } from './ollie.js';

jest.setTimeout(60_000);

const KEY = 'sk-planted';
const CHUNKS = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: 'from acme' } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
];

function configure(ollie: Ollie, text: string): string {
  const directory = join(ollie.folder, 'home/.config/ollie');
  mkdirSync(join(directory, 'agents'), { recursive: true });
  writeFileSync(join(directory, 'config.json'), text, { mode: 0o600 });
  writeFileSync(join(directory, 'agents/worker.json'), JSON.stringify({ backend: 'acme' }));
  return join(directory, 'config.json');
}

describe('a backend of config.json', () => {
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization);
    if (request.method === 'GET') return response.end('{"data":[{"id":"m1"}]}');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return response.end([...CHUNKS.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`).join(''));
  });
  const ollie = new Ollie({ OLLIE_BACKEND: '' });
  const sh = async (script: string): Promise<string> => (await ollie.sh(script)).stdout;

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`;
    const acme = { name: 'acme', dialect: 'openai-chat', url, keyCommand: ['printf', KEY], defaultModel: 'm1' };
    configure(ollie, JSON.stringify({ backends: [acme] }));
    await ollie.start();
    await sh('echo name=s | ollie-9p write session/new');
  });
  afterAll(async () => {
    await ollie.destroy();
    server.closeAllConnections();
    server.close();
  });

  it('is listed with its models, and asked for its key by then', async () => {
    expect(await sh('ollie-9p read backends')).toBe('acme\nscripted\n');
    expect(keys).toEqual([]);
    expect(await sh('ollie-9p read models')).toMatch(/^acme\tm1\nscripted\t/);
    expect(keys).toEqual([`Bearer ${KEY}`]);
  });

  it.each([
    ['an agent that names it', 'name=a backend=acme'],
    ['an agent whose profile names it', 'name=b profile=worker'],
    ['an agent that names nothing', 'name=c'],
  ])('answers %s', async (_name, line) => {
    const agent = `session/s/agent/${line.slice(5, 6)}`;
    await sh(`echo ${line} | ollie-9p write session/s/agent/new; echo hi | ollie-9p write ${agent}/prompt`);
    await until('the turn is over', async () => (await sh(`ollie-9p read ${agent}/log`)).includes('from acme'));
    expect(await sh(`ollie-9p read ${agent}/cfg`)).toMatch(/^backend=acme$/m);
  });

  it('leaves its key nowhere', async () => {
    expect(ollie.stderr).not.toContain(KEY);
    expect(await sh(`grep -rl ${KEY} "$HOME/.local" "$NAMESPACE" 2>/dev/null | head`)).toBe('');
  });
});

describe('a config.json that cannot be used', () => {
  const ollie = new Ollie();
  afterAll(() => ollie.destroy());

  it.each([
    ['{\n  "backends": [{ "name": "acme", "key": "sk-planted" ]\n}', /config\.json:2: not JSON\n$/],
    [
      '{"backends":[{"name":"acme","dialect":"openai-chat","apiKey":"sk-planted"}]}',
      /config\.json: backends 1: unknown key apiKey; known are name/,
    ],
  ])('%s keeps the server from starting, and loses nothing', async (text, why) => {
    const file = configure(ollie, '{}');
    await ollie.start();
    await ollie.sh('echo name=kept | ollie-9p write session/new; echo name=a | ollie-9p write session/kept/agent/new');
    await ollie.end();
    writeFileSync(file, text);
    const outcome = await ollie.olliesrv('serve');
    expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(why) });
    expect(outcome.stderr).not.toContain('sk-planted');
    expect(readdirSync(join(ollie.folder, 'ns'))).not.toContain('ollie');
    configure(ollie, '{}');
    await ollie.start();
    expect((await ollie.sh('ollie-9p read session/idx')).stdout).toContain('kept');
    await ollie.sh('echo kill | ollie-9p rdwr session/kept/ctl');
    await ollie.end();
  });
});
