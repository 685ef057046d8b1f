import { Ollie, until } from './ollie.js';

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
});
