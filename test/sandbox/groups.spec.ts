import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '#config';

const NONE = 'none\n';

/** It may still wait for its new parent to notice. */
function hasEnded(pid: number): boolean {
  return !existsSync(`/proc/${pid}`) || /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

describe('groups of processes that end at once', () => {
  const folder = mkdtempSync('/tmp/ollie-groups-');
  const program = join(folder, 'groups');
  beforeAll(() => {
    chmodSync(folder, 0o755);
    const sources = ['test/sandbox/fixtures/groups.c', 'native/cgroup.c'].map((file) => join(packageRoot(), file));
    const { status, stderr } = spawnSync('cc', ['-O1', '-o', program, ...sources], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = (what: string): string => spawnSync(program, [what], { encoding: 'utf8' }).stdout;

  it('end with all that has left its session', () => {
    expect([NONE, '5 1 0\n']).toContain(run('end'));
  });

  it('serve one run each: what starts after an end lives', () => {
    expect([NONE, 'alive 9\n'.repeat(3)]).toContain(run('again'));
  });

  it('of a server that was killed are ended by the next one, and removed', () => {
    const left = Number.parseInt(run('leave'), 10);
    const after = run('end');
    expect([NONE, '5 1 0\n']).toContain(after);
    expect(after === NONE || hasEnded(left)).toBe(true);
  });

  it('of a server that lives are left alone by others', () => {
    expect([NONE, '5 1 0\nalive\n']).toContain(run('beside'));
  });

  it('of others are left alone, whatever their names', () => {
    expect([NONE, '5 1 0\nalive\n']).toContain(run('foreign'));
  });

  it('are none, without an error, where nothing is delegated', () => {
    const { stdout, stderr, status } = spawnSync(program, ['end'], { encoding: 'utf8', uid: 65534, gid: 65534 });
    expect([stdout, stderr, status]).toEqual([NONE, '', 0]);
    const inside = 'mkdir -p "$0/m" && mount --bind "$0/m" /proc && exec "$1" end';
    const isRoot = process.getuid?.() === 0;
    const said = isRoot ? execFileSync('unshare', ['-m', 'sh', '-c', inside, folder, program], { encoding: 'utf8' }) : NONE;
    expect(said).toBe(NONE);
  });
});
