import { Chat, Ollie } from './ollie.js';

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
});

function answerOf(name: string): string {
  const command = `echo answer of ${name}`;
  return `user: run ${command}\n-> shell({"cmd":"${command}"})\n<- shell 1 lines\n[scripted] done:\nanswer of ${name}\n`;
}
