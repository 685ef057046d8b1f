import { Ollie, processesWith, until } from './ollie.js';

jest.setTimeout(90_000);

describe('stopping a turn', () => {
  const ollie = new Ollie();
  beforeAll(() => ollie.start());
  afterAll(() => ollie.destroy());

  it('ends what its tool runs, and the next prompt is taken', async () => {
    const seconds = '61.40211';
    const agent = 'session/s/agent/a';
    await ollie.sh(`
      echo name=s | ollie-9p write session/new
      echo name=a | ollie-9p write session/s/agent/new
      echo 'run sleep ${seconds} & sleep ${seconds}; wait' | ollie-9p write ${agent}/prompt
    `);
    await until('the tool runs', () => processesWith(`sleep ${seconds}`).length > 0);
    const stop = await ollie.sh(`echo stop | ollie-9p rdwr ${agent}/ctl; ollie-9p read session/idx`);
    expect(stop.stdout).toMatch(/^ok\ns\t\S+\tidle\t1\t-\n$/);
    await until('nothing of the tool is left', () => processesWith(`sleep ${seconds}`).length === 0, 10_000);
    const next = await ollie.sh(`
      echo 'say still here' | ollie-9p write ${agent}/prompt
      ollie-9p read ${agent}/chat
      echo stop | ollie-9p rdwr ${agent}/ctl
    `);
    expect(next.stdout).toMatch(/\nuser: say still here\n\[scripted\] still here\nidle\n$/);
  });

  it('is what the end of a sub-agent does whose asker goes away', async () => {
    const seconds = '61.40212';
    const asking = ollie.sh(`printf 'name=sub\\nprompt=run sleep ${seconds}\\n' | timeout -s KILL 4 ollie-9p rdwr session/s/agent/new`);
    await until('the tool runs', () => processesWith(`sleep ${seconds}`).some(({ command }) => !command.includes('timeout')));
    expect((await asking).stdout).toBe('');
    await until('nothing of the tool is left', () => processesWith(`sleep ${seconds}`).length === 0, 10_000);
    expect((await ollie.sh('ollie-9p ls session/s/agent')).stdout).not.toContain('sub');
  });
});
