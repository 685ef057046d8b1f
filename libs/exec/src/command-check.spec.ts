import { CommandCheck } from './command-check.js';

const context = { agent: 'a-1', cwd: '/home/u/project' };

describe('a command of a call', () => {
  let now: number;
  let check: CommandCheck;

  beforeEach(() => {
    now = 1000;
    check = new CommandCheck('/home/u', () => now);
  });

  const demand = (cmd: unknown, agent = 'a-1') => check.demandHarmless({ ...context, agent, args: { cmd: cmd as string } });

  it.each(['rm -rf ~', 'dd if=/dev/zero of=/dev/sda', ':(){ :|:& };:'])(
    'is turned down when it is denied, and says why: %s',
    async (cmd) => {
      await expect(demand(cmd)).rejects.toThrow(/^dangerous pattern detected: [a-z-]+\n./);
    },
  );

  it.each(['rm -rf build', 'git reset --hard', 'echo "unfinished', 'x'.repeat(300_000)])('runs when it is not: %.20s', async (cmd) => {
    await expect(demand(cmd)).resolves.toBeUndefined();
  });

  it('is only what stands in the argument cmd as text', async () => {
    await expect(check.demandHarmless({ ...context, args: { content: 'rm -rf ~' } })).resolves.toBeUndefined();
    await expect(demand(7)).resolves.toBeUndefined();
  });

  it('is not looked at for a while when five within a minute were denied, for that agent alone', async () => {
    for (let n = 0; n < 5; n++) await expect(demand('rm -rf ~')).rejects.toThrow('dangerous');
    await expect(demand('ls')).rejects.toThrow('rate limited: too many validation failures, blocked for 30s');
    await expect(demand('ls', 'a-2')).resolves.toBeUndefined();
    now += 30_000;
    await expect(demand('ls')).resolves.toBeUndefined();
  });
});
