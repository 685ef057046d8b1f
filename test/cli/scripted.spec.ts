import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';

const SCRIPT = 'order: any\nsteps:\n  - say: "{{user}}"\n';

describe('o scripted serve', () => {
  let tree: TempTree;
  let child: ChildProcess | undefined;
  beforeEach(() => {
    tree = new TempTree({ 's.yaml': SCRIPT, 'bad.yaml': 'steps: 3\n' });
  });
  afterEach(async () => {
    if (child?.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    tree.remove();
  });

  const env = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, HOME: tree.root });

  async function serve(...options: readonly string[]): Promise<Record<string, string>> {
    const args = ['scripted', 'serve', '--script', tree.path('s.yaml'), ...options];
    child = spawn(join(root, 'bin/o'), args, { env: env(), stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    for await (const piece of child.stdout?.setEncoding('utf8') ?? []) {
      text += String(piece);
      if (text.includes('ollama')) break;
    }
    const lines = text.trimEnd().split('\n');
    return Object.fromEntries(lines.map((line): [string, string] => [line.split(' ')[0] ?? '', line.split(/ +/)[1] ?? '']));
  }

  const chat = async (url: string | undefined, body: object, key?: string): Promise<Response> =>
    await fetch(`${url}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(body),
      ...(key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } }),
    });
  const hi = { model: 's', messages: [{ role: 'user', content: 'hi' }] };

  it.each(['SIGTERM', 'SIGINT'] as const)('says where each API is, answers, and ends in order with %s', async (signal) => {
    const urls = await serve();
    expect(Object.keys(urls).toSorted()).toEqual(['anthropic', 'gemini', 'ollama', 'openai', 'responses']);
    expect(await (await chat(urls.openai, hi)).json()).toMatchObject({ choices: [{ message: { content: '[scripted] hi' } }] });
    expect(await (await fetch(`${urls.ollama}/api/tags`)).json()).toMatchObject({ models: [{ name: 's' }] });
    child?.kill(signal);
    expect(await once(child ?? process, 'exit')).toEqual([0, null]);
  });

  it('writes down what it is asked, for the user alone and without keys', async () => {
    const urls = await serve('--key', 'sk-planted-1', '--log', tree.path('log'));
    expect((await chat(urls.openai, hi)).status).toBe(401);
    expect((await chat(urls.openai, hi, 'sk-planted-1')).status).toBe(200);
    await fetch(`${urls.gemini}/v1beta/models?key=sk-planted-1`, {
      headers: { 'x-goog-api-key': 'sk-planted-1', 'x-other': 'sk-planted-1' },
    });
    const text = readFileSync(tree.path('log'), 'utf8');
    expect(text).not.toContain('sk-planted-1');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines).toMatchObject([
      { method: 'POST', path: '/v1/chat/completions', body: hi },
      { body: hi },
      { method: 'GET', path: '/v1beta/models?key=...' },
    ]);
    expect(statSync(tree.path('log')).mode & 0o777).toBe(0o600);
  });

  it('refuses what is nested too deeply, and writes it down as it came', async () => {
    const deep = `${'['.repeat(9_999)}${']'.repeat(9_999)}`;
    const urls = await serve('--log', tree.path('log'));
    const response = await fetch(`${urls.openai}/chat/completions`, { method: 'POST', body: `{"a":${deep}}` });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('JSON')]);
    expect(readFileSync(tree.path('log'), 'utf8')).toContain(deep);
  });

  it('is strict unless it shall not be', async () => {
    const odd = { ...hi, foo: 1 };
    const urls = await serve('--script', `gpt-9=${tree.path('s.yaml')}`);
    expect((await chat(urls.openai, odd)).status).toBe(400);
    expect((await chat(urls.openai, { ...hi, model: 'gpt-9' })).status).toBe(200);
    child?.kill();
    await once(child ?? process, 'exit');
    expect((await chat((await serve('--no-strict')).openai, odd)).status).toBe(200);
  });

  it.each<[string, readonly string[], number, RegExp]>([
    ['a script that is not there', ['--script', '/nowhere.yaml'], 1, /^o: \/nowhere\.yaml: no such file\n$/],
    ['a script that is not right', ['--script', 'bad.yaml'], 1, /^o: bad\.yaml: steps: expected a list\n$/],
    ['a log that cannot be written', ['--script', 's.yaml', '--log', '/nowhere/log'], 1, /^o: ENOENT.*\n$/],
    [
      'an address that is none of ours',
      ['--script', 's.yaml', '--host', '192.0.2.1'],
      1,
      /^o: cannot listen on 192\.0\.2\.1 port 0: .*\n$/,
    ],
    [
      'two scripts for one model',
      ['--script', 's.yaml', '--script', 's=bad.yaml'],
      2,
      /^o: two scripts for the model s; see o scripted --help\n$/,
    ],
    ['strange chunks', ['--script', 's.yaml', '--chunk', '3'], 2, /^o: --chunk may be bytes, found: 3; see/],
    ['both ways', ['--script', 's.yaml', '--strict', '--no-strict'], 2, /^o: --strict and --no-strict cannot both be; see/],
  ])('says in one line what is wrong with %s', async (_what, options, code, sentence) => {
    const ended = await run(join(root, 'bin/o'), ['scripted', 'serve', ...options], { cwd: tree.root, env: env() });
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(sentence) });
  });
});
