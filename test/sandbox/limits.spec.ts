import { identities, World } from './world.js';

const [, uid] = identities.at(-1) ?? ['', 0];

/** What a shell does before it becomes the helper, the cell asked for, and what the report says. */
const LIMITS: readonly (readonly [string, string, boolean, string, string])[] = [
  [
    'open files, for pipes',
    'exec prlimit --nofile=7',
    false,
    'pipe',
    'the limit of open files, 7, is too low (ulimit -n): it must be 128 at least',
  ],
  [
    'open files, for a cell',
    'exec prlimit --nofile=60',
    true,
    'cell',
    '/proc: the limit of open files, 60, is too low (ulimit -n): it must be 128 at least',
  ],
  [
    'processes',
    'exec prlimit --nproc=1',
    false,
    'fork',
    'no more processes can be made: the limit of the user (ulimit -u), of the cgroup (pids.max) or of the system is reached',
  ],
  [
    'namespaces',
    'exec unshare --user --map-root-user sh -c \'echo 0 >/proc/sys/user/max_pid_namespaces; exec "$0" run\'',
    true,
    'cell',
    'no more namespaces can be made: a limit in /proc/sys/user is reached',
  ],
];

describe('what a limit of the user does not let the helper do is told with the limit', () => {
  let world: World;
  beforeAll(() => (world = new World(uid)));
  afterAll(() => world.remove());

  it.each(LIMITS)('of %s', async (_what, through, cell, step, message) => {
    const { last, code } = await world.start(['true'], { cell }, { through }).outcome;
    expect([code, last]).toEqual([125, { type: 'failed', step, message }]);
  });
});
