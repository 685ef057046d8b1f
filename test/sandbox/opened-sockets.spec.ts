import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { Paths } from '#config';
import { loadPolicy, type SandboxPolicy } from '#sandbox';
import { modes } from './modes.js';
import { identities, World } from './world.js';

describe.each(identities)('a socket that the policy of %s opens', (_name, uid) => {
  let world: World;
  let reach: string;
  let server: Server;
  let other: Server;
  beforeAll(async () => {
    world = new World(uid);
    reach = world.compile('reach');
    const doors = world.directory('doors');
    chmodSync(doors, 0o755);
    [server, other] = [await listen('open.sock'), await listen('closed.sock')];
  });
  afterAll(() => {
    server.close();
    other.close();
    world.remove();
  });

  const door = (name: string): string => join(world.root, 'doors', name);
  const listen = async (name: string): Promise<Server> => {
    const listening = createServer((socket) => socket.resume()).listen(door(name));
    await once(listening, 'listening');
    chmodSync(door(name), 0o666);
    return listening;
  };
  const policy = (network: string): SandboxPolicy => {
    const file = world.write('policy.yaml', `filesystem: { rox: [/usr, /bin, /lib, /lib64], rwx: ['{CWD}'] }\n${network}\n`);
    const variables = { CWD: world.cwd, TMPDIR: world.tmp };
    return loadPolicy(Paths.from({ HOME: world.home }), variables, { type: 'file', file });
  };

  describe.each(modes)('in $mode', ({ cell }) => {
    it('can be connected to, also with the network off, and is named as a gap', async () => {
      const opening = policy(`network: { enabled: false, unix: ['${door('open.sock')}'] }`);
      const { text, reports } = await world.run([reach, 'unix', door('open.sock')], { policy: opening, cell });
      expect(text).toBe('reached\n');
      expect(reports[0]).toMatchObject({ sandbox: 'partial', missing: expect.arrayContaining(['unix-sockets']) });
      const gaps = cell ? [] : ['unix-paths', 'every socket that the user may connect to is open'];
      expect(gaps.filter((gap) => !JSON.stringify(reports).includes(gap))).toEqual([]);
    });

    it('is the only one, where sockets can be told apart', async () => {
      const opening = policy(`network: { unix: ['${door('open.sock')}'] }`);
      const { text, reports } = await world.run([reach, 'unix', door('closed.sock')], { policy: opening, cell });
      const isGap = JSON.stringify(reports).includes('unix-paths');
      expect(text.trim()).toBe(cell ? 'No such file or directory' : isGap ? 'reached' : 'EACCES');
    });
  });

  it('is closed where nothing is listed', async () => {
    const { text, reports } = await world.run([reach, 'unix', door('open.sock')], { policy: policy('network: { unix: [] }') });
    expect(text).toBe('EACCES\n');
    expect(reports[0]).toMatchObject({ missing: expect.not.arrayContaining(['unix-paths']) });
  });

  it('is refused without best effort, where it would open all others', async () => {
    const strict = { ...policy(`network: { unix: ['${door('open.sock')}'] }`), bestEffort: false };
    const { last } = await world.run([reach, 'unix', door('open.sock')], { policy: strict });
    expect(last).toMatchObject({ type: 'failed', step: 'landlock', message: expect.stringContaining('cannot enforce unix-paths') });
  });
});
