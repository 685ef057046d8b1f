import { Ollie, processesWith, until } from './ollie.js';

jest.setTimeout(90_000);

const AGENT = 'session/s/agent/a';

/** What a user could read of processes, over ends of the server. */
describe('processes of a session', () => {
  let ollie: Ollie;
  beforeEach(async () => {
    ollie = new Ollie();
    await ollie.start();
    await ollie.sh('echo name=s | ollie-9p write session/new; echo name=a | ollie-9p write session/s/agent/new');
  });
  afterEach(() => ollie.destroy());

  const read = async (file: string): Promise<string> => (await ollie.sh(`ollie-9p read ${AGENT}/${file}`)).stdout;
  const prompt = (text: string): Promise<unknown> => ollie.sh(`echo '${text}' | ollie-9p write ${AGENT}/prompt`);

  async function restart(signal: NodeJS.Signals): Promise<void> {
    await ollie.end(signal);
    await ollie.start();
  }

  /** Starts something in the background, and gives its number. */
  async function started(command: string): Promise<number> {
    const known = await numbers();
    await prompt(`start ${command}`);
    await until('it was started', async () => (await numbers()).length > known.length);
    return (await numbers()).at(-1) ?? 0;
  }

  async function numbers(): Promise<readonly number[]> {
    return [...(await read('chat.raw')).matchAll(/^started in the background as process (\d+)/gm)].map(([, number]) => Number(number));
  }

  it.each(['SIGKILL', 'SIGTERM'] as const)('are numbered on after %s, calls that somebody waits for counted too', async (signal) => {
    expect(await started('true')).toBe(1);
    await prompt('run echo once');
    await until('the call has ended', async () => (await read('chat')).includes('[scripted] done:\nonce\n'));
    await restart(signal);
    const next = await started('true');
    expect(next).toBeGreaterThanOrEqual(3);
    expect(next).toBeLessThanOrEqual(signal === 'SIGTERM' ? 3 : 257);
    await restart('SIGKILL');
    expect(await started('true')).toBeGreaterThan(next);
  });

  it('that have ended can be read as before, long output too, once their tool server has gone and after a restart', async () => {
    const commands = ['seq 2000000; exit 3', 'echo little'];
    for (const [at, command] of commands.entries()) {
      await started(command);
      await until('its end was told', async () => (await read('chat.raw')).split('<system-proc-complete ').length === at + 2);
    }
    const list = async () => (await ollie.sh(`echo proc | ollie-9p rdwr ${AGENT}/ctl`)).stdout;
    const all = async () => ({
      names: (await ollie.sh(`ollie-9p ls ${AGENT}/proc`)).stdout,
      proc: await list(),
      length: (await ollie.dialed((client) => client.stat(`${AGENT}/proc/1/out`))).length,
      end: (await ollie.sh(`ollie-9p read ${AGENT}/proc/1/out | tail -n 2`)).stdout,
      sum: (await ollie.sh(`ollie-9p read ${AGENT}/proc/1/out | cksum`)).stdout,
      little: await read('proc/2/out'),
      stats: [await read('proc/1/stat'), await read('proc/2/stat')],
      out: (await ollie.sh(`echo proc out 2 | ollie-9p rdwr ${AGENT}/ctl`)).stdout,
    });
    const before = await all();
    expect(before).toMatchObject({ proc: '1\texited\tshell\n2\texited\tshell\n', little: 'little\n', out: 'little\n' });
    expect(before.end).toContain('[output truncated at 10485760 bytes]\n');
    expect(before.stats[0]).toMatch(
      /^id=1\nstate=exited\ntool=shell\n(.*\n)*cmd=seq 2000000; exit 3\n(.*\n)*exit=3\n(.*\n)*notified=true\n/,
    );
    killToolsrv(ollie);
    expect(await all()).toEqual(before);
    await restart('SIGKILL');
    expect(await all()).toEqual(before);
    await ollie.sh(`echo proc dismiss 1 | ollie-9p write ${AGENT}/ctl`);
    await restart('SIGTERM');
    expect((await ollie.sh(`ollie-9p ls ${AGENT}/proc`)).stdout).toBe('2\ntop\n');
    expect([await list(), await read('proc/2/out')]).toEqual(['2\texited\tshell\n', 'little\n']);
  });

  it('that the end of the server cut off say so, with what they had put out before an orderly end', async () => {
    await started('echo begun; exec sleep 63.7');
    await until('it has begun', async () => (await read('proc/1/out')) === 'begun\n');
    await restart('SIGTERM');
    await until('its end was told', async () => (await read('chat')).includes('exit="lost"'));
    expect(await read('proc/1/out')).toBe('begun\n');
    expect(await read('proc/1/stat')).toMatch(/^id=1\nstate=exited\n/);
    expect(processesWith('sleep 63.7')).toEqual([]);
    const second = await started('echo again; exec sleep 63.8');
    await restart('SIGKILL');
    await until('its end was told', async () => (await read('chat')).split('exit="lost"').length === 3);
    expect(await read(`proc/${String(second)}/out`)).toBe('the server was restarted, and the process ended with it\n');
  });
});

function killToolsrv(ollie: Ollie): void {
  for (const { pid, command } of processesWith(ollie.folder)) if (command.includes('toolsrv.mjs')) process.kill(pid, 'SIGKILL');
}
