import { linesOf } from '../support/event-lines.js';
import { Ollie, processesWith, until } from './ollie.js';

jest.setTimeout(90_000);

const AGENT = 'session/s/agent/a';

/** Every topic of the contract that anything can be told of yet: another profile for an agent that is there comes later. */
const TOPICS = `
  session.created session.renamed session.killed session.paused session.resumed session.saved
  agent.created agent.renamed agent.killed agent.state agent.chat agent.usage tools.changed proc.started proc.exited
  bypass.pending bypass.resolved toolsrv.connected toolsrv.lost error
`
  .trim()
  .split(/\s+/);

describe('events of a server at work', () => {
  const ollie = new Ollie();
  const sh = async (script: string): Promise<string> => (await ollie.sh(script)).stdout;
  const topics = async (): Promise<readonly string[]> =>
    ollie.dialed(async (client) => {
      const length = Number((await client.stat('events')).length);
      const file = await client.open('events', 0);
      let text = '';
      while (text.length < length) text += Buffer.from(await file.read(text.length, length - text.length)).toString('latin1');
      return linesOf(text).map(({ topic }) => topic);
    });
  const told = (topic: string): Promise<void> => until(`${topic} was told`, async () => (await topics()).includes(topic));

  beforeAll(() => ollie.start());
  afterAll(() => ollie.destroy());

  it('have each topic', async () => {
    await sh('echo name=s | ollie-9p write session/new; echo name=a | ollie-9p write session/s/agent/new');
    await sh(`echo 'start echo x' | ollie-9p write ${AGENT}/prompt`);
    await told('proc.exited');
    await sh(`echo tool_load file_read | ollie-9p write ${AGENT}/ctl`);
    await ollie.dialed(async (client) => {
      const pending = await client.open('approvals/pending', 0);
      const asked = pending.read(0, pending.iounit);
      await client.stat('approvals/pending'); // by now the read waits: there is an observer
      const answered = sh(`echo ask Which? | ollie-9p rdwr ${AGENT}/ctl`);
      expect(Buffer.from(await asked).toString()).toContain('Which?');
      await sh(`echo '{"id":"a-1","answer":"this"}' | ollie-9p write approvals/resolve`);
      expect(await answered).toContain('this');
      await pending.clunk();
    });
    for (const { pid, command } of processesWith(ollie.folder)) if (command.includes('toolsrv.mjs')) process.kill(pid, 'SIGKILL');
    await told('toolsrv.lost');
    await sh(`for word in pause resume save; do echo $word | ollie-9p write session/s/ctl; done`);
    await sh('echo name=b model=none | ollie-9p write session/s/agent/new; echo x | ollie-9p write session/s/agent/b/prompt');
    await told('error');
    await sh(`echo c | ollie-9p write ${AGENT}/name; echo t | ollie-9p write session/s/name`);
    await sh('echo kill | ollie-9p write session/t/agent/c/ctl; echo kill | ollie-9p write session/t/ctl');
    await told('session.killed');
    expect([...new Set(await topics())].sort()).toEqual(TOPICS.sort());
  });
});
