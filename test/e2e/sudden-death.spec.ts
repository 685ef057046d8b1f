import { Chat, Ollie, processesWith, type Seen, until } from './ollie.js';

jest.setTimeout(90_000);

describe('a sudden death in the middle of a call', () => {
  let ollie: Ollie;
  beforeEach(async () => {
    ollie = new Ollie();
    await ollie.start();
    await ollie.sh(`
      echo name=s | ollie-9p write session/new
      echo name=a | ollie-9p write session/s/agent/new
    `);
  });
  afterEach(() => ollie.destroy());

  /** Starts a tool with a child in a session of its own, which no signal to a group reaches. */
  async function startTool(seconds: string): Promise<void> {
    await ollie.sh(`echo 'run setsid sleep ${seconds} & sleep ${seconds}; wait' | ollie-9p write session/s/agent/a/prompt`);
    await until('the tool and its child run', () => sleeping(seconds).length >= 2);
  }

  it('of olliesrv takes toolsrv and every process of the call along', async () => {
    await startTool('62.40211');
    expect(toolsrvs()).toHaveLength(1);
    await ollie.end('SIGKILL');
    await until('no process of the call is left', () => sleeping('62.40211').length === 0, 15_000);
    await until('toolsrv has ended', () => toolsrvs().length === 0, 15_000);
  });

  it('of toolsrv takes every process of the call along, and the next call has a new toolsrv', async () => {
    await startTool('62.40212');
    const client = await ollie.dial();
    const chat = await Chat.open(client, 'session/s/agent/a');
    for (const { pid } of toolsrvs()) process.kill(pid, 'SIGKILL');
    await until('no process of the call is left', () => sleeping('62.40212').length === 0, 15_000);
    expect(await chat.rest()).toContain('toolsrv');
    await client.writeAll('session/s/agent/a/prompt', 'run echo alive\n');
    expect(await chat.rest()).toMatch(/\[scripted\] done:\nalive\n$/);
    client.close();
  });

  function toolsrvs(): readonly Seen[] {
    return processesWith('toolsrv.mjs').filter(({ command }) => command.includes(ollie.folder));
  }

  function sleeping(seconds: string): readonly Seen[] {
    return processesWith(`sleep ${seconds}`).filter(({ command }) => command.startsWith('sleep'));
  }
});
