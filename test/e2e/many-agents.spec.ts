import { Chat, Ollie, processesWith } from './ollie.js';

jest.setTimeout(120_000);

const AGENTS = 50;

describe('many agents at once', () => {
  const ollie = new Ollie();
  beforeAll(() => ollie.start());
  afterAll(() => ollie.destroy());

  it('each answer to their own prompt and nothing else', async () => {
    const client = await ollie.dial();
    await client.ask('session/new', 'name=s\n');
    const names = Array.from({ length: AGENTS }, (_none, number) => `a${String(number)}`);
    await Promise.all(names.map((name) => client.ask('session/s/agent/new', `name=${name}\n`)));
    const chats = await Promise.all(names.map((name) => Chat.open(client, `session/s/agent/${name}`)));
    await Promise.all(names.map((name) => client.writeAll(`session/s/agent/${name}/prompt`, `run echo answer of ${name}\n`)));
    const answers = await Promise.all(chats.map((chat) => chat.rest()));
    expect(answers).toEqual(names.map(answerOf));
    client.close();
  });

  it('need no tool server as long as they only are there, and one once there is something to do', async () => {
    const client = await ollie.dial();
    const sessions = Array.from({ length: 100 }, (_none, number) => `idle${String(number)}`);
    for (const session of sessions) {
      await client.ask('session/new', `name=${session}\n`);
      await Promise.all(Array.from({ length: 100 }, () => client.ask(`session/${session}/agent/new`, '\n')));
      for (const file of ['env', 'agent/idx']) await client.readAll(`session/${session}/${file}`);
    }
    const [name = ''] = (await client.list('session/idle7/agent')).map((entry) => entry.name).slice(2);
    for (const file of ['cfg', 'stats', 'log', 'chat', 'plan', 'proc/top']) await client.readAll(`session/idle7/agent/${name}/${file}`);
    expect(new TextDecoder().decode(await client.readAll('aliases')).split('\n').length).toBeGreaterThan(10_000);
    const before = toolsrvs();
    expect(before).toBeLessThanOrEqual(1); // of the agents that have worked
    await client.ask(`session/idle7/agent/${name}/ctl`, 'tools\n');
    expect(toolsrvs()).toBe(before + 1);
    client.close();
  });

  function toolsrvs(): number {
    return processesWith('toolsrv.mjs').filter(({ command }) => command.includes(ollie.folder)).length;
  }
});

function answerOf(name: string): string {
  const command = `echo answer of ${name}`;
  return `user: run ${command}\n-> shell({"cmd":"${command}"})\n<- shell 1 lines\n[scripted] done:\nanswer of ${name}\n`;
}
