import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { ScriptLibrary, startScriptedServer, type ScriptedServer } from '#backends';
import { isJsonObject, parseJson } from '#model';
import { root, run, type Ended, type RunOptions } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';

const KEY = 'sk-gen-4711';

describe('o gen', () => {
  let tree: TempTree;
  let server: ScriptedServer;

  beforeAll(async () => {
    tree = new TempTree({
      'scripts/m.yaml': [
        'contextLength: 4096',
        'order: any',
        'steps:',
        '  - when: { lastUser: /^two lines/ }\n    say: "one\\ntwo"',
        '  - when: { lastUser: /^look/ }\n    say: Looking.\n    calls: [{ tool: ls, args: { d: / } }]',
        '  - when: { lastUser: /^long/ }\n    say: cut\n    stop: length',
        '  - when: { lastUser: /^endless/ }\n    say: "{{user}}{{user | lorem 9000}}"\n    stream: { chunk: 2, delayMs: 50 }',
        '  - when: { lastUser: /^busy/ }\n    fail: { times: 1000, status: 429, headers: { retry-after: "7" }, body: { error: { message: slow down } } }',
        '  - say: "{{user}}"',
      ].join('\n'),
      'tools.json': '[{"name":"ls","description":"list","parameters":{"type":"object","properties":{"d":{"type":"string"}}}}]',
      'none.json': '[{"title":"ls"}]',
      'broken.json': '[',
    });
    server = await startScriptedServer({ scripts: new ScriptLibrary([tree.path('scripts')]), key: KEY });
  });
  afterAll(async () => {
    await server.close();
    tree.remove();
  });

  const env = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, HOME: tree.root, OLLIE_OPENAI_KEY: KEY });
  const gen = (args: readonly string[], options: RunOptions = {}): Promise<Ended> =>
    run(join(root, 'bin/o'), ['gen', '--url', server.url, '--model', 'm', ...args], { env: env(), ...options });

  it('writes the answer, with a line end behind it', async () => {
    expect(await gen(['two lines'])).toEqual({ code: 0, signal: null, stdout: '[scripted] one\ntwo\n', stderr: '' });
  });

  it.each([[['-']], [[]]])('reads the prompt from standard input with %j', async (args) => {
    expect(await gen(args, { input: 'grüß dich' })).toMatchObject({ code: 0, stdout: '[scripted] grüß dich\n' });
  });

  it('shows what tools the model calls', async () => {
    const { code, stdout } = await gen(['--tools', tree.path('tools.json'), 'look']);
    expect([code, stdout]).toEqual([0, '[scripted] Looking.\n[ls {"d":"/"}]\n']);
  });

  it('says on standard error what a backend warns of', async () => {
    const done = { message: { content: 'hi' }, done: true, done_reason: 'stop', prompt_eval_count: 16_384 };
    const ollama = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(`${JSON.stringify(done)}\n`);
    });
    const url = await listening(ollama);
    const { stdout, stderr } = await run(join(root, 'bin/o'), ['gen', '--backend', 'ollama', '--url', url, '--model', 'm', 'hi'], {
      env: env(),
    });
    ollama.close();
    expect([stdout, stderr]).toEqual(['hi\n', expect.stringMatching(/^o: the beginning .* left out: .* 16384 tokens .*\n$/)]);
  });

  it('gives up after the first text, by whatever connection it came', async () => {
    const ollama = createServer(({ url: path }, response) => {
      if (path !== '/api/chat') return response.writeHead(404).end();
      return response.writeHead(200, { 'content-type': 'application/x-ndjson' }).write('{"message":{"content":"x"},"done":false}\n');
    });
    const args = [
      'gen',
      '--jsonl',
      '--backend',
      'ollama',
      '--url',
      await listening(ollama),
      '--model',
      'm',
      '--set',
      'abort_after_text=true',
    ];
    const { code, stdout } = await run(join(root, 'bin/o'), [...args, 'hi'], { env: env() });
    ollama.close();
    expect(code).toBe(1);
    expect(parseJson(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      text: 'x',
      error_class: 'AbortError',
      error_kind: 'aborted',
    });
  });

  it('says on standard error why an answer ended early', async () => {
    expect(await gen(['long'])).toMatchObject({ code: 0, stdout: '[scripted] cut\n', stderr: 'o: the answer ended early: length\n' });
  });

  it('sends what is set', async () => {
    await gen(['--set', 'temperature=0.5', '--set', 'maxTokens=99', '--set', 'stop=["x"]', 'hello']);
    const body = parseJson(server.requests.at(-1)?.body ?? '');
    expect(body).toMatchObject({ model: 'm', temperature: 0.5, stop: ['x'] });
    expect(JSON.stringify(body)).toContain(':99');
  });

  it('fails with one line of what it was, and never with the key', async () => {
    const busy = await gen(['busy']);
    expect(busy).toMatchObject({ code: 1, stdout: '' });
    expect(busy.stderr).toMatch(/^o: openai: .*slow down.* \(RateLimitError, rate_limit, may be sent again after 7000 ms\)\n$/);
    const refused = await gen(['hi'], { env: { ...env(), OLLIE_OPENAI_KEY: 'sk-wrong-key' } });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^o: openai: .* \(AuthError.*\)\n$/);
    expect(refused.stderr).not.toContain('sk-wrong-key');
  });

  it('lists the models, with what fits in', async () => {
    const only = await run(join(root, 'bin/o'), ['gen', '--url', server.url, '--models'], { env: env() });
    expect(only).toMatchObject({ code: 0, stdout: 'm\t4096\n', stderr: '' });
    const lines = (await gen(['--models', '--jsonl'])).stdout.trim().split('\n');
    expect(lines.map((line) => parseJson(line))).toMatchObject([
      { id: 'm', contextLength: 4096 },
      { models: ['m'], context_lengths: { m: 4096 } },
    ]);
  });

  it('with --jsonl gives each event in a line, and in a last one what they amount to', async () => {
    const { code, stdout } = await gen(['--jsonl', '--tools', tree.path('tools.json'), 'look']);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => parseJson(line))
      .filter(isJsonObject);
    expect(code).toBe(0);
    expect(new Set(lines.slice(0, -1).map(({ type }) => type))).toEqual(new Set(['start', 'text', 'toolCall', 'usage', 'done']));
    expect(lines.at(-1)).toMatchObject({
      text: '[scripted] Looking.',
      tool_calls: [{ name: 'ls', arguments: { d: '/' } }],
      stop: 'tool_calls',
    });
    const failed = await gen(['--jsonl', 'busy']);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('RateLimitError') });
    expect(parseJson(failed.stdout)).toMatchObject({ error_class: 'RateLimitError', retry_after_ms: 7000, retryable: true });
  });

  it.each([
    [['--set', 'warmth=1'], 'no such setting: warmth; there are: idle_timeout_ms'],
    [['--set', 'temperature=hot'], 'not a value of temperature: hot'],
    [['--set', 'temperature'], '--set takes KEY=VALUE, found: temperature'],
    [['--set', 'abort_after_text=maybe'], 'not a value of abort_after_text: maybe'],
    [['--set', 'dialect=klingon'], 'not a value of dialect: klingon'],
    [['a', 'b'], 'one prompt is enough, found more: b'],
    [[' '], 'the prompt is empty'],
    [['--models', 'hi'], '--models takes no prompt'],
    [['--nope'], "unknown option '--nope'"],
  ])('is 2 for %j', async (args, sentence) => {
    const { code, stdout, stderr } = await gen(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(new RegExp(`^o: (${sentence}).*; see o gen --help\n$`));
  });

  it.each([
    ['broken.json', 'not JSON'],
    ['none.json', 'tool 1 is no {"name", "description", "parameters"}'],
    ['absent.json', 'no such file'],
  ])('says what is wrong with the tools of %s', async (file, sentence) => {
    const { code, stderr } = await gen(['--tools', tree.path(file), 'look']);
    expect(code).toBe(1);
    expect(stderr).toContain(`o: ${tree.path(file)}: `);
    expect(stderr).toContain(sentence);
  });

  it('says what to set when nothing is', async () => {
    const bare = { PATH: process.env.PATH, HOME: tree.root };
    expect(await run(join(root, 'bin/o'), ['gen', 'hi'], { env: bare })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no backend configured'),
    });
    expect(await run(join(root, 'bin/o'), ['gen', '--backend', 'nope', 'hi'], { env: bare })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no such backend or dialect: nope; there are: scripted openai openai-chat'),
    });
    expect(await run(join(root, 'bin/o'), ['gen', '--url', server.url, 'hi'], { env: bare })).toMatchObject({
      code: 2,
      stderr: 'o: which model of openai? name one with --model or OLLIE_MODEL; see o gen --help\n',
    });
  });

  it('asks what config.json has', async () => {
    const entry = { name: 'acme', dialect: 'openai-chat', url: server.url, key: KEY, defaultModel: 'm' };
    tree.add('cfg/config.json', JSON.stringify({ backends: [entry] }), 0o600);
    const own = { PATH: process.env.PATH, HOME: tree.root, OLLIE_CFG_PATH: tree.path('cfg') };
    const ask = (...args: string[]): Promise<Ended> => run(join(root, 'bin/o'), ['gen', ...args], { env: own });
    expect(await ask('--backend', 'acme', 'hello')).toMatchObject({ code: 0, stdout: '[scripted] hello\n', stderr: '' });
    expect(await ask('hello')).toMatchObject({ code: 0, stdout: '[scripted] hello\n' });
    expect(await ask('--backend', 'acme', '--url', server.url, 'hello')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no such backend or dialect: acme; for a URL there are: ollama openai openrouter'),
    });
  });

  it('asks in a dialect with the key of its provider, or with that of the name given', async () => {
    const at = (name: string, dialect: string, variable: string): Promise<Ended> =>
      run(join(root, 'bin/o'), ['gen', '--backend', name, '--set', `dialect=${dialect}`, '--url', server.url, '--model', 'm', 'hello'], {
        env: { PATH: process.env.PATH, HOME: tree.root, [variable]: KEY },
      });
    expect(await at('openai-chat', 'openai-chat', 'OLLIE_OPENAI_KEY')).toMatchObject({ code: 0, stdout: '[scripted] hello\n' });
    expect(await at('openai', 'responses', 'OLLIE_OPENAI_KEY')).toMatchObject({ code: 0, stdout: '[scripted] hello\n' });
    expect(server.requests.at(-1)?.path).toBe('/v1/responses');
    expect(await at('anthropic', 'anthropic-messages', 'OLLIE_ANTHROPIC_KEY')).toMatchObject({ code: 0, stdout: '[scripted] hello\n' });
    expect(server.requests.at(-1)?.path).toBe('/v1/messages');
    expect(await at('my-lab', 'openai-chat', 'OLLIE_MY_LAB_KEY')).toMatchObject({ code: 0, stdout: '[scripted] hello\n' });
  });

  it('is 130 after SIGINT, and the connection is gone', async () => {
    const child = spawn(join(root, 'bin/o'), ['gen', '--url', server.url, '--model', 'm', 'endless'], { env: env(), cwd: root });
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    expect(code).toBe(130);
    while (server.active > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  });

  it('is 130 after SIGINT while it waits for its prompt', async () => {
    const child = spawn(join(root, 'bin/o'), ['gen', '--url', server.url, '--model', 'm'], { env: env(), cwd: root });
    await new Promise((resolve) => setTimeout(resolve, 500));
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    expect(code).toBe(130);
  });

  it('ends quietly when nobody reads on', async () => {
    const line = `set -o pipefail; bin/o gen --url ${server.url} --model m endless | head -c 5`;
    expect(await run('bash', ['-c', line], { env: env() })).toEqual({ code: 0, signal: null, stdout: '[scri', stderr: '' });
  });
});

/** The address that it has from then on. */
async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

describe('o gen at a server that never answers', () => {
  let server: Server;
  let url: string;

  beforeAll(async () => {
    server = createServer((_request, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hi\n\n'));
    url = `${await listening(server)}/v1`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('waits as long as it is told', async () => {
    const args = ['gen', '--url', url, '--model', 'm', '--set', 'idle_timeout_ms=100', 'hi'];
    const { code, stderr } = await run(join(root, 'bin/o'), args, { env: { PATH: process.env.PATH, HOME: '/nowhere' } });
    expect(code).toBe(1);
    expect(stderr).toContain('(TransientError, idle, may be sent again)');
  });
});
