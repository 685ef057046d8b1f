import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ollie, processesWith, until } from './ollie.js';

jest.setTimeout(90_000);

describe('the directory of a session', () => {
  let ollie: Ollie;
  let parent: string;
  beforeEach(async () => {
    ollie = new Ollie();
    parent = join(ollie.folder, 'tmp/ollie');
    await ollie.start();
  });
  afterEach(() => ollie.destroy());

  /** A session of that name in which a command runs to its end; gives its directory. */
  async function work(session: string): Promise<string> {
    const { stdout } = await ollie.sh(`
      echo name=${session} | ollie-9p write session/new
      echo name=a | ollie-9p write session/${session}/agent/new
      echo 'run echo worked' | ollie-9p write session/${session}/agent/a/prompt
      ollie-9p read session/${session}/agent/a/chat | grep -qx worked && ollie-9p read session/${session}/id
    `);
    return join(parent, stdout.trim());
  }

  function toolsrvs(): readonly number[] {
    return processesWith('toolsrv.mjs')
      .filter(({ command }) => command.includes(ollie.folder))
      .map(({ pid }) => pid);
  }

  it('is there while it works, and gone once it is killed; others stay', async () => {
    const one = await work('one');
    expect(readdirSync(one)).toEqual(toolsrvs().map((pid) => `toolsrv.${String(pid)}`));
    const two = await work('two');
    await ollie.sh('echo kill | ollie-9p write session/one/ctl');
    await until('it is gone', () => !existsSync(one), 10_000);
    expect(existsSync(two)).toBe(true);
    expect(await ollie.end('SIGTERM')).toBe(0);
    expect(readdirSync(parent)).toEqual([]);
  });

  it('that a killed tool server has left goes with the next session’s first call', async () => {
    const one = await work('one');
    for (const pid of toolsrvs()) process.kill(pid, 'SIGKILL');
    await until('the server has gone', () => toolsrvs().length === 0);
    expect(existsSync(one)).toBe(true);
    await work('two');
    await until('it is gone', () => !existsSync(one), 10_000);
  });
});
