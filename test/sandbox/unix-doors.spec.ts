import type { RunOrder } from '#sandbox';
import { hasPrograms } from '../support/programs.js';
import { Doors, type Door } from './doors.js';
import { describeModes, tellsSocketsApart } from './modes.js';
import { Programs } from './programs.js';
import { identities, World } from './world.js';

const LIMIT_MS = 60_000;
const hasOwn = tellsSocketsApart();
const describeDoors = hasPrograms('dbus-daemon', 'ssh-agent') ? describe : describe.skip;

describeDoors.each(identities)('the sockets of programs that act for the user, for a tool that runs as %s', (_name, uid) => {
  let world: World;
  let programs: Programs;
  let doors: Doors;
  beforeAll(async () => {
    world = new World(uid);
    programs = new Programs(['reach', 'fake-docker']);
    programs.copy('reach', world.cwd);
    doors = await Doors.open(world, programs);
  }, LIMIT_MS);
  afterAll(async () => {
    await doors.close();
    programs.remove();
    world.remove();
  });

  /** What the tool hears at each door, or why it hears nothing. */
  async function knock(change: Partial<RunOrder>): Promise<Readonly<Record<string, string>>> {
    const lines = doors.all.map(({ path, greeting }, id) => `${id} talk ${path} ${greeting.toString('hex')}`);
    const { text } = await world.run([`${world.cwd}/reach`, '-', ...lines], change);
    return Object.fromEntries(text.trim().split('\n').map(answerOf));
  }

  function answerOf(line: string): [string, string] {
    const [id, said, answer = ''] = line.split('\t');
    const door: Door | undefined = doors.all[Number(id)];
    const isAnswered = said === 'reached' && door?.answer.test(answer);
    return [door?.name ?? line, isAnswered ? 'answered' : answer];
  }

  /** Where the kernel tells sockets apart, a cell has those of its own, and these are not there. */
  function answerTo(path: string, cell: boolean): string {
    if (!cell || !hasOwn) return 'EACCES';
    return path.startsWith('@') ? 'EPERM' : 'No such file or directory';
  }

  describeModes('are out of its reach', ({ cell }) => {
    it('by path and by name', async () => {
      const heard = await knock({ cell });
      expect(heard).toEqual(Object.fromEntries(doors.all.map(({ name, path }) => [name, answerTo(path, cell)])));
    });

    it('with the network off', async () => {
      const heard = await knock({ cell, policy: world.offline() });
      expect(Object.values(heard)).not.toContain('answered');
      expect(Object.keys(heard)).toHaveLength(doors.all.length);
    });
  });

  it('all answer it where there is no sandbox', async () => {
    const heard = await knock({ policy: undefined });
    expect(heard).toEqual(Object.fromEntries(doors.all.map(({ name }) => [name, 'answered'])));
  });
});
