import { linesOf } from '../support/event-lines.js';
import { Ollie, until } from './ollie.js';

jest.setTimeout(60_000);

const AGENT = 'session/s/agent/a';

describe('a server without a model', () => {
  const ollie = new Ollie({ OLLIE_BACKEND: '' });
  const sh = async (script: string): Promise<string> => (await ollie.sh(script)).stdout;

  beforeAll(async () => {
    await ollie.start();
    await sh('echo name=s | ollie-9p write session/new; echo name=a | ollie-9p write session/s/agent/new');
  });
  afterAll(() => ollie.destroy());

  it('lists the script last, and says what to configure where a model is needed', async () => {
    expect(await sh('ollie-9p read backends')).toBe('scripted\n');
    await sh(`echo hello | ollie-9p write ${AGENT}/prompt`);
    await until('the turn is over', async () => (await sh(`ollie-9p read ${AGENT}/log`)).includes('error: '));
    const log = await sh(`ollie-9p read ${AGENT}/log`);
    expect(log).toMatch(/^user: hello\nerror: .*no backend configured: set OLLIE_OPENAI_URL .*OLLIE_BACKEND=scripted/);
    const events = await ollie.dialed(async (client) => {
      const length = Number((await client.stat('events')).length);
      const file = await client.open('events', 0);
      return linesOf(Buffer.from(await file.read(0, length)).toString());
    });
    expect(events.filter(({ topic }) => topic === 'error').map(({ data }) => String(data.text))).toEqual([
      expect.stringContaining('no backend configured'),
    ]);
    expect((await ollie.sh('echo hello | ollie-9p rdwr generate')).stderr).toContain('no backend configured');
  });

  it('runs the script where an agent asks for it', async () => {
    await sh('echo name=b backend=scripted | ollie-9p write session/s/agent/new; echo say hi | ollie-9p write session/s/agent/b/prompt');
    expect(await sh('ollie-9p read session/s/agent/b/chat')).toBe('user: say hi\n[scripted] hi\n');
  });
});
