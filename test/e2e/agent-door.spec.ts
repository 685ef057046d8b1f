import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '#ninep';
import { Chat, Ollie } from './ollie.js';

jest.setTimeout(120_000);

/** The whole way of an agent into the namespace: model, toolsrv, sandbox, descriptor, door. */
describe('an agent', () => {
  const ollie = new Ollie();
  let client: Client;
  const doors = join(ollie.folder, 'run/ollie/agent');

  beforeAll(async () => {
    await ollie.start();
    client = await ollie.dial();
    await client.ask('session/new', 'name=s\n');
    for (const name of ['me', 'other']) await client.ask('session/s/agent/new', `name=${name}\n`);
  });
  afterAll(() => ollie.destroy());

  const read = async (path: string): Promise<string> => new TextDecoder().decode(await client.readAll(path));

  async function say(prompt: string): Promise<string> {
    const chat = await Chat.open(client, 'session/s/agent/me');
    await chat.rest();
    await client.writeAll('session/s/agent/me/prompt', prompt);
    return chat.rest();
  }

  it('keeps its plan, asks others and loads its tools through client_9p', async () => {
    expect(await say('9p write ~agent/plan - [ ] all')).toContain('[scripted] the namespace says:\n10 bytes written\n');
    expect(await read('session/s/agent/me/plan')).toBe('- [ ] all\n');
    expect(await say('9p rdwr ~session/agent/new prompt=say hi')).toContain('the namespace says:\n[scripted] hi');
    expect(await say('9p rdwr ~agent/ctl tool_load file_read')).toContain('the namespace says:\nok\n');
    expect(await say('9p rdwr ~agent/ctl tools')).toMatch(/client_9p\thot.*\nfile_read\tcold.*\nshell\twarm/);
  });

  it('may not do what is the owner’s', async () => {
    expect(await say('9p rdwr ~agent/ctl cwd /')).toContain('the namespace refuses:\nexecution failed: exit 1\npermission denied\n');
    expect(await say('9p write ~session/agent/other/prompt do it')).toContain('permission denied\n');
    expect(await read('session/s/agent/other/chat')).toBe('');
  });

  it('cannot reach the door of another, nor the user’s own, with any other tool', async () => {
    const said = await say(
      `run ls ${doors} ${join(ollie.folder, 'ns')}; NAMESPACE=${ollie.folder}/ns ollie-9p write ctl </dev/null; echo over`,
    );
    expect(said).toMatch(/No such file|Permission denied|cannot/);
    expect(said).toContain('over\n');
  });

  it('has its door from its first turn to its end, and nobody else may knock', async () => {
    const id = (await read('session/s/agent/me/id')).trim();
    expect(readdirSync(doors)).toEqual([id]);
    expect(statSync(join(doors, id)).mode & 0o777).toBe(0o600);
    expect(statSync(doors).mode & 0o777).toBe(0o700);
    const agent = await Client.dial({ address: { type: 'unix', path: join(doors, id) }, uname: 'root', aname: '' });
    await expect(agent.writeAll('session/s/agent/me/name', 'x')).rejects.toThrow('permission denied');
    await client.ask('session/s/agent/me/ctl', 'kill\n');
    await agent.closed;
    expect(existsSync(join(doors, id))).toBe(false);
  });
});
