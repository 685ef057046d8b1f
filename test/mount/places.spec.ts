import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ollie } from '../e2e/ollie.js';
import { describeMount, isMounted } from './describe-mount.js';
import { HELPER } from './mount-bench.js';

jest.setTimeout(120_000);

describeMount('where a mount may be', () => {
  let ollie: Ollie;
  let real: string;
  let link: string;

  beforeEach(async () => {
    ollie = new Ollie();
    [real, link] = [join(ollie.folder, 'real'), join(ollie.folder, 'link')];
    mkdirSync(real);
    symlinkSync(real, link);
    await ollie.start();
  });
  afterEach(async () => {
    await ollie.destroy();
    if (isMounted(real)) throw new Error('a mount was left behind');
  });

  it('is the directory behind a link, which both names take away', async () => {
    for (const [one, other] of [
      [link, real],
      [real, link],
    ]) {
      expect(await ollie.sh(`o mount ${one} && head -1 ${other}/backends`)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(`on ${real} with pid`) as string,
      });
      expect(await ollie.sh(`o mount ${other}`)).toMatchObject({
        code: 1,
        stderr: `o: ${real} is mounted already; to take that away: o umount ${real}\n`,
      });
      expect(await ollie.sh(`o umount ${other}`)).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(isMounted(real)).toBe(false);
    }
  });

  it('is free again when the server that mounted it by a link has ended', async () => {
    await ollie.end();
    await ollie.start({ args: ['--mount', link] });
    expect(await ollie.sh(`head -1 ${link}/backends`)).toMatchObject({ stdout: 'scripted\n' });
    await ollie.end();
    expect([isMounted(real), readdirSync(link)]).toEqual([false, []]);
  });

  /** Starts a process that stands in the mount with a file open, and gives its number. */
  async function holder(): Promise<number> {
    const { stdout } = await ollie.sh(
      `(cd ${real} && exec 3<session/idx && exec sleep 60) >/dev/null 2>&1 & until [ -e /proc/$!/fd/3 ]; do sleep 0.05; done; echo $!`,
    );
    return Number(stdout);
  }

  it('belongs to who mounts and lends no rights, and goes at once also while it is in use', async () => {
    const { stdout } = await ollie.sh(`o mount ${real} >/dev/null && grep ' ${real} ' /proc/self/mountinfo`);
    expect(stdout).toMatch(/ rw,nosuid,nodev,relatime .*- fuse\.ollie ollie rw,user_id=0,group_id=0\n$/);
    const first = await holder();
    expect(await ollie.sh(`o umount ${real}; ls ${real}`)).toEqual({ code: 0, stdout: '', stderr: '' });
    process.kill(first);
    await ollie.end();
    await ollie.start({ args: ['--mount', real] });
    const second = await holder();
    expect(await ollie.end()).toBe(0);
    expect([isMounted(real), readdirSync(real)]).toEqual([false, []]);
    process.kill(second);
    expect(ollie.stderr).not.toContain('cannot unmount');
  });

  it('is made where it is missing, and by umount nowhere', async () => {
    const deep = join(ollie.folder, 'new/directory');
    expect(await ollie.sh(`o umount ${deep}`)).toEqual({ code: 1, stdout: '', stderr: `o: ${deep} is no mount of ollie\n` });
    expect(existsSync(join(ollie.folder, 'new'))).toBe(false);
    expect(await ollie.sh(`o mount ${deep} && o umount ${deep} && stat -c %a ${deep} ${ollie.folder}/new`)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\n700\n700\n$/) as string,
    });
  });

  it('is told by the helper in one sentence when it cannot be taken away', async () => {
    expect(await ollie.sh(`${HELPER} umount ${real}`)).toEqual({ code: 1, stdout: '', stderr: 'cannot unmount: Invalid argument\n' });
    expect(await ollie.sh(`${HELPER} umount ${link}`)).toEqual({ code: 1, stdout: '', stderr: 'cannot unmount: Invalid argument\n' });
    // Taken away behind the back of the helper that mounted: nothing is left to be done, and nothing to be said.
    await ollie.end();
    await ollie.start({ args: ['--mount', real] });
    expect(await ollie.sh(`${HELPER} umount ${link}`)).toMatchObject({ code: 1, stderr: 'cannot unmount: Invalid argument\n' });
    expect(isMounted(real)).toBe(true);
    expect(await ollie.sh(`${HELPER} umount ${real}; ls ${real}`)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await ollie.end()).toBe(0);
    expect(ollie.stderr).not.toContain('cannot');
  });

  it('is nothing else for umount: not a plain directory, nor what others have mounted', async () => {
    writeFileSync(join(ollie.folder, 'file'), '');
    for (const place of [real, link, '/proc', join(ollie.folder, 'file')]) {
      expect(await ollie.sh(`o umount ${place}`)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('is no mount of ollie\n') as string,
      });
    }
    expect(existsSync('/proc/self/stat')).toBe(true);
    await ollie.sh(`mount -t tmpfs none ${real} && touch ${real}/kept`);
    try {
      expect(await ollie.sh(`o umount ${real}; ls ${real}`)).toMatchObject({
        stdout: 'kept\n',
        stderr: `o: ${real} is no mount of ollie\n`,
      });
      // What covers a mount of ours is not ours either; what it covers is ours again.
      expect(await ollie.sh(`umount ${real}; o mount ${real} >/dev/null; mount -t tmpfs none ${real}; o umount ${real}`)).toMatchObject({
        code: 1,
        stderr: `o: ${real} is no mount of ollie\n`,
      });
    } finally {
      await ollie.sh(`umount ${real}`);
    }
    expect(await ollie.sh(`o umount ${real}`)).toMatchObject({ code: 0 });
  });
});
