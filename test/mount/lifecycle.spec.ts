import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ollie, processesWith, until } from '../e2e/ollie.js';
import { describeWith } from '../support/programs.js';
import { root } from '../support/run.js';
import { describeMount, isMounted, signalIfThere } from './describe-mount.js';

jest.setTimeout(180_000);

/** What the shell examples and the everyday programs do, as on every other kind of mount. */
async function checks(ollie: Ollie, directory: string): Promise<string> {
  const { stdout } = await ollie.sh(`LIMIT=120 setsid bash ${root}/test/guest/checks.sh ${directory}`);
  expect(stdout.split('\n').filter((line) => line.startsWith('ok '))).not.toHaveLength(0);
  return stdout
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('ok '))
    .join('\n');
}

describeMount('a mount of olliesrv', () => {
  let ollie: Ollie;
  let own: string;
  let other: string;

  beforeEach(() => {
    ollie = new Ollie();
    own = join(ollie.folder, 'own');
    other = join(ollie.folder, 'home/mnt/ollie');
  });
  afterEach(async () => {
    await ollie.destroy();
    if ([own, other].some(isMounted)) throw new Error('a mount was left behind');
  });

  it('does all that a shell user does, by --mount', async () => {
    await ollie.start({ args: ['--mount', own] });
    expect(await checks(ollie, own)).toBe('');
    expect(await ollie.end()).toBe(0);
    expect(isMounted(own)).toBe(false);
  });

  it('does all that a shell user does, by o mount', async () => {
    await ollie.start();
    expect(await ollie.sh('o mount')).toMatchObject({ code: 0, stdout: expect.stringContaining(`on ${other} with pid`) as string });
    expect(await checks(ollie, other)).toBe('');
    expect(await ollie.sh('o mount')).toMatchObject({ code: 1, stderr: expect.stringContaining('is mounted already') as string });
    expect(await ollie.sh('o umount')).toMatchObject({ code: 0 });
    expect(await ollie.sh('o umount')).toMatchObject({ code: 1, stderr: `o: ${other} is no mount of ollie\n` });
  });

  it('tells sessions where it is', async () => {
    await ollie.start({ args: ['--mount', own] });
    expect(await ollie.sh(`echo name=s >${own}/session/new; grep '^OLLIE=' ${own}/session/s/env`)).toMatchObject({
      stdout: `OLLIE=${own}\n`,
    });
  });

  it('goes when its server is killed, and comes again on the same directory', async () => {
    await ollie.start({ args: ['--mount', own] });
    expect(await ollie.sh('o mount')).toMatchObject({ code: 0 });
    await ollie.end('SIGKILL');
    await until('both mounts are gone', () => !isMounted(own) && !isMounted(other));
    await ollie.start({ args: ['--mount', own] });
    expect(await ollie.sh(`o mount && cat ${own}/backends ${other}/backends`)).toMatchObject({
      stdout: expect.stringContaining('scripted\nscripted\n') as string,
    });
    expect(await ollie.sh('o umount')).toMatchObject({ code: 0 });
  });

  it('replaces a dead mount, whose helper was killed as well', async () => {
    await ollie.start();
    expect(await ollie.sh('o mount')).toMatchObject({ code: 0 });
    const victims = [...processesWith(`mount ${other}`), ...processesWith('o.cjs mount')].filter(
      ({ pid }) =>
        readFileSync(`/proc/${pid}/environ`, 'utf8').includes(ollie.folder) || processesWith(other).some((seen) => seen.pid === pid),
    );
    for (const signal of ['SIGSTOP', 'SIGKILL'] as const) for (const { pid } of victims) signalIfThere(pid, signal); // at once: none is to tidy up after another
    await until('it is dead', async () => (await ollie.sh(`ls ${other}`)).stderr.includes('Transport endpoint is not connected'));
    expect(await ollie.sh(`o mount && ls ${other} | head -1`)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('agents\n') as string,
    });
    expect(await ollie.sh('o umount')).toMatchObject({ code: 0 });
  });

  it('ends a mount in the foreground in order, at a signal and with its server', async () => {
    await ollie.start();
    const script = (end: string) => `o mount -f & until [ -e ${other}/ctl ]; do sleep 0.05; done; ${end}; wait $!; echo "rc $?"`;
    expect((await ollie.sh(script('kill -TERM $!'))).stdout).toContain('rc 0');
    expect(isMounted(other)).toBe(false);
    const lost = await ollie.sh(script('echo kill | ollie-9p write ctl'));
    expect(lost).toMatchObject({
      stdout: expect.stringContaining('rc 1') as string,
      stderr: expect.stringContaining('the server has gone') as string,
    });
    await ollie.end();
  });

  it('fails in one sentence where nothing can be mounted', async () => {
    writeFileSync(own, '');
    expect(await ollie.olliesrv('serve', '--mount', own)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^olliesrv: .* is not a directory\n$/m) as string,
    });
    expect(await ollie.sh('o mount')).toMatchObject({ code: 1, stderr: expect.stringContaining('no server at') as string });
    expect(await ollie.sh('o mount a b')).toMatchObject({ code: 2 });
  });
});

/** A user has a device of its own, open to users as most systems have it or not, which nobody else sees. */
describeMount('for an ordinary user', () => {
  let ollie: Ollie;

  beforeEach(() => {
    ollie = new Ollie();
    mkdirSync(join(ollie.folder, 'dev'));
    execFileSync('chown', ['-R', '65534:65534', ollie.folder]);
    chmodSync(ollie.folder, 0o755);
  });
  afterEach(() => ollie.destroy());

  function asUser(command: string, mode: string) {
    const script = `mount -t tmpfs none "$0" && mknod -m ${mode} "$0/fuse" c 10 229 && mount --bind "$0/fuse" /dev/fuse && umount -l "$0" && exec "$@"`;
    return ollie.sh(`unshare -m sh -c '${script}' ${ollie.folder}/dev setpriv --reuid=65534 --regid=65534 --clear-groups ${command}`);
  }

  it('says what forbids it', async () => {
    const refused = await asUser(`olliesrv serve --mount ${ollie.folder}/home/own`, '600');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('/dev/fuse may not be opened by this user') as string });
  });

  describeWith('fusermount3')('with fusermount3', () => {
    it('is refused in its words where the directory belongs to another user', async () => {
      const place = join(ollie.folder, 'root');
      mkdirSync(place);
      const { code, stdout, stderr } = await asUser(
        `sh -c 'olliesrv serve --mount ${place}; code=$?; grep ${place} /proc/self/mountinfo; exit $code'`,
        '666',
      );
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/fusermount3: .*\n.*fusermount3 could not mount/) as string,
      });
    });

    it('mounts and unmounts', async () => {
      mkdirSync(join(ollie.folder, 'home/own'));
      execFileSync('chown', ['65534:65534', join(ollie.folder, 'home/own')]);
      const { stdout } = await asUser(
        `sh -c 'cd ~; olliesrv serve --mount ~/own >said 2>&1 & until grep -q listening said; do sleep 0.1; done; cat own/backends; o mount && ls ~/mnt/ollie | head -1; cd ~/mnt/ollie; o umount && echo away; cd ~; kill $!; wait $!; ls own'`,
        '666',
      );
      expect(stdout).toMatch(/^scripted\no: mounted .*\nagents\naway\n$/);
    });
  });
});
