import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '#ninep';
import { Chat, Ollie, until } from './ollie.js';

jest.setTimeout(90_000);

/** What a model would do that wants out of its sandbox. */
const SCRIPT = `
order: any
steps:
  - when: { lastTool: { name: shell } }
    say: "said: {{tool}}"
  - when: { lastUser: '/^out (.+)$/s' }
    calls: [{ tool: shell, args: { cmd: '{{user.1}}', bypass: true } }]
  - when: { lastUser: '/^in (.+)$/s' }
    calls: [{ tool: shell, args: { cmd: '{{user.1}}' } }]
`;

describe('approvals of what agents want to run', () => {
  const ollie = new Ollie({ OLLIE_MODEL: 'outward' });
  const home = (file: string): string => join(ollie.folder, 'home', file);
  let client: Client;
  let chat: Chat;

  beforeAll(async () => {
    mkdirSync(home('.config/ollie/scripts'), { recursive: true });
    writeFileSync(home('.config/ollie/scripts/outward.yaml'), SCRIPT);
    await ollie.start();
    client = await ollie.dial();
    await client.ask('session/new', 'name=s\n');
    await client.ask('session/s/agent/new', 'name=a\n');
    chat = await Chat.open(client, 'session/s/agent/a');
  });
  afterAll(async () => {
    client.close();
    await ollie.destroy();
  });

  const text = async (path: string): Promise<string> => new TextDecoder().decode(await client.readAll(path));
  const pending = async (): Promise<Record<string, unknown>> => JSON.parse(await text('approvals/pending')) as Record<string, unknown>;
  const answer = (words: object): Promise<void> => client.writeAll('approvals/resolve', JSON.stringify(words));

  /** A turn, from its prompt to its end. */
  async function turn(prompt: string): Promise<string> {
    await client.writeAll('session/s/agent/a/prompt', prompt);
    return chat.rest();
  }

  /** Somebody looks from before the turn begins, and answers what comes. */
  async function answered(prompt: string, words: object): Promise<{ readonly request: Record<string, unknown>; readonly said: string }> {
    const read = pending();
    await client.readAll('help'); // answered after the read was begun
    const said = turn(prompt);
    const request = await read;
    await answer({ id: request.id, ...words });
    return { request, said: await said };
  }

  it('are refused at once while nobody looks', async () => {
    expect(await turn(`out echo > '${home('none')}'`)).toContain('bypass unavailable: no observer');
    expect(existsSync(home('none'))).toBe(false);
  });

  it('let exactly what was shown leave the sandbox, once', async () => {
    const command = `echo ok > '${home('made')}' && echo done`;
    const { request, said } = await answered(`out ${command}`, { approved: true });
    expect(request).toMatchObject({
      kind: 'bypass',
      session: (await text('session/s/id')).trim(),
      agent: (await text('session/s/agent/a/id')).trim(),
      host: 'local',
      tool: 'shell',
      command,
      cwd: ollie.project,
      args: { cmd: command },
    });
    expect(said).toContain('said: done');
    expect(readFileSync(home('made'), 'utf8')).toBe('ok\n');
    expect(JSON.parse((await text('approvals/log')).split('\n').at(-2) ?? '')).toMatchObject({
      decision: 'approved',
      scope: 'once',
      command,
    });
  });

  it('give a model the words of a refusal', async () => {
    const { said } = await answered(`out echo > '${home('refused')}'`, { error: 'not on my machine' });
    expect(said).toContain('bypass rejected: not on my machine');
    expect(existsSync(home('refused'))).toBe(false);
  });

  it('hold for the session where that was said, without another question', async () => {
    const command = `echo x >> '${home('often')}'`;
    await answered(`out ${command}`, { approved: true, scope: 'session' });
    await turn(`out ${command}`);
    expect(readFileSync(home('often'), 'utf8')).toBe('x\nx\n');
  });

  it('are asked for where a rule asks, and name it', async () => {
    mkdirSync(join(ollie.project, '.git'));
    const { request, said } = await answered('in rm -rf .git && echo gone', { approved: true });
    expect(request).toMatchObject({ kind: 'permission', rule: 'delete-repository', command: 'rm -rf .git && echo gone' });
    expect(said).toContain('said: gone');
  });

  it('are over when the turn is stopped', async () => {
    const read = pending();
    await client.readAll('help');
    const said = turn('out sleep 1000');
    const { id } = await read;
    await client.ask('session/s/agent/a/ctl', 'stop\n');
    await said;
    await expect(answer({ id, approved: true })).rejects.toThrow(`no such request: ${String(id)}`);
    expect(JSON.parse((await text('approvals/log')).split('\n').at(-2) ?? '')).toMatchObject({ decision: 'withdrawn' });
  });

  it('may come from a terminal, for every session', async () => {
    const approve = ollie.sh(`printf '%s\\n' y 'a "blue" \\ one' | timeout 20 sh ${process.cwd()}/examples/approve.sh '' 2>/dev/null`);
    await until('somebody looks, and approves', async () => {
      await turn(`out echo > '${home('terminal')}'`);
      return existsSync(home('terminal'));
    });
    const asked = await client.ask('session/s/agent/a/ctl', 'ask Which?\n');
    expect(new TextDecoder().decode(asked)).toBe('a "blue" \\ one\n');
    await ollie.end();
    expect((await approve).stdout).toContain('"kind":"bypass"');
  });
});
