import { Paths } from '#config';
import { loadPolicy, type SandboxPolicy } from '#sandbox';
import { describeModes } from './modes.js';
import { reachingWorld } from './reaching-world.js';
import { identities } from './world.js';

const SETTINGS = ['/proc/sys/kernel/core_pattern', '/sys/kernel/mm/transparent_hugepage/khugepaged/defrag'];

describe.each(identities)('the settings of the kernel, for a tool that runs as %s', (_name, uid) => {
  const at = reachingWorld(uid);

  const granting = (rw: string): SandboxPolicy => {
    const file = at.world.write('policy.yaml', `filesystem: { rox: [/usr, /bin, /lib, /lib64], rw: ${rw}, rwx: ['{CWD}'] }\n`);
    return loadPolicy(Paths.from({ HOME: at.world.home }), { CWD: at.world.cwd, TMPDIR: at.world.tmp }, { type: 'file', file });
  };

  describeModes('stay as they are', ({ cell }) => {
    it.each(['[/]', '[/proc, /sys]'])('under a policy that lets write in %s', async (rw) => {
      const change = { policy: granting(rw), cell };
      const lines = SETTINGS.map((path, id) => `${id} write-back ${path}`);
      const { text } = await at.world.run([at.reach, '-', ...lines], change);
      expect(text).toMatch(/^0\tstopped\t.*\n1\tstopped\t.*\n$/);
      expect((await at.world.run(['cat', '/proc/sys/kernel/ostype'], change)).text).toBe('Linux\n');
    });
  });
});
