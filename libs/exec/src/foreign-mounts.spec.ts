import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errnoOf, Paths, silentLog } from '#config';
import { findHelper, parsePolicy } from '#sandbox';
import { CallDirectories } from './call-directories.js';
import { until } from './describe-launcher.js';
import { denialHints } from './denial-hint.js';
import { ForeignMounts } from './foreign-mounts.js';
import { Policies } from './policies.js';

function mayMount(): boolean {
  try {
    accessSync('/dev/fuse', constants.R_OK | constants.W_OK);
    return process.getuid?.() === 0;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}

(mayMount() ? describe : describe.skip)('a mount whose server is silent', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ollie-silent-')));
  const dead = join(root, 'dead place');
  const helper = findHelper() ?? '';
  let server: ReturnType<typeof spawn>;
  beforeAll(async () => {
    for (const name of ['dead place', 'work', 'config']) mkdirSync(join(root, name));
    symlinkSync('../dead place', join(root, 'work/link'));
    server = spawn(helper, ['mount', dead], { env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
    await until(() => readFileSync('/proc/self/mountinfo', 'utf8').includes(dead.replace(' ', '\\040')));
  });
  afterAll(() => {
    server.kill();
    spawnSync(helper, ['umount', dead]);
    rmSync(root, { recursive: true });
  });
  const grant = (path: string) => ({ path, access: 'ro', origin: '' }) as const;

  it('is met on the way to what lies in it, by links as well, and not beside it', () => {
    const mounts = ForeignMounts.beside([grant(join(root, 'work'))]);
    const met = ['dead place', 'dead place/x', 'work/link', 'work/link/x', 'work/../dead place'].map((name) =>
      mounts.isOnTheWayTo(join(root, name)),
    );
    expect(met).toEqual([true, true, true, true, true]);
    expect(['work', 'work/x', 'dead place else', 'nothing'].map((name) => mounts.isOnTheWayTo(join(root, name)))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('counts as any other where the policy needs it', () => {
    expect(ForeignMounts.beside([grant(join(dead, 'granted'))]).isOnTheWayTo(join(dead, 'x'))).toBe(false);
  });

  it('holds up the calls alone whose policy names something in it, and those no longer than 5 s', async () => {
    const env = { HOME: root, OLLIE_CFG_PATH: join(root, 'config') };
    const policies = new Policies({ paths: Paths.from(env), env, node: process.execPath }, silentLog);
    const reachable = (name: string, signal = new AbortController().signal): Promise<void> =>
      policies.whenReachable({ cwd: join(root, 'work'), tmp: join(root, 'tmp'), name }, signal);
    mkdirSync(join(root, 'config/sandbox'));
    writeFileSync(join(root, 'config/sandbox.yaml'), "filesystem: { rwx: ['{CWD}'] }\n");
    writeFileSync(join(root, 'config/sandbox/led.yaml'), "filesystem: { ro: ['{CWD}/link/x'] }\n");
    await reachable('default');
    const cancelled = new AbortController();
    const given = reachable('led', cancelled.signal);
    const refused = reachable('led');
    cancelled.abort(new Error('given up'));
    await expect(given).rejects.toThrow('given up');
    await expect(refused).rejects.toThrow(`execution failed: ${dead} does not answer, and the policy names ${root}/work/link/x`);
  }, 15_000);

  it('refuses a call in it after 5 s, cancels one that is given up, and leaves nothing behind that waits', async () => {
    const directories = new CallDirectories();
    const cancelled = new AbortController();
    const given = directories.require(dead, cancelled.signal);
    const refused = directories.require(join(root, 'work/link'), new AbortController().signal);
    await directories.require(join(root, 'work'), new AbortController().signal);
    cancelled.abort(new Error('given up'));
    await expect(given).rejects.toThrow('given up');
    await expect(refused).rejects.toThrow(`execution failed: ${dead} does not answer, and the call is to run in ${root}/work/link`);
    // A thread that waits there would keep this process from its end: all four are free.
    await Promise.all(Array.from({ length: 4 }, () => readFile(import.meta.filename)));
  }, 15_000);

  it('does not hold who looks for a hint', () => {
    const policy = parsePolicy(`filesystem: { rwx: ['${root}/work'] }\n`, 'p', { HOME: root, OLLIE_CFG_PATH: join(root, 'config') });
    const output = `cat: '${dead}/x': Permission denied\ncat: link/x: No such file or directory\ncat: /root/x: Permission denied\n`;
    const hints = denialHints({ output, cwd: join(root, 'work'), isCell: true }, policy);
    expect(hints.join('\n')).not.toContain('dead');
  });
});
