import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '#config';
import { openMode } from '#ninep';
import { Ollie, until } from './ollie.js';

jest.setTimeout(90_000);

const AGENT = 'session/s/agent/a';

/** Mounting a small file system takes root. */
(process.getuid?.() === 0 ? describe : describe.skip)('on a full disk', () => {
  let ollie: Ollie;
  let data: string;
  beforeEach(async () => {
    ollie = new Ollie();
    data = join(ollie.folder, 'home/.local/share/ollie');
    await mkdir(data, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k,mode=0700', 'tmpfs', data]);
    await ollie.start();
    await ollie.sh('echo name=s | ollie-9p write session/new; echo name=a | ollie-9p write session/s/agent/new');
  });
  afterEach(async () => {
    await ollie.end();
    execFileSync('umount', ['-l', data]);
    await ollie.destroy();
  });

  const prompt = (text: string) => ollie.dialed((client) => client.writeAll(`${AGENT}/prompt`, text));
  const feed = (text: string) => ollie.dialed((client) => client.writeAll(`${AGENT}/feed`, text));
  const chat = async () => (await ollie.sh(`ollie-9p read ${AGENT}/log`)).stdout;
  const plan = (text: string) =>
    ollie.dialed(async (client) => (await client.open(`${AGENT}/plan`, openMode.write)).write(0, Buffer.from(text)));

  function fill(): void {
    try {
      for (let part = 0; ; part += 1) writeFileSync(join(data, `fill${String(part)}`), Buffer.alloc(4096));
    } catch (error) {
      if (errnoOf(error) !== 'ENOSPC') throw error;
    }
  }

  it('each write that cannot be kept is refused with the reason, and nothing of it is there', async () => {
    await prompt('run echo one');
    await until('the turn has ended', async () => (await chat()).includes('[scripted] done'));
    await plan('kept');
    await feed('kept');
    fill();
    const long = 'x'.repeat(10_000);
    await expect(prompt(`run echo two ${long}`)).rejects.toThrow(/^i\/o error: .*ENOSPC/);
    await expect(feed(long)).rejects.toThrow(/^i\/o error: .*ENOSPC/);
    await expect(plan(long)).rejects.toThrow(/^i\/o error: .*ENOSPC/);
    await expect(ollie.dialed((client) => client.ask('session/new', 'name=t\n'))).rejects.toThrow(/^i\/o error: .*ENOSPC/);
    await expect(ollie.dialed((client) => client.ask('session/s/agent/new', 'name=b\n'))).rejects.toThrow(/^i\/o error: .*ENOSPC/);
    await expect(ollie.dialed((client) => client.writeAll('session/s/name', 'p2'))).rejects.toThrow(/^i\/o error: .*ENOSPC/);
    await ollie.sh(`rm ${data}/fill*`);
    await prompt('run echo three');
    await until('the turn has ended', async () => (await chat()).includes('three\n[scripted]') || (await chat()).endsWith('three\n'));
    await ollie.end('SIGKILL');
    await ollie.start();
    expect((await ollie.sh('ollie-9p read session/idx; ollie-9p read session/s/agent/idx')).stdout).toMatch(/^s\t.*\na\t.*\n$/);
    expect((await ollie.sh(`ollie-9p read ${AGENT}/plan`)).stdout).toBe('kept');
    expect((await ollie.sh(`ollie-9p read ${AGENT}/feed`)).stdout).toBe('kept');
    const said = await chat();
    expect(said).not.toContain('two');
    expect(said.match(/^user: .*$/gm)).toEqual(['user: run echo one', 'user: run echo three']);
  });
});
