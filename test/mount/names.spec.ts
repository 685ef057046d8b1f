import { join } from 'node:path';
import { ServedDir, ServedFile } from '#testkit';
import { Ollie } from '../e2e/ollie.js';
import { describeMount } from './describe-mount.js';
import { MountBench } from './mount-bench.js';

jest.setTimeout(60_000);

describeMount('names on a mount', () => {
  it('are asked for once where they are fixed, and each time where they may change', async () => {
    const root = new ServedDir('/', 1);
    Object.assign(root.add(new ServedFile('fixed', 2, 0o444)), { isFixed: true });
    root.add(new ServedFile('loose', 3, 0o444));
    const walks = jest.spyOn(root, 'walk');
    const bench = await MountBench.start(root, 'in process');
    await bench.sh('for i in 1 2 3 4; do cat fixed loose; done');
    const asked = (name: string): number => walks.mock.calls.filter(([walked]) => walked === name).length;
    expect(asked('fixed')).toBe(1);
    expect(asked('loose')).toBeGreaterThanOrEqual(4);
    await bench.close();
  });

  describe('of olliesrv', () => {
    const ollie = new Ollie();
    const directory = join(ollie.folder, 'mnt');

    beforeAll(() => ollie.start({ args: ['--mount', directory] }));
    afterAll(() => ollie.destroy());

    it('stand for what is there now, also below a directory that went and came again', async () => {
      const script = `cd ${directory}
        echo name=s > session/new; first=$(cat session/s/id); cat session/s/name
        cd session/s; rmdir ../s; cat name 2>&1 | sed s/.*:// ; cd ../..; ls session | grep -c '^s$'; cat session/s/id 2>&1 | sed s/.*://
        echo name=s > session/new; second=$(cat session/s/id); [ "$first" != "$second" ] && echo another; cat session/s/name`;
      const { stdout } = await ollie.sh(script);
      const [, inside, ...rest] = stdout.split('\n');
      expect(stdout.split('\n')[0]).toBe('s');
      expect(inside).toMatch(/^s$| No such file or directory$| Stale file handle$/);
      expect(rest).toEqual(['0', ' No such file or directory', 'another', 's', '']);
    });

    it('are given by mv, and open files and working directories stay what they are', async () => {
      const script = `cd ${directory}; for n in before taken; do echo name=$n > session/new; done
        cd session/before; exec 3< id; id=$(cat id); mv ../before ../after; echo $?
        cat name; [ "$(cat <&3)" = "$id" ] && echo same; cd ../..; ls session | grep -c before; [ "$(cat session/after/id)" = "$id" ] && echo kept
        mv -T session/after session/taken 2>&1 | sed 's/.*: //'; mv -T session/after session/.bad 2>&1 | sed 's/.*: //'
        echo by-file > session/after/name; cat session/by-file/name; echo taken > session/by-file/name; cat session/by-file/name
        echo name=a > session/by-file/agent/new; mv session/by-file/agent/a session/by-file/agent/b; ls session/by-file/agent; cat session/by-file/agent/b/name
        mv session/by-file/agent session/by-file/other 2>&1 | sed 's/.*: //'`;
      const { stdout } = await ollie.sh(script);
      expect(stdout.split('\n')).toEqual([
        '0',
        'after',
        'same',
        '0',
        'kept',
        'File exists',
        expect.stringContaining('to a subdirectory of itself'), // as mv words EINVAL
        'by-file',
        'by-file',
        'b',
        'idx',
        'new',
        'b',
        'Permission denied',
        '',
      ]);
    });
  });
});
