import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { toolEnvironment } from '#sandbox';
import { reachingWorld } from './reaching-world.js';
import { identities } from './world.js';

const planted = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'GEMINI_API_KEY',
  'OPENROUTER_API_KEY',
  'GITHUB_TOKEN',
  'NPM_TOKEN',
  'AWS_SECRET_ACCESS_KEY',
  'DATABASE_PASSWORD',
  'SSH_AUTH_SOCK',
  'OLLIE_SECRET',
];

describe.each(identities)('the walls around a tool that runs as %s', (_name, uid) => {
  const at = reachingWorld(uid);

  const tries = async (way: string, argument = '', policy = at.world.policy): Promise<string> =>
    (await at.world.run([at.reach, way, argument], { policy })).text.trim();

  it('keeps planted keys out of the environment', async () => {
    const environment = { ...process.env, ...Object.fromEntries(planted.map((name) => [name, 'PLANTED'])) };
    const { text } = await at.world.run(['env'], { env: toolEnvironment(at.world.policy, environment) });
    expect(text).toContain('PATH=');
    expect(text).not.toContain('PLANTED');
    for (const name of planted) expect(text).not.toContain(`${name}=`);
  });

  it.each([['/etc/ollie-wall'], ['/usr/ollie-wall'], ['/ollie-wall'], ['/tmp/ollie-wall'], ['/var/tmp/ollie-wall']])(
    'refuses to create %s',
    async (path) => {
      expect(await tries('write', path)).toBe('EACCES');
    },
  );

  it('refuses private keys and the other files of the home directory', async () => {
    const { text } = await at.world.run(['sh', '-c', 'cat ~/.ssh/id_*; ls ~; cat ~/.gitconfig']);
    expect(text).toMatch(/\.ssh\/id_.*Permission denied|\.ssh\/id_\*.*No such file/);
    expect(text).not.toContain('PRIVATE');
    expect(text).not.toMatch(/^work$/m);
    expect(text).toContain('name = Test');
  });

  it('refuses to write what it may only read or run', async () => {
    expect(await tries('write', join(at.world.home, '.gitconfig'))).toBe('EACCES');
    expect(await tries('write', '/usr/bin/env')).toBe('EACCES');
  });

  it('refuses environment, memory and files of the server that started it', async () => {
    for (const file of ['environ', 'maps', 'mem']) expect(await tries('read', `/proc/${process.pid}/${file}`)).toBe('EACCES');
    expect(await tries('kill', String(process.pid))).toBe('EPERM');
    expect(await tries('ptrace', String(process.pid))).toBe('EPERM');
  });

  it('may change its own limits, and those of no other process, its helper included', async () => {
    expect(await tries('limit-self')).toBe('reached');
    expect(await tries('limit-parent')).toBe('EPERM');
    expect(await tries('limit', String(process.pid))).toBe('EPERM');
  });

  it.each([
    ['reopen', 'EACCES'],
    ['soft-link', 'EACCES'],
    ['hard-link', 'EXDEV'],
    ['detached', 'EACCES'],
  ])('reaches no private file by way of %s', async (way, answer) => {
    expect(await tries(way, join(at.world.home, '.ssh/id_ed25519'))).toBe(answer);
  });

  it('may ask a granted device what it is', async () => {
    expect(await tries('device', '/dev/null')).toBe('Inappropriate ioctl for device');
  });

  it('moves nothing out of a closed directory, and mounts nothing', async () => {
    expect(await tries('exchange', join(at.world.home, '.ssh'))).toBe('EACCES');
    expect(await tries('mount', at.world.tmp)).toBe('EPERM');
  });

  it('makes no program that runs as its owner, nor, for root, as a group', async () => {
    expect(await tries('special', '4000')).toBe('EPERM');
    expect(await tries('special', '2000')).toBe(uid === 0 ? 'EPERM' : 'reached');
    expect((await at.world.run([at.reach, 'special', '4000'], { policy: undefined })).text).toBe('reached\n');
    expect(await tries('group-directory')).toBe(uid === 0 ? 'EPERM' : 'reached');
  });

  it('starts no dump program of the system when it crashes', async () => {
    const { text } = await at.world.run(['sh', '-c', 'grep "Max core file size" /proc/self/limits']);
    expect(text).toMatch(/size +1 +1 /);
  });

  it('is killed when it enters the kernel through the 32-bit door, where there is one', async () => {
    const open = (await at.world.run([at.reach, 'old-entry'], { policy: undefined })).text === 'reached\n';
    const { text, last } = await at.world.run([at.reach, 'old-entry']);
    expect(text).not.toContain('reached');
    expect(last).toMatchObject(open ? { type: 'signal', signal: 31 } : {});
  });

  it('keeps only the capabilities that file work needs, for good', async () => {
    const { text } = await at.world.run(['cat', '/proc/self/status']);
    const value = (name: string): string => text.match(new RegExp(`^${name}:\\s+(\\S+)`, 'm'))?.[1] ?? 'missing';
    const kept = uid === 0 ? 0x4fbn : 0n;
    // Only root may shrink the bounding set; for others no_new_privs keeps it out of reach.
    const sets = ['CapPrm', 'CapEff', ...(uid === 0 ? ['CapBnd'] : [])];
    for (const set of sets) expect(BigInt(`0x${value(set)}`) & ~kept).toBe(0n);
    expect([value('CapInh'), value('CapAmb')].map((set) => BigInt(`0x${set}`))).toEqual([0n, 0n]);
    expect([value('NoNewPrivs'), value('Seccomp')]).toEqual(['1', '2']);
  });

  it('leaves no descriptor open but the three standard ones', async () => {
    const extra = openSync('/etc/passwd', 'r');
    const script = 'for n in 0 1 2 3 4 5 6 7 8 9; do test -e /proc/$$/fd/$n && echo $n; done';
    const { text } = await at.world.run(['sh', '-c', script], {}, { extra });
    closeSync(extra);
    expect(text).toBe('0\n1\n2\n');
  });

  it.each([
    ['vsock', 'EACCES'],
    ['packet', 'EACCES'],
    ['alg', 'EACCES'],
    ['io_uring', 'ENOSYS'],
    ['tiocsti', 'EPERM'],
    ['keys', 'EPERM'],
    ['trace-me', 'EPERM'],
    ['chroot', 'EPERM'],
    ['netlink', 'reached'],
    ['pair', 'reached'],
  ])('answers %s with %s', async (way, answer) => {
    expect(await tries(way)).toBe(answer);
  });

  it('reaches no socket of another program, not even in its own directory', async () => {
    const path = join(at.world.cwd, 'door');
    const server = createServer().listen(path);
    await once(server, 'listening');
    expect(await tries('unix', path)).toBe('EACCES');
    expect(await tries('pair-datagram', path)).toBe('EACCES');
    server.close();
  });

  describe('with a listener on this machine', () => {
    const server = createServer((socket) => socket.destroy());
    const datagrams = createSocket('udp4');
    let ports: { readonly tcp: string; readonly udp: string };
    beforeAll(async () => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      datagrams.bind(0, '127.0.0.1');
      await once(datagrams, 'listening');
      const address = server.address();
      ports = { tcp: String(typeof address === 'object' ? address?.port : ''), udp: String(datagrams.address().port) };
    });
    afterAll(() => {
      server.close();
      datagrams.close();
    });

    it.each(['tcp', 'mptcp', 'fastopen', 'udp'] as const)('network off: %s fails; network on: it arrives', async (way) => {
      const port = way === 'udp' ? ports.udp : ports.tcp;
      expect(await tries(way, port, at.world.offline())).toBe('EACCES');
      expect(await tries(way, port)).toBe('reached');
    });

    it('network off: nothing can listen', async () => {
      expect(await tries('listen', '0', at.world.offline())).toBe('EACCES');
      expect(await tries('listen', '0')).toBe('reached');
    });
  });

  it('says what is not enforced', async () => {
    const { reports } = await at.world.run(['true']);
    expect(reports[0]).toMatchObject({ type: 'started', sandbox: 'partial', missing: expect.arrayContaining(['cells']) });
  });

  it('without a policy enforces nothing and says so', async () => {
    const { text, reports } = await at.world.run(['sh', '-c', 'cat ~/.ssh/id_*'], { policy: undefined });
    expect(text).toBe('PRIVATE');
    expect(reports[0]).toMatchObject({ sandbox: 'none', missing: [] });
  });
});
